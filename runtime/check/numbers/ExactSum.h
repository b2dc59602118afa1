// ExactSum.h - sums to about twice f64's precision.
//
// The reference an f32 or f64 sum is measured against: every addition and
// product keeps its rounding error in a second number (TwoSum and TwoProd;
// Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput.
// 26(6), 2005).
#ifndef LABGEN_RUNTIME_CHECK_NUMBERS_EXACTSUM_H
#define LABGEN_RUNTIME_CHECK_NUMBERS_EXACTSUM_H

#include "runtime/core/Isa.h"

#include <cmath>
#include <cstdint>

namespace labgen::oracle {

/// high + low += term, the error kept in low.
LABGEN_INLINE void addExactly(double term, double &high, double &low) {
  double sum = high + term, shadow = sum - high;
  low += (high - (sum - shadow)) + (term - shadow);
  high = sum;
}
/// high + low += x * y.
LABGEN_INLINE void addProduct(double x, double y, double &high, double &low) {
  double product = x * y;
  low += std::fma(x, y, -product);
  addExactly(product, high, low);
}

struct ExactSum {
  double high = 0, low = 0;
  double plain = 0; ///< the same without error terms: right for Inf and NaN
  double magnitude = 0;

  /// Adds x[i], or x[i] * y[i] where y is given.
  void add(const double *x, const double *y, int64_t count);
  void merge(const ExactSum &other);
  double value() const {
    double sum = high + low;
    return std::isfinite(sum) ? sum : plain;
  }
};

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_NUMBERS_EXACTSUM_H
