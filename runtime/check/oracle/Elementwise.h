// Elementwise.h - cast, exp and axpy over spans.
#ifndef LABGEN_RUNTIME_CHECK_ORACLE_ELEMENTWISE_H
#define LABGEN_RUNTIME_CHECK_ORACLE_ELEMENTWISE_H

#include "lib/Spec/Convert.h"

#include <cstddef>
#include <vector>

namespace labgen::oracle {

/// The cast of a spec; narrow sources go through a table of all their codes.
class Caster {
public:
  explicit Caster(const KernelSpec &spec);
  /// Casts elements [begin, begin + count) of `x` to `out` (whose first element
  /// is `begin`, on a byte). Returns how many were clamped to an extreme.
  int64_t cast(const std::byte *x, int64_t begin, int64_t count,
               std::byte *out) const;

private:
  struct Entry {
    uint64_t code;
    bool saturated;
  };
  Entry castOne(double value, int64_t flat) const;

  const KernelSpec &spec;
  EncodeRules rules;
  bool direct; ///< f32 to bf16 or f16, to nearest: the bulk conversion
  std::vector<Entry> table;
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
