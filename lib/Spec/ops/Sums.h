// Sums.h - accumulators and the length of sums, for ops that add.
#ifndef LABGEN_SPEC_OPS_SUMS_H
#define LABGEN_SPEC_OPS_SUMS_H

#include "lib/Spec/OpInfo.h"

namespace labgen {

/// f64, f32, bf16, f16 and i32: what sums may be taken in.
Formats accumulatorFormats();

/// acc may be the type itself or a wider one, exact on every product's
/// operands; f32 where one of them is `quantized`.
Status checkAccumulator(const KernelSpec &spec, Format type, bool quantized);

/// Sums of integers are exact; a length (of that key) whose i32 sum could
/// overflow, with terms up to `largest`, is refused.
Status checkIntegerSum(std::string_view key, int64_t length, double largest);
/// The largest magnitude of a format.
double magnitude(Format format);

/// Of a block of the orders `blocked` and `compensated`.
constexpr int64_t blockAccumulators = 128;

/// Additions on the longest way from one of n elements to their sum (Higham,
/// Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.2).
double sumDepth(SumOrder order, int64_t n, int64_t block);

/// The order `blocked` with blocks of that length.
std::string blockedWords(int64_t block);

} // namespace labgen

#endif // LABGEN_SPEC_OPS_SUMS_H
