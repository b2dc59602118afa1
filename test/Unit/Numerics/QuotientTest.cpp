// QuotientTest.cpp - the quotient that quantizing kernels compute, against
// division.
//
// Kernels multiply by a reciprocal and correct once (QuantizeMath::encode, in
// lib/Transforms/Bodies). The same formula stands here and meets more than 10^8
// pairs: every mantissa of the divisor next to ties, all exponents, subnormals.
// Where a code may depend on it, the quotient must have the bits of x / s.
#include "runtime/core/Isa.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

LABGEN_INLINE float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
LABGEN_INLINE uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Well-mixed bits of a counter (Prospecting for hash functions, C. Wellons,
/// 2018: lowbias32).
LABGEN_INLINE uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

LABGEN_INLINE float fastQuotient(float x, float s) {
  float shift = s < 0x1p-100f ? 0x1p100f : s > 0x1p100f ? 0x1p-100f : 1.0f;
  s *= shift;
  float reciprocal = 1.0f / s;
  x *= shift;
  float q = x * reciprocal;
  return std::fma(std::fma(q, -s, x), reciprocal, q);
}

LABGEN_INLINE float nearestCode(float q) {
  return std::nearbyint(q < 127 ? (q > -128 ? q : -128.0f) : 127.0f);
}

/// Whether codes by any rounding differ, or bits of quotients from 1/8 on:
/// smaller ones are code 0 whatever their last bits.
LABGEN_INLINE uint32_t differs(float x, float s) {
  float fast = fastQuotient(x, s), exact = x / s;
  uint32_t bits = toBits(fast) != toBits(exact) && std::fabs(exact) >= 0.125f;
  uint32_t code = nearestCode(fast) != nearestCode(exact);
  return bits | code;
}

/// x near (n + 1/2) s, up to two units in the last place away.
LABGEN_INLINE float nearTie(float s, uint32_t word) {
  auto half = double(int32_t(word % 256) - 128) + 0.5;
  uint32_t bits = toBits(float(half * double(s)));
  uint32_t away = (word >> 8) % 5 - 2;
  return fromBits((bits & 0x7fffffff) > 2 ? bits + away : bits);
}

/// Pairs that differ among `count` near ties of the divisors from `first` on.
LABGEN_CLONES uint32_t countTies(uint32_t first, uint32_t count,
                                 uint32_t seed) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < count; ++i) {
    float s = fromBits(first + i);
    wrong += differs(nearTie(s, mix(first + i + seed)), s);
  }
  return wrong;
}

/// Pairs that differ among `count` of any divisor a scale can be and x up to
/// 128 of it.
LABGEN_CLONES uint32_t countRandom(uint32_t first, uint32_t count) {
  uint32_t wrong = 0;
  for (uint32_t i = first; i < first + count; ++i) {
    // From the smallest subnormal to the largest float / 128.
    float s = fromBits(1 + mix(i) % (0x7c000000 - 1));
    double u = double(int32_t(mix(i + 0x9e3779b9))) * 0x1p-31;
    wrong += differs(float(u * 128.0 * double(s)), s);
  }
  return wrong;
}

TEST(Quotient, everyMantissaNextToTies) {
  // The exponents at which kernels change their way, their neighbours, the
  // ends.
  for (uint32_t exponent : {1u, 26u, 27u, 28u, 127u, 226u, 227u, 228u, 246u})
    EXPECT_EQ(countTies(exponent << 23, 1u << 23, exponent << 20), 0u)
        << "exponent " << exponent;
}

TEST(Quotient, everySubnormalDivisorNextToTies) {
  EXPECT_EQ(countTies(1, (1u << 23) - 1, 7), 0u);
}

TEST(Quotient, anyDivisor) { EXPECT_EQ(countRandom(0, 50000000), 0u); }

TEST(Quotient, extremes) {
  std::vector<float> divisors, values;
  for (uint32_t exponent = 0; exponent < 247; ++exponent)
    for (uint32_t mantissa : {0u, 1u, 2u, 0x400000u, 0x7ffffeu, 0x7fffffu})
      if (exponent || mantissa)
        divisors.push_back(fromBits(exponent << 23 | mantissa));
  for (float s : divisors)
    for (int64_t twice = -256; twice <= 255; ++twice) {
      float x = float(double(twice) * 0.5 * double(s));
      for (uint32_t bits : {toBits(x) - 1, toBits(x), toBits(x) + 1})
        if (x != 0 && std::isfinite(fromBits(bits)) &&
            differs(fromBits(bits), s))
          ADD_FAILURE() << std::hexfloat << fromBits(bits) << " / " << s;
    }
}

} // namespace
