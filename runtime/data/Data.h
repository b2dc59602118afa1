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

/// normal | uniform | ones | zeros | ties | outliers | extremes
enum class Distribution {
  Normal,
  Uniform,
  Ones,
  Zeros,
  Ties,
  Outliers,
  Extremes
};
std::string_view name(Distribution d);
Result<Distribution> parseDistribution(std::string_view text);

/// Allocates and fills every argument of `spec`: floats by `d`, codes of
/// dequantize and gemm by quantizing such floats with the oracle, outputs with
/// a pattern no right answer leaves behind (0xA5 bytes).
Result<Tensors> makeData(const KernelSpec &spec, Distribution d, uint64_t seed,
                         const ParallelFor &parallel);

} // namespace labgen

#endif // LABGEN_RUNTIME_DATA_DATA_H
