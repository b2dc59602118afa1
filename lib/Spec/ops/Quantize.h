// Quantize.h - the elementwise bound of quantizing.
#ifndef LABGEN_SPEC_OPS_QUANTIZE_H
#define LABGEN_SPEC_OPS_QUANTIZE_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// The most |x - dequantize(quantize(x))| can be in a group of absmax `amax`
/// and stored scale `scale` (times global, where there is one). NaN where
/// either is not finite: such a group dequantizes to NaN and has no bound.
double quantizeBound(const KernelSpec &spec, double amax, double scale);

} // namespace labgen

#endif // LABGEN_SPEC_OPS_QUANTIZE_H
