// Arithmetic.h - addition and multiply-add as an accumulator type does them.
//
// f32 and f64 are the machine's own. bf16 and f16 have no machine arithmetic
// everywhere: they go through f64 rounded to odd, from where one more rounding
// is the right one (Boldo and Melquiond, "Emulation of FMA and correctly
// rounded sums", IEEE Trans. Computers 57(4), 2008).
#ifndef LABGEN_RUNTIME_CHECK_NUMBERS_ARITHMETIC_H
#define LABGEN_RUNTIME_CHECK_NUMBERS_ARITHMETIC_H

#include "lib/Spec/Convert.h"
#include "runtime/core/Isa.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace labgen::oracle {

/// The machine's arithmetic in T.
template <typename T> struct Native {
  using Value = T;
  LABGEN_INLINE T add(T a, T b) const { return a + b; }
  LABGEN_INLINE T multiply(T a, T b) const { return a * b; }
  LABGEN_INLINE T fma(T a, T b, T c) const { return std::fma(a, b, c); }
};

/// a + b in f64, rounded to odd where it is inexact.
inline double addToOdd(double a, double b) {
  double sum = a + b, shadow = sum - a;
  double error = (a - (sum - shadow)) + (b - shadow); // Knuth's TwoSum
  int64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  if (std::isfinite(sum) && error != 0 && bits % 2 == 0)
    bits += (error > 0) == (sum > 0) ? 1 : -1;
  std::memcpy(&sum, &bits, sizeof sum);
  return sum;
}

/// Arithmetic in a 16-bit float; values are held in f64.
struct Narrow {
  using Value = double;
  Format format;

  double round(double value) const { return roundTo(format, value); }
  double add(double a, double b) const { return round(addToOdd(a, b)); }
  double multiply(double a, double b) const { return round(a * b); }
  double fma(double a, double b, double c) const {
    return round(addToOdd(a * b, c)); // a * b is exact in f64
  }
};

} // namespace labgen::oracle

#endif // LABGEN_RUNTIME_CHECK_NUMBERS_ARITHMETIC_H
