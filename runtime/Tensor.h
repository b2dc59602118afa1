// Tensor.h - one kernel argument in host memory.
//
// Bytes are laid out as kernels see them (codes packed, each row on a byte
// boundary), 64-byte aligned, with a guard of sentinel bytes behind the last
// one so that a checker can tell when a kernel wrote past its end.
#ifndef LABGEN_RUNTIME_TENSOR_H
#define LABGEN_RUNTIME_TENSOR_H

#include "lib/Spec/KernelSpec.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace labgen {

class Tensor {
public:
  /// Allocates argument.bytes() bytes of zeros (huge pages where they pay) plus
  /// the guard. Fails, naming the size, when the memory cannot be had.
  static Result<Tensor> allocate(const Argument &argument);
  /// An independent tensor with the same contents (plain copies share bytes).
  Result<Tensor> copy() const;

  const Argument &argument() const { return arg; }
  std::byte *data() { return bytes.get(); }
  const std::byte *data() const { return bytes.get(); }
  int64_t byteSize() const { return arg.bytes(); }
  template <typename T> T *as() { return reinterpret_cast<T *>(bytes.get()); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(bytes.get());
  }
  /// Raw bits of element `i` of row `row` (rows of the last dimension).
  uint64_t bits(int64_t row, int64_t i) const;
  void setBits(int64_t row, int64_t i, uint64_t bits);
  /// The element's value, exactly, in f64.
  double value(int64_t row, int64_t i) const;
  int64_t rows() const;
  int64_t columns() const;
  /// Whether the guard behind the last byte is as it was made.
  bool guardIntact() const;

private:
  Argument arg;
  std::shared_ptr<std::byte> bytes;
};

/// Raw bits of code `i` of a packed row, low bits first, and the way back.
uint64_t codeBits(Format format, const std::byte *row, int64_t i);
void setCodeBits(Format format, std::byte *row, int64_t i, uint64_t bits);

/// Bad input, naming `what` and the size, when `bytes` are not available now.
Status requireMemory(const std::string &what, int64_t bytes);

/// By argument name, in the spec's order.
using Tensors = std::vector<Tensor>;
Tensor *find(Tensors &tensors, const std::string &name);
const Tensor *find(const Tensors &tensors, const std::string &name);

} // namespace labgen

#endif // LABGEN_RUNTIME_TENSOR_H
