// InputChange.h - inputs that differ a little from what a kernel saw before.
//
// A kernel that keeps its answer instead of computing it is right as long as
// its inputs are what they were. So a cache line of one input changes before
// each timed sample, and more of it before the last run, which is judged.
// Elements move within the input (a rotation of some of them), which leaves
// alone what decides time or legality. A sum or a maximum does not depend on
// places: there elements double, or an integer's lowest bit flips.
#ifndef LABGEN_RUNTIME_ISOLATE_INPUTCHANGE_H
#define LABGEN_RUNTIME_ISOLATE_INPUTCHANGE_H

#include "runtime/core/Tensor.h"

#include <optional>

namespace labgen {

struct InputChange {
  int32_t argument = -1;        ///< of the spec; -1: none changes
  int64_t offset = 0, size = 0; ///< bytes of the argument that change
  int64_t amount = 0;           ///< elements (two codes of 4 bits, four of 6)
};

/// The most that a change between samples and one before the last run touch.
constexpr int64_t sampleChangeBytes = 64, lastChangeBytes = int64_t(64) << 10;

/// A change of at most `bytes`, drawn by `random`, near the end of the first
/// input with more than one element; none where there is no such input.
InputChange drawChange(const KernelSpec &spec, int64_t bytes, uint64_t random);

/// Writes the changed bytes into `to`; `from` holds the original ones, as many.
void applyChange(const KernelSpec &spec, const InputChange &change,
                 const std::byte *from, std::byte *to);

/// Keeps at most one change in a read-only tensor.
class ChangingInput {
public:
  ChangingInput(const KernelSpec &spec, Tensors &arguments)
      : spec(spec), arguments(arguments) {}
  /// Puts back what the last change took and makes this one.
  void apply(const InputChange &change);

private:
  void write(const std::byte *bytes);

  const KernelSpec &spec;
  Tensors &arguments;
  InputChange current;
  std::vector<std::byte> original;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_ISOLATE_INPUTCHANGE_H
