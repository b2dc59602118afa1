// Tensor.cpp - kernel arguments in host memory.
//
// Every tensor is a mapping of its own, with address space on both sides that
// nothing is mapped to. Large ones are aligned to and advised for huge pages,
// so they cost no TLB misses.
// What does not fit is refused before it is asked for: Linux would grant it and
// kill the process on first use.
#include "runtime/core/Tensor.h"

#include "lib/Spec/Convert.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace labgen {
namespace {

constexpr int64_t hugePage = int64_t(2) << 20;
constexpr int64_t alignment = 64;
/// Of address space on each side: a row too many faults as an element does.
constexpr int64_t untouchable = hugePage;

std::byte guardByte(int64_t i) { return std::byte(0x5C ^ (i * 7)); }

int64_t roundUp(int64_t size, int64_t step) {
  return (size + step - 1) / step * step;
}

int64_t pageBytes() {
  static const int64_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

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

} // namespace

struct Tensor::Memory {
  std::byte *base = nullptr; ///< of all that is reserved
  size_t reserved = 0;
  std::byte *body = nullptr; ///< what may be touched, whole pages
  int64_t size = 0;
  ~Memory() {
    if (base)
      munmap(base, reserved);
  }

  /// False, with errno, when the system refuses.
  bool map(int64_t bytes, Sharing sharing) {
    size = roundUp(bytes, pageBytes());
    reserved = size_t(untouchable + hugePage + size + untouchable);
    void *got = mmap(nullptr, reserved, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED)
      return false;
    base = static_cast<std::byte *>(got);
    body = reinterpret_cast<std::byte *>(
        roundUp(int64_t(uintptr_t(base)) + untouchable, hugePage));
    if (size == 0)
      return true;
    int kind = sharing == Sharing::Shared ? MAP_SHARED : MAP_PRIVATE;
    got = mmap(body, size_t(size), PROT_READ | PROT_WRITE,
               kind | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (got == MAP_FAILED)
      return false;
    if (size >= 2 * hugePage)
      madvise(body, size_t(size), MADV_HUGEPAGE); // advice only
    return true;
  }
};

Status requireMemory(const std::string &what, int64_t bytes) {
  std::optional<int64_t> available = availableMemory();
  if (available && bytes > *available)
    return Status::badInput(what + " needs " + std::to_string(bytes) +
                            " bytes of memory, " + std::to_string(*available) +
                            " are available; use smaller sizes");
  return Status::ok();
}

Result<Tensor> Tensor::allocate(const Argument &argument, Sharing sharing) {
  std::optional<int64_t> size = checkedBytes(argument);
  if (!size)
    return Status::badInput("the size of " + argument.name +
                            " in bytes overflows; use smaller sizes");
  if (*size >= hugePage)
    if (Status s = requireMemory(argument.name, *size); !s)
      return s;
  Tensor tensor;
  tensor.arg = argument;
  tensor.memory = std::make_shared<Memory>();
  Memory &memory = *tensor.memory;
  if (!memory.map(*size, sharing))
    return Status::badInput(argument.name + " needs " + std::to_string(*size) +
                            " bytes of memory, which the system refused (" +
                            std::strerror(errno) + "); use smaller sizes");
  tensor.bytes = memory.body + memory.size - roundUp(*size, alignment);
  std::byte *end = tensor.bytes + *size;
  for (std::byte *gap = memory.body; gap < tensor.bytes; ++gap)
    *gap = guardByte(gap - memory.body);
  for (std::byte *gap = end; gap < memory.body + memory.size; ++gap)
    *gap = guardByte(gap - end);
  return tensor;
}

Result<Tensor> Tensor::copy() const {
  Result<Tensor> other = allocate(arg);
  if (other && byteSize())
    std::memcpy(other->data(), data(), size_t(byteSize()));
  return other;
}

std::string_view Tensor::brokenGuard() const {
  for (const std::byte *gap = memory->body; gap < bytes; ++gap)
    if (*gap != guardByte(gap - memory->body))
      return "before the first";
  const std::byte *end = bytes + byteSize();
  for (const std::byte *gap = end; gap < memory->body + memory->size; ++gap)
    if (*gap != guardByte(gap - end))
      return "behind the last";
  return "";
}

void Tensor::copyWithGaps(Tensor &other) const {
  if (memory->size)
    std::memcpy(other.memory->body, memory->body, size_t(memory->size));
}

void Tensor::makeReadOnly() {
  if (memory->size)
    mprotect(memory->body, size_t(memory->size), PROT_READ);
}

void Tensor::setWritable(int64_t offset, int64_t size, bool writable) {
  int64_t first = (bytes - memory->body + offset) / pageBytes() * pageBytes();
  int64_t last = roundUp(bytes - memory->body + offset + size, pageBytes());
  mprotect(memory->body + first, size_t(last - first),
           writable ? PROT_READ | PROT_WRITE : PROT_READ);
}

bool Tensor::surrounds(const void *address) const {
  auto *at = static_cast<const std::byte *>(address);
  return at >= memory->base && at < memory->base + memory->reserved;
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

Tensor *find(Tensors &tensors, ArgumentKind kind) {
  for (Tensor &tensor : tensors)
    if (tensor.argument().kind == kind)
      return &tensor;
  return nullptr;
}

const Tensor *find(const Tensors &tensors, const std::string &name) {
  return find(const_cast<Tensors &>(tensors), name);
}

} // namespace labgen
