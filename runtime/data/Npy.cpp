// Npy.cpp - .npy files to tensors and back.
//
// Everything a file can have wrong is told apart here: what was expected, what
// it has, and how to write it instead.
#include "runtime/data/Npy.h"

#include "lib/Spec/Convert.h"
#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"
#include "runtime/check/Metrics.h"
#include "runtime/data/NpyHeader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>

namespace labgen {
namespace {

/// The NumPy type of a format's elements.
struct NpyType {
  const char *name;       ///< for messages
  int size;               ///< bytes of one element
  std::string_view kinds; ///< f, i, u, V: the first is written, all are read
};

NpyType npyType(Format format) {
  switch (format) {
  case Format::F64:
    return {"float64", 8, "f"};
  case Format::F32:
  case Format::TF32:
    return {"float32", 4, "f"};
  case Format::F16:
    return {"float16", 2, "f"};
  case Format::BF16:
    return {"uint16", 2, "uV"};
  case Format::I32:
    return {"int32", 4, "i"};
  case Format::I8:
  case Format::I4: // ml_dtypes has int4 and uint4 as V1
    return {"int8", 1, "iV"};
  case Format::U8:
  case Format::U4:
    return {"uint8", 1, "uV"};
  default: // bits of f8, f6, f4, E8M0; ml_dtypes has them as V1 or f1
    return {"uint8", 1, "uVf"};
  }
}

std::string wanted(const Argument &argument) {
  return std::string(npyType(argument.format).name) + " for " + argument.name +
         " of type " + std::string(name(argument.format));
}

Status bad(const std::string &path, const std::string &what) {
  return Status::badInput(path + " " + what);
}

Status checkDtype(const std::string &path, const NpyHeader &header,
                  const Argument &argument) {
  NpyType type = npyType(argument.format);
  const std::string &descr = header.descr;
  constexpr auto none = std::string_view::npos;
  bool shaped =
      descr.size() >= 3 && std::string_view("<>|=").find(descr[0]) != none;
  bool sized = shaped && descr.substr(2) == std::to_string(type.size);
  bool kind = shaped && type.kinds.find(descr[1]) != none;
  if (!sized || !kind)
    return bad(path, "has dtype '" + descr + "'; save it as numpy " +
                         wanted(argument));
  if (descr[0] == '>' && type.size > 1)
    return bad(path, "is big-endian ('" + descr +
                         "'); save it in native byte order, for example with "
                         "x.astype(numpy." +
                         type.name + ")");
  return Status::ok();
}

Status checkHeader(const std::string &path, const NpyHeader &header,
                   const Argument &argument) {
  if (Status s = checkDtype(path, header, argument); !s)
    return s;
  bool scalarAsVector =
      argument.shape.empty() && header.shape == std::vector<int64_t>{1};
  if (header.shape != argument.shape && !scalarAsVector)
    return bad(path, "has shape " + pythonTuple(header.shape) + "; " +
                         argument.name + " needs " +
                         pythonTuple(argument.shape));
  if (header.fortranOrder)
    return bad(path, "is in Fortran order; save it in C order with "
                     "numpy.ascontiguousarray");
  return Status::ok();
}

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

/// Exactly `size` bytes, or a message with what is there.
Status readBytes(const std::string &path, FILE *file, void *to, size_t size) {
  size_t got = std::fread(to, 1, size, file);
  if (got == size)
    return Status::ok();
  if (std::ferror(file))
    return bad(path, std::string("cannot be read: ") + std::strerror(errno) +
                         "; check the path");
  return bad(path, "is truncated; write it again with numpy.save");
}

Result<NpyHeader> readHeader(const std::string &path, FILE *file) {
  unsigned char start[8];
  size_t got = std::fread(start, 1, sizeof start, file);
  if (got != sizeof start && std::ferror(file))
    return bad(path, std::string("cannot be read: ") + std::strerror(errno) +
                         "; check the path");
  if (got < 6 || std::memcmp(start, "\x93NUMPY", 6) != 0)
    return bad(path, "is not a .npy file; write it with numpy.save");
  if (got != sizeof start)
    return bad(path, "is truncated; write it again with numpy.save");
  if (start[6] < 1 || start[6] > 3)
    return bad(path, "has .npy version " + std::to_string(start[6]) + "." +
                         std::to_string(start[7]) +
                         "; write it as version 1.0 with numpy.save");
  unsigned char length[4] = {};
  if (Status s = readBytes(path, file, length, start[6] == 1 ? 2 : 4); !s)
    return s;
  size_t size = length[0] | size_t(length[1]) << 8 | size_t(length[2]) << 16 |
                size_t(length[3]) << 24;
  if (size > size_t(1) << 20)
    return bad(path, "has a .npy header of " + std::to_string(size) +
                         " bytes; write it again with numpy.save");
  std::string dict(size, ' ');
  if (Status s = readBytes(path, file, dict.data(), size); !s)
    return s;
  Result<NpyHeader> header = parseNpyHeader(dict);
  if (!header)
    return bad(path, header.status().message());
  return header;
}

/// Packs one row of unpacked codes; the index of the first one outside the
/// type, or -1.
int64_t packRow(Tensor &tensor, int64_t row, const unsigned char *codes) {
  Format format = tensor.argument().format;
  const FormatInfo &f = info(format);
  bool isSigned = f.kind == FormatKind::SignedInt;
  for (int64_t i = 0; i < tensor.columns(); ++i) {
    int value = isSigned ? int(int8_t(codes[i])) : int(codes[i]);
    bool fits = isInteger(format) ? value >= f.min && value <= f.max
                                  : value < 1 << f.bits;
    if (!fits)
      return i;
    tensor.setBits(row, i, uint64_t(value) & ((uint64_t(1) << f.bits) - 1));
  }
  return -1;
}

Status outOfRange(const std::string &path, const Argument &argument,
                  int64_t flat, int value) {
  const FormatInfo &f = info(argument.format);
  int low = isInteger(argument.format) ? int(f.min) : 0;
  int high = isInteger(argument.format) ? int(f.max) : (1 << f.bits) - 1;
  return bad(path, "has the code " + std::to_string(value) + " at " +
                       elementName(argument, flat) + "; codes of " +
                       std::string(name(argument.format)) + " are " +
                       std::to_string(low) + " to " + std::to_string(high));
}

Status readElements(const std::string &path, FILE *file, Tensor &tensor) {
  const Argument &argument = tensor.argument();
  const FormatInfo &f = info(argument.format);
  if (f.storageBits >= 8)
    return readBytes(path, file, tensor.data(), size_t(tensor.byteSize()));
  std::vector<unsigned char> codes(size_t(tensor.columns()));
  for (int64_t row = 0; row < tensor.rows() && !codes.empty(); ++row) {
    if (Status s = readBytes(path, file, codes.data(), codes.size()); !s)
      return s;
    int64_t wrong = packRow(tensor, row, codes.data());
    if (wrong < 0)
      continue;
    int value = codes[size_t(wrong)];
    if (f.kind == FormatKind::SignedInt)
      value = int8_t(value);
    return outOfRange(path, argument, row * tensor.columns() + wrong, value);
  }
  return Status::ok();
}

} // namespace

Status readNpy(const std::string &path, Tensor &tensor) {
  Result<FileDescriptor> opened = openFile(path, O_RDONLY);
  if (!opened)
    return bad(path, "cannot be opened: " + opened.status().message() +
                         "; check the path");
  File file(fdopen(opened->release(), "rb"), std::fclose);
  if (!file)
    return bad(path, "cannot be opened: out of memory; use smaller sizes");
  Result<NpyHeader> header = readHeader(path, file.get());
  if (!header)
    return header.status();
  if (Status s = checkHeader(path, *header, tensor.argument()); !s)
    return s;
  if (Status s = readElements(path, file.get(), tensor); !s)
    return s;
  if (std::fgetc(file.get()) != EOF)
    return bad(path, "has bytes behind its last element; write it again with "
                     "numpy.save");
  return Status::ok();
}

Status writeNpy(const std::string &path, const Tensor &tensor) {
  const Argument &argument = tensor.argument();
  NpyType type = npyType(argument.format);
  std::string descr = std::string(type.size == 1 ? "|" : "<") + type.kinds[0] +
                      std::to_string(type.size);
  std::string header = npyHeaderBytes({descr, false, argument.shape});
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.status();
  if (Status s = file->write(header.data(), header.size()); !s)
    return s;
  const FormatInfo &f = info(argument.format);
  if (f.storageBits >= 8) {
    if (Status s = file->write(tensor.data(), size_t(tensor.byteSize())); !s)
      return s;
    return file->commit();
  }
  std::vector<unsigned char> codes(size_t(tensor.columns()));
  for (int64_t row = 0; row < tensor.rows(); ++row) {
    for (int64_t i = 0; i < tensor.columns(); ++i) {
      uint64_t bits = tensor.bits(row, i);
      codes[size_t(i)] = f.kind == FormatKind::SignedInt
                             ? uint8_t(int(tensor.value(row, i)))
                             : uint8_t(bits);
    }
    if (Status s = file->write(codes.data(), codes.size()); !s)
      return s;
  }
  return file->commit();
}

} // namespace labgen
