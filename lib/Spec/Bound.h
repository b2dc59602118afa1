// Bound.h - how far a right answer may be from the exact one, before it is run.
//
// Every bound is derived from dtype, group size and length alone (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 2-4); the data
// enters only as the magnitudes the formula multiplies. The checker holds each
// element to its own bound and a row reports the largest one. What ops share is
// here; a bound that needs an op's formula is in the op's file of lib/Spec/ops.
#ifndef LABGEN_SPEC_BOUND_H
#define LABGEN_SPEC_BOUND_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// Half an ulp relative: 2^-(mantissa bits + 1); 0 for integers.
double unitRoundoff(Format format);

/// gamma(n) = n u / (1 - n u), the growth of n roundings; Inf once n u >= 1.
double gamma(double n, double u);

/// The most one rounding to `format` can move `value` (in f64), overflow aside:
/// max(|value| u, minSubnormal / 2).
double roundingError(Format format, double value);

/// What can be said before there is data: error <= relative * `to`, away from
/// overflow and subnormals (of results, and of the scale's type).
struct RelativeBound {
  double relative = 0;
  std::string_view to; ///< what it is relative to, in words
};
RelativeBound relativeBound(const KernelSpec &spec);

} // namespace labgen

#endif // LABGEN_SPEC_BOUND_H
