// Elementwise.h - cast, exp and axpy over spans.
#ifndef LABGEN_RUNTIME_CHECK_ORACLE_ELEMENTWISE_H
#define LABGEN_RUNTIME_CHECK_ORACLE_ELEMENTWISE_H

#include "lib/Spec/Convert.h"
#include "runtime/check/numbers/StochasticRounder.h"

#include <cstddef>
#include <vector>

namespace labgen::oracle {

/// The cast of a spec. Sources of at most 16 bits go through a table of all
/// their codes, others through tables of the target's steps, widenings through
/// the machine's own conversions; what is left, and short spans, one by one
/// through encode().
class Caster {
public:
  explicit Caster(const KernelSpec &spec);
  /// Casts elements [begin, begin + count) of `x` to `out` (whose first element
  /// is `begin`, on a byte). Returns how many were clamped to an extreme.
  int64_t cast(const std::byte *x, int64_t begin, int64_t count,
               std::byte *out) const;

  /// The same, always one by one through encode().
  int64_t castEach(const std::byte *x, int64_t begin, int64_t count,
                   std::byte *out) const;

private:
  enum class Way { Each, Codes, Machine, Integers, Rounded, Stochastic };
  Way chooseWay() const;
  int64_t castCodes(const std::byte *x, int64_t begin, int64_t count,
                    std::byte *out) const;
  int64_t castSpan(const std::byte *x, int64_t begin, int64_t count,
                   std::byte *out, int64_t at) const;

  const KernelSpec &spec;
  EncodeRules rules;
  Way way;
  BulkRounder rounder;
  std::optional<StochasticRounder> stochastic;
  // Of all codes of a narrow source: what they become, and what is clamped.
  std::vector<uint32_t> codes;
  std::vector<uint8_t> clamped;
};

/// The f32 numbers within one ulp of an exact exp, as they come out in `out`.
struct ExpRange {
  float low = 0, high = 0;
  bool nan = false;
};
ExpRange expRange(double exact);
/// Whether one of them, cast to `out`, is `result`.
bool holds(const ExpRange &range, Format out, double result);

/// want = alpha x + y as the spec's acc and type have it; reference in f64.
void axpy(const KernelSpec &spec, double alpha, const std::byte *x,
          const std::byte *y, int64_t begin, int64_t count, std::byte *want,
          double *reference);

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_ORACLE_ELEMENTWISE_H
