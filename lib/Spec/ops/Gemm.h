// Gemm.h - the elementwise bounds of a matrix product.
#ifndef LABGEN_SPEC_OPS_GEMM_H
#define LABGEN_SPEC_OPS_GEMM_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// Bound on |c - exact| of one element from sum_k |a||b| over the dequantized
/// operands and, for compute=i8, from `activationStep` = sum_k |b_k| s_a(k) /
/// 2, the most quantizing a can do. With the a and `exact` already quantized,
/// pass 0: the bound of the kernel's own arithmetic.
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

} // namespace labgen

#endif // LABGEN_SPEC_OPS_GEMM_H
