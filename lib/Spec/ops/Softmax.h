// Softmax.h - the elementwise bound of softmax.
#ifndef LABGEN_SPEC_OPS_SOFTMAX_H
#define LABGEN_SPEC_OPS_SOFTMAX_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// Elements of a block of softmax's sum, which is in the order `blocked`.
constexpr int64_t softmaxBlock = 16384;

/// What the bound takes from a row.
struct SoftmaxRow {
  /// The exact sum of what is added: of exp(x - max), with shift=no of exp(x).
  double sum = 1;
  /// How far the terms move it, relative to it: the mean of softmaxDrift by
  /// weight.
  double drift = 0;
};

/// Relative error of the exp of an element that is `distance` >= 0 below the
/// row's maximum.
double softmaxDrift(const KernelSpec &spec, double distance);

/// Bound on |y - exact| of such an element. Inf where a sum may leave f32 on
/// either side, so that the result may be NaN.
double softmaxBound(const KernelSpec &spec, const SoftmaxRow &row,
                    double distance, double exact);

} // namespace labgen

#endif // LABGEN_SPEC_OPS_SOFTMAX_H
