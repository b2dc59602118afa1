// StepTable.h - roundings from f32 by a table of the reference encoder's steps.
//
// With fixed rules a rounding is a step function. The top bits of an f32 (sign,
// exponent, and of the mantissa as many bits as the target has, at least 7)
// name an interval of neighbours with at most one step in it. The table holds
// the codes on both sides and where the step is, all asked of encode(): at both
// ends, then by bisection. So it says what the scalar reference says for all
// 2^32 inputs, and a rounding is one look-up.
#ifndef LABGEN_RUNTIME_CHECK_NUMBERS_STEPTABLE_H
#define LABGEN_RUNTIME_CHECK_NUMBERS_STEPTABLE_H

#include "lib/Spec/Convert.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace labgen::oracle {

class StepTable {
public:
  /// Kept for the life of the process. Nothing for targets without a table
  /// (f64, f32, i32). Stochastic rounding is a step function for one random
  /// word.
  static const StepTable *get(Format target, const EncodeRules &rules);
  /// Elements from which on the table of a target is worth making.
  static int64_t worthwhile(Format target);

  /// Replaces the bits of f32 values by the codes of the target. Returns how
  /// many were clamped to an extreme.
  int64_t round(uint32_t *values, int64_t count) const;

  struct Rounded {
    uint32_t code;
    bool isClamped;
  };
  /// Of the bits of one f32.
  Rounded at(uint32_t bits) const {
    uint64_t step = steps[bits >> lowBits];
    uint32_t low = bits & ((uint32_t(1) << lowBits) - 1);
    bool isAbove = low >= uint32_t(step >> (2 * sideBits));
    auto side = uint32_t(isAbove ? step >> sideBits : step);
    return {(side & codeMask) << storageShift, bool(side >> codeBitsKept & 1)};
  }

private:
  static constexpr int codeBitsKept = 19; // tf32's; all others have less
  static constexpr int sideBits = codeBitsKept + 1;
  static constexpr uint32_t codeMask = (uint32_t(1) << codeBitsKept) - 1;

  StepTable(Format target, const EncodeRules &rules);
  uint64_t stepOf(uint32_t first);
  uint32_t codeOf(uint32_t bits) const;

  Format target;
  EncodeRules rules;
  int lowBits, storageShift;
  bool isValid = true; ///< no interval with more than one step was found
  /// From the low end: code below the step and whether it was clamped, 19 and
  /// 1 bits; the same above; where the step is.
  std::vector<uint64_t> steps;
};

/// f64 values as f32 bits, rounded to odd: from there one more rounding to at
/// most 22 bits is the right one (Boldo and Melquiond, see Arithmetic.h). What
/// is finite and beyond f32 becomes its largest number.
void roundToOdd(const double *values, int64_t count, uint32_t *bits);

/// Rounds spans to one format, by a table where `elements` of them pay for it,
/// else one by one with encode(). Not for stochastic rounding.
class BulkRounder {
public:
  BulkRounder(Format target, const EncodeRules &rules, int64_t elements);
  /// Writes elements [begin, begin + count) of a row, `begin` on a byte; pad
  /// bits behind the last become zero. Returns how many were clamped.
  int64_t write(const float *values, int64_t count, std::byte *row,
                int64_t begin) const;
  int64_t write(const double *values, int64_t count, std::byte *row,
                int64_t begin) const;

private:
  template <typename T> int64_t writeEach(const T *values, int64_t count,
                                          std::byte *row, int64_t begin) const;

  Format target;
  EncodeRules rules;
  const StepTable *table = nullptr;
};

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_NUMBERS_STEPTABLE_H
