// Tensor.cpp - kernel arguments in host memory.
//
// Large tensors come straight from the kernel, aligned to and advised for huge
// pages, so they are zero without being touched and cost no TLB misses later.
// What does not fit is refused before it is asked for: Linux would grant it and
// kill the process on first use.
#include "runtime/Tensor.h"

#include "lib/Spec/Convert.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace labgen {
namespace {

constexpr int64_t guardBytes = 64;
constexpr int64_t hugePage = int64_t(2) << 20;

unsigned char guardByte(int64_t i) { return (unsigned char)(0x5C ^ (i * 7)); }

/// argument.bytes(), or nothing when it overflows.
std::optional<int64_t> checkedBytes(const Argument &argument) {
  int64_t rows = 1;
  int64_t last = argument.shape.empty() ? 1 : argument.shape.back();
  int64_t bits, bytes;
  for (size_t i = 0; i + 1 < argument.shape.size(); ++i)
    if (__builtin_mul_overflow(rows, argument.shape[i], &rows))
      return std::nullopt;
  if (__builtin_mul_overflow(last, 64, &bits) ||
      __builtin_mul_overflow(rows, packedBytes(argument.format, last), &bytes))
    return std::nullopt;
  return bytes;
}

/// MemAvailable of /proc/meminfo in bytes; nothing where it cannot be read.
std::optional<int64_t> availableMemory() {
  FILE *file = std::fopen("/proc/meminfo", "r");
  if (!file)
    return std::nullopt;
  std::optional<int64_t> bytes;
  char line[256];
  int64_t kib;
  while (!bytes && std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "MemAvailable: %" SCNd64, &kib) == 1)
      bytes = kib * 1024;
  std::fclose(file);
  return bytes;
}

std::shared_ptr<std::byte> allocateBytes(int64_t size) {
  if (size < 2 * hugePage) {
    int64_t rounded = (size + 63) / 64 * 64;
    void *memory = std::aligned_alloc(64, size_t(rounded));
    if (!memory)
      return nullptr;
    std::memset(memory, 0, size_t(rounded));
    return {static_cast<std::byte *>(memory), [](std::byte *p) { free(p); }};
  }
  size_t mapped = size_t(size + hugePage);
  void *base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  uintptr_t aligned =
      (uintptr_t(base) + hugePage - 1) & ~uintptr_t(hugePage - 1);
  auto *data = reinterpret_cast<std::byte *>(aligned);
  madvise(data, size_t(size), MADV_HUGEPAGE); // advice only: may be refused
  return {data, [base, mapped](std::byte *) { munmap(base, mapped); }};
}

} // namespace

Status requireMemory(const std::string &what, int64_t bytes) {
  std::optional<int64_t> available = availableMemory();
  if (available && bytes > *available)
    return Status::badInput(what + " needs " + std::to_string(bytes) +
                            " bytes of memory, " + std::to_string(*available) +
                            " are available; use smaller sizes");
  return Status::ok();
}

Result<Tensor> Tensor::allocate(const Argument &argument) {
  std::optional<int64_t> size = checkedBytes(argument);
  if (!size)
    return Status::badInput("the size of " + argument.name +
                            " in bytes overflows; use smaller sizes");
  if (*size >= hugePage)
    if (Status s = requireMemory(argument.name, *size); !s)
      return s;
  Tensor tensor;
  tensor.arg = argument;
  tensor.bytes = allocateBytes(*size + guardBytes);
  if (!tensor.bytes)
    return Status::badInput(argument.name + " needs " + std::to_string(*size) +
                            " bytes of memory, which the system refused (" +
                            std::strerror(errno) + "); use smaller sizes");
  for (int64_t i = 0; i < guardBytes; ++i)
    tensor.bytes.get()[*size + i] = std::byte(guardByte(i));
  return tensor;
}

Result<Tensor> Tensor::copy() const {
  Result<Tensor> other = allocate(arg);
  if (other && byteSize())
    std::memcpy(other->data(), data(), size_t(byteSize()));
  return other;
}

bool Tensor::guardIntact() const {
  const std::byte *guard = data() + byteSize();
  for (int64_t i = 0; i < guardBytes; ++i)
    if (guard[i] != std::byte(guardByte(i)))
      return false;
  return true;
}

int64_t Tensor::rows() const {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < arg.shape.size(); ++i)
    rows *= arg.shape[i];
  return rows;
}

int64_t Tensor::columns() const {
  return arg.shape.empty() ? 1 : arg.shape.back();
}

uint64_t codeBits(Format format, const std::byte *row, int64_t i) {
  int width = info(format).storageBits;
  uint64_t bits = 0;
  if (width >= 8) {
    std::memcpy(&bits, row + i * (width / 8), size_t(width / 8));
    return bits;
  }
  int64_t first = i * width;
  int shift = int(first % 8);
  bits = uint64_t(row[first / 8]) >> shift;
  if (shift + width > 8)
    bits |= uint64_t(row[first / 8 + 1]) << (8 - shift);
  return bits & ((uint64_t(1) << width) - 1);
}

void setCodeBits(Format format, std::byte *row, int64_t i, uint64_t bits) {
  int width = info(format).storageBits;
  if (width >= 8) {
    std::memcpy(row + i * (width / 8), &bits, size_t(width / 8));
    return;
  }
  int64_t first = i * width;
  int shift = int(first % 8);
  uint64_t mask = ((uint64_t(1) << width) - 1) << shift;
  uint64_t field = (bits << shift) & mask;
  auto merge = [&](std::byte &byte, unsigned from) {
    byte = (byte & ~std::byte(mask >> from)) | std::byte(field >> from);
  };
  merge(row[first / 8], 0);
  if (shift + width > 8)
    merge(row[first / 8 + 1], 8);
}

uint64_t Tensor::bits(int64_t row, int64_t i) const {
  return codeBits(arg.format, data() + row * arg.rowBytes(), i);
}

void Tensor::setBits(int64_t row, int64_t i, uint64_t bits) {
  setCodeBits(arg.format, data() + row * arg.rowBytes(), i, bits);
}

double Tensor::value(int64_t row, int64_t i) const {
  return decode(arg.format, bits(row, i));
}

Tensor *find(Tensors &tensors, const std::string &name) {
  for (Tensor &tensor : tensors)
    if (tensor.argument().name == name)
      return &tensor;
  return nullptr;
}

const Tensor *find(const Tensors &tensors, const std::string &name) {
  return find(const_cast<Tensors &>(tensors), name);
}

} // namespace labgen
