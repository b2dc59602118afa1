// Reduce.h - the bound of one reduction's result.
#ifndef LABGEN_SPEC_OPS_REDUCE_H
#define LABGEN_SPEC_OPS_REDUCE_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// Bound on |r - exact| for sums, from sum |x_i| (sum |x_i y_i| for dot, sum
/// x_i^2 for sumsq), by order; 0 for max and absmax. Inf where a partial sum
/// may leave the accumulator's range.
double reduceBound(const KernelSpec &spec, double magnitudeSum, double exact);

} // namespace labgen

#endif // LABGEN_SPEC_OPS_REDUCE_H
