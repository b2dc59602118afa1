// Conversions.h - inputs at which packed conversions decide, and what they
// give: by APFloat, where it has the format and the rounding.
#ifndef LABGEN_TEST_UNIT_EMULATOR_CONVERSIONS_H
#define LABGEN_TEST_UNIT_EMULATOR_CONVERSIONS_H

#include "Snippet.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <random>

namespace labgen::emu {

using llvm::APFloat;

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// Ties, neighbours of ties, specials, extremes, and random bits.
inline std::vector<uint32_t> interesting() {
  std::vector<uint32_t> values;
  for (float v : {0.0f,       1.0f,
                  1.0625f,    1.1875f,
                  448.0f,     463.9f,
                  464.0f,     465.0f,
                  57344.0f,   61439.0f,
                  61440.0f,   240.0f,
                  247.9f,     248.0f,
                  6.0f,       5.0f,
                  2.5f,       1.75f,
                  0.25f,      0.75f,
                  0x1p-9f,    0x1p-10f,
                  0x1.8p-10f, 0x1p-16f,
                  0x1p-17f,   0x1.000002p-17f,
                  3.0e38f,    65504.0f,
                  65519.0f,   65520.0f,
                  0x1p-127f,  0x1p-140f,
                  INFINITY})
    for (float sign : {1.0f, -1.0f})
      for (int step : {-1, 0, 1})
        values.push_back(bitsOf(sign * v) + (std::isinf(v) ? 0 : step));
  values.push_back(0x7FC00000);
  values.push_back(0xFF800001);
  std::mt19937 random(11);
  std::uniform_real_distribution<float> exponent(-20, 18);
  while (values.size() < 1024)
    values.push_back(bitsOf(
        std::ldexp(1 + float(random() % 4096) / 4096, int(exponent(random))) *
        (random() & 1 ? 1 : -1)));
  values.resize(1024);
  return values;
}

/// One rounding by APFloat; beyond the largest (Inf too) its largest if
/// `saturate`.
inline uint32_t reference(float value, const llvm::fltSemantics &format,
                          bool saturate, APFloat::roundingMode mode,
                          uint32_t nanCode) {
  if (std::isnan(value))
    return nanCode;
  APFloat result(value);
  bool inexact;
  result.convert(format, mode, &inexact);
  if (saturate && !result.isFinite())
    result = APFloat::getLargest(format, std::signbit(value));
  return uint32_t(result.bitcastToAPInt().getZExtValue());
}

/// The value of a code in another format, which holds it; `nan` for NaN.
inline uint32_t decoded(uint32_t code, const llvm::fltSemantics &from,
                        const llvm::fltSemantics &to, uint32_t nan) {
  APFloat value(from, llvm::APInt(APFloat::getSizeInBits(from), code));
  if (value.isNaN())
    return nan;
  bool inexact;
  value.convert(to, APFloat::rmNearestTiesToEven, &inexact);
  EXPECT_FALSE(inexact) << code;
  return uint32_t(value.bitcastToAPInt().getZExtValue());
}

} // namespace labgen::emu

#endif // LABGEN_TEST_UNIT_EMULATOR_CONVERSIONS_H
