// Tensor.h - one kernel argument in host memory.
//
// Bytes are laid out as kernels see them (codes packed, each row on a byte
// boundary) and 64-byte aligned. They end where memory that nobody may touch
// begins, as nearly as the alignment allows, and such memory lies in front of
// them too; the gaps (under 64 bytes behind, under a page in front) hold known
// bytes. A kernel that strays far faults; one that strays a little leaves a
// trace that a checker sees.
#ifndef LABGEN_RUNTIME_CORE_TENSOR_H
#define LABGEN_RUNTIME_CORE_TENSOR_H

#include "lib/Spec/KernelSpec.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

class Tensor {
public:
  /// Shared memory stays one memory in processes forked later; it has small
  /// pages.
  enum class Sharing { Private, Shared };

  /// Allocates argument.bytes() bytes of zeros (huge pages where they pay)
  /// between guards. Fails, naming the size, when the memory cannot be had.
  static Result<Tensor> allocate(const Argument &argument,
                                 Sharing sharing = Sharing::Private);
  /// An independent tensor with the same contents (plain copies share bytes).
  Result<Tensor> copy() const;

  const Argument &argument() const { return arg; }
  std::byte *data() { return bytes; }
  const std::byte *data() const { return bytes; }
  int64_t byteSize() const { return arg.bytes(); }
  template <typename T> T *as() { return reinterpret_cast<T *>(bytes); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(bytes);
  }
  /// Raw bits of element `i` of row `row` (rows of the last dimension).
  uint64_t bits(int64_t row, int64_t i) const;
  void setBits(int64_t row, int64_t i, uint64_t bits);
  /// The element's value, exactly, in f64.
  double value(int64_t row, int64_t i) const;
  int64_t rows() const;
  int64_t columns() const;
  /// Which gap is not as it was made: "before the first", "behind the last" (as
  /// in "byte of y"); empty when both are.
  std::string_view brokenGuard() const;

  /// The bytes and both gaps into `other`, a tensor of the same argument.
  void copyWithGaps(Tensor &other) const;
  /// From now on a write faults (not in an empty tensor).
  void makeReadOnly();
  /// Makes the pages of `size` bytes from `offset` on writable again, or not.
  void setWritable(int64_t offset, int64_t size, bool writable);
  /// Where a stray address belongs to this tensor: the bytes, the gaps and the
  /// memory that nobody may touch around them.
  bool surrounds(const void *address) const;

private:
  struct Memory;
  Argument arg;
  std::shared_ptr<Memory> memory;
  std::byte *bytes = nullptr;
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
/// The first of a kind; null where there is none.
Tensor *find(Tensors &tensors, ArgumentKind kind);

} // namespace labgen

#endif // LABGEN_RUNTIME_CORE_TENSOR_H
