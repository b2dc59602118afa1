// Oracle.h - what each op computes, in plain scalar C++.
//
// The contract's semantics written a second time, apart from the code
// generator: right answers come from here. Floats are IEEE with contraction
// off; a fused multiply-add is std::fma.
#ifndef LABGEN_RUNTIME_CHECK_ORACLE_ORACLE_H
#define LABGEN_RUNTIME_CHECK_ORACLE_ORACLE_H

#include "runtime/core/ParallelFor.h"
#include "runtime/core/Tensor.h"

#include <functional>

namespace labgen::oracle {

/// Fills out[0, count) with elements [begin, begin + count) of a row, in f32.
using FloatSource =
    std::function<void(int64_t row, int64_t begin, int64_t count, float *out)>;
/// The elements of a tensor.
FloatSource floatsOf(const Tensor &tensor);

/// Where quantize writes; zero and global only where the spec has them.
struct QuantizedTensors {
  Tensor *q = nullptr, *scale = nullptr, *zero = nullptr, *global = nullptr;
};

/// Groups by what became of them, and the largest elementwise bound on
/// |x - dequantize(quantize(x))|.
struct QuantizeCounts {
  int64_t nan = 0;        ///< groups with a NaN
  int64_t inf = 0;        ///< groups with an Inf and no NaN
  int64_t saturated = 0;  ///< groups whose scale was beyond its type
  int64_t flushed = 0;    ///< groups whose scale rounded to 0
  int64_t zeroGroups = 0; ///< groups of zeros only
  double bound = 0;
  void merge(const QuantizeCounts &other);
};

/// Quantizes [rows, k] as `spec` says (its keys out, group, scale, zero, rule,
/// range, round, inverse, divisor, seed). Where the contract is silent:
/// - an asymmetric code uses its type's whole range, whatever `range` says; a
///   group of zeros (or one whose scale rounds to 0) has zero point qmin and
///   codes equal to it; a NaN group has zero point and codes 0;
/// - with `global`, codes are divided by the f32 product scale * global, and
///   global's amax is over the finite elements; where global rounds to 0 every
///   scale is 0, where the product does the scale stays and codes are 0.
QuantizeCounts quantize(const KernelSpec &spec, int64_t rows, int64_t k,
                        const FloatSource &source, const QuantizedTensors &out,
                        const ParallelFor &parallel);

/// The random word of element `flat` for stochastic rounding.
uint32_t randomWord(uint64_t seed, int64_t flat);

/// Reads codes with their scales back as numbers.
class Dequantizer {
public:
  /// `zero` and `global` may be null. `k` is the length of a row of codes.
  Dequantizer(const Group &group, int64_t k, const Tensor &q,
              const Tensor &scale, const Tensor *zero, const Tensor *global);
  /// float(q - zero) * scale, one f32 product (scale * global rounded first).
  void floats(int64_t row, int64_t begin, int64_t count, float *out) const;
  /// The same without any rounding but f64's.
  void doubles(int64_t row, int64_t begin, int64_t count, double *out) const;
  /// Scale of a group (times global), in f32.
  float scaleOf(int64_t row, int64_t group) const;
  int zeroOf(int64_t row, int64_t group) const;
  int64_t groupLength() const { return along; }

private:
  Group group;
  int64_t along;
  const Tensor &q, &scale;
  const Tensor *zero;
  std::optional<float> global;
};

/// reduce in the spec's acc, to the bit (sums of integers exactly). In `order`:
/// - sequential: one accumulator from +0, in order.
/// - blocked: the contract's 128 accumulators and folds, per run of `block`.
/// - pairwise: runs of `block` from +0 in order, then neighbours pairwise.
/// - compensated: blocked, but the accumulators are Kahan pairs (s, c); adding
/// x
///   is y = x - c, t = s + y, c = (t - s) - y (0 where that is not finite),
///   s = t. The fold starts from pair 0; for i = 1..127 it adds s_i, then -c_i;
///   the s of the result is the block's sum. Block results are plain values,
///   reduced by the same rule.
/// dot and sumsq enter by one fused multiply-add, in compensated as the rounded
/// product; only the first level has products. max and absmax propagate NaN.
struct Reduction {
  double value = 0;        ///< in acc
  double exact = 0;        ///< the sum to twice f64's precision, rounded to f64
  double magnitudeSum = 0; ///< sum of |terms|, for the bound
};
/// `y` is null but for dot.
Reduction reduce(const KernelSpec &spec, const Tensor &x, const Tensor *y,
                 const ParallelFor &parallel);

/// The sum of f32 numbers in the order `blocked`, to the bit.
float blockedSum(std::vector<float> terms, int64_t block);

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_ORACLE_ORACLE_H
