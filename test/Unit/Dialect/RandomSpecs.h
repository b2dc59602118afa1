// RandomSpecs.h - specs, legal or not, of which each number names one.
#ifndef LABGEN_TEST_UNIT_DIALECT_RANDOMSPECS_H
#define LABGEN_TEST_UNIT_DIALECT_RANDOMSPECS_H

#include "lib/Spec/KernelSpec.h"
#include "runtime/core/Philox.h"

#include <vector>

/// Draws that depend on the case and on how many came before, alone.
class Dice {
public:
  explicit Dice(uint64_t number) : number(number) {}

  /// From 0 to sides - 1.
  uint64_t roll(uint64_t sides) {
    return labgen::philox(/*key=*/1, number, count++).w0 % sides;
  }
  bool oneIn(uint64_t sides) { return roll(sides) == 0; }
  template <typename T> T pick(const std::vector<T> &from) {
    return from[roll(from.size())];
  }

private:
  uint64_t number, count = 0;
};

/// A spec that an op can state: zero points have the codes' type, axpy and gemm
/// their default accumulator, max and absmax no order.
labgen::KernelSpec randomSpec(Dice &dice);

#endif // LABGEN_TEST_UNIT_DIALECT_RANDOMSPECS_H
