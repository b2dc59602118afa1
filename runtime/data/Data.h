// Data.h - the inputs of a run.
//
// From a counter-based generator (Philox4x32-10, key = seed, counter = flat
// element index and argument), so the same data comes out on every machine,
// for any number of threads.
#ifndef LABGEN_RUNTIME_DATA_DATA_H
#define LABGEN_RUNTIME_DATA_DATA_H

#include "runtime/core/ParallelFor.h"
#include "runtime/core/Tensor.h"

namespace labgen {

// clang-format off
#define LABGEN_DISTRIBUTIONS(X, E)                                             \
  X(E, Normal, "normal")                                                       \
  X(E, Uniform, "uniform")                                                     \
  X(E, Ones, "ones")                                                           \
  X(E, Zeros, "zeros")                                                         \
  X(E, Ties, "ties")                                                           \
  X(E, Outliers, "outliers")                                                   \
  X(E, Extremes, "extremes")
// clang-format on
LABGEN_ENUM(Distribution, LABGEN_DISTRIBUTIONS);
Result<Distribution> parseDistribution(std::string_view text);

/// Allocates and fills every argument of `spec`: floats by `d`, codes of
/// dequantize and gemm by quantizing such floats with the oracle, outputs with
/// a pattern no right answer leaves behind (0xA5 bytes).
Result<Tensors> makeData(const KernelSpec &spec, Distribution d, uint64_t seed,
                         const ParallelFor &parallel);

} // namespace labgen

#endif // LABGEN_RUNTIME_DATA_DATA_H
