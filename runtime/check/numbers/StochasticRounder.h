// StochasticRounder.h - stochastic roundings from f32, many at once.
//
// The contract rounds away from zero where a random word is below the fraction
// dropped, in units of 2^-32. So there are two roundings, one that always does
// so and one that never does. Both are step functions, and a StepTable holds
// each; which of them counts is one comparison.
#ifndef LABGEN_RUNTIME_CHECK_NUMBERS_STOCHASTICROUNDER_H
#define LABGEN_RUNTIME_CHECK_NUMBERS_STOCHASTICROUNDER_H

#include "runtime/check/numbers/StepTable.h"

#include <optional>

namespace labgen::oracle {

class StochasticRounder {
public:
  /// Nothing for targets without a table, and where `elements` don't pay for
  /// two of them.
  static std::optional<StochasticRounder> make(Format target,
                                               const EncodeRules &rules,
                                               uint64_t seed, int64_t elements);

  /// Writes elements [begin, begin + count) of a row, `begin` on a byte, as
  /// rounded with the words of elements [first, first + count). Returns how
  /// many were clamped.
  int64_t write(const float *values, int64_t first, int64_t count,
                std::byte *row, int64_t begin) const;

private:
  StochasticRounder(Format target, const StepTable &never,
                    const StepTable &always, uint64_t seed);

  Format target;
  const StepTable *never, *always;
  uint64_t seed;
  /// Bits that an f64 of exponent e drops: least + max(0, whole - e).
  int64_t least, whole;
};

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_NUMBERS_STOCHASTICROUNDER_H
