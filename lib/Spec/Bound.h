// Bound.h - how far a right answer may be from the exact one, before it is run.
//
// Every bound is derived from dtype, group size and length alone (Higham,
// Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 2-4); the data
// enters only as the magnitudes the formula multiplies. The checker holds each
// element to its own bound and a row reports the largest one.
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

/// quantize: the most |x - dequantize(quantize(x))| can be in a group of absmax
/// `amax` and stored scale `scale` (times global, where there is one). NaN
/// where either is not finite: such a group dequantizes to NaN and has no
/// bound.
double quantizeBound(const KernelSpec &spec, double amax, double scale);

/// reduce: bound on |r - exact| for sums, from sum |x_i| (sum |x_i y_i| for
/// dot, sum x_i^2 for sumsq), by order; 0 for max and absmax. Inf where a
/// partial sum may leave the accumulator's range.
double reduceBound(const KernelSpec &spec, double magnitudeSum, double exact);

/// gemm: bound on |c - exact| of one element from sum_k |a||b| over the
/// dequantized operands and, for compute=i8, from
/// `activationStep` = sum_k |b_k| s_a(k) / 2, the most quantizing a can do.
/// With the a and `exact` already quantized, pass 0: the bound of the kernel's
/// own arithmetic.
double gemmBound(const KernelSpec &spec, double magnitudeSum, double exact,
                 double activationStep);

/// The same for sums of elements, hence linear: the kernel's own arithmetic on
/// c[i,n] errs by at most
///   growth (sum_k |a||b| + |what was in c|) + each + relative |c[i,n]|,
/// as long as nothing leaves the accumulator's range (`reach`). For compute=i8
/// a is what it was quantized to.
struct LinearBound {
  double growth = 0, each = 0, relative = 0, reach = 0;
};
LinearBound gemmLinearBound(const KernelSpec &spec);

/// What can be said before there is data: error <= relative * `to`, away from
/// overflow and subnormals (of results, and of the scale's type).
struct RelativeBound {
  double relative = 0;
  std::string_view to; ///< what it is relative to, in words
};
RelativeBound relativeBound(const KernelSpec &spec);

} // namespace labgen

#endif // LABGEN_SPEC_BOUND_H
