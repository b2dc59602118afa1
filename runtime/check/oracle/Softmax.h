// Softmax.h - a row of softmax: exactly, and what f32 arithmetic may make of
// it.
//
// All but exp is determined to the bit, and every step after it is monotone. So
// the smallest and the largest exps within an ulp give the ends of what may
// come out, whatever exp a target has.
#ifndef LABGEN_RUNTIME_CHECK_ORACLE_SOFTMAX_H
#define LABGEN_RUNTIME_CHECK_ORACLE_SOFTMAX_H

#include "lib/Spec/ops/Softmax.h"
#include "runtime/core/Tensor.h"

namespace labgen::oracle {

class Softmax {
public:
  Softmax(const KernelSpec &spec, const Tensor &x, int64_t row);

  /// Element i to about f64's precision; NaN where the formula gives NaN.
  double exact(int64_t i) const;
  /// What correctly rounded exps give, as a number of the format `out`.
  double nearest(int64_t i) const;
  /// Whether `result` may come out of exps within an ulp.
  bool holds(int64_t i, double result) const;
  /// The a-priori bound of the element; Inf or NaN where there is none.
  double bound(int64_t i) const;

private:
  /// What is added and divided by: of exps as small, as near and as large as
  /// they may be.
  struct Sums {
    float low = 0, nearest = 0, high = 0;
  };
  /// f64's exp of an element below the largest, for the exact row.
  double weight(int64_t i) const;

  const KernelSpec &spec;
  std::vector<float> values;
  float most = 0; ///< the row's maximum; NaN in a row with NaN
  Sums sums;
  SoftmaxRow row;
  double total = 0; ///< of the weights
};

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_ORACLE_SOFTMAX_H
