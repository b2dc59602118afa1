// ConvertSpecialsTest.cpp - published values of casts, and what the contract
// says where oracles are silent: overflow, NaN, integers, E8M0, stochastic.
#include "lib/Spec/Convert.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

EncodeRules rules(Rounding rounding, Overflow overflow = Overflow::Ieee,
                  NanRule nan = NanRule::Propagate, uint32_t random = 0) {
  return {rounding, overflow, nan, random};
}

TEST(ConvertSpecials, PublishedValues) {
  auto code = [](Format format, double value) { return encode(format, value); };
  // One rounding, never through f16 or f32 (numerics that others got wrong).
  EXPECT_EQ(code(Format::F8E4M3FN, 1.0625001), 0x39u);
  EXPECT_EQ(code(Format::BF16, 16842753), 0x4B81u);
  EXPECT_EQ(code(Format::BF16, 1 + 0x1p-8 + 0x1p-40), 0x3F81u);
  // Overflow is decided on the rounded value.
  EXPECT_EQ(code(Format::F8E4M3FN, 464), 0x7Eu);
  EXPECT_EQ(code(Format::F8E4M3FN, 465), 0x7Fu);
  EXPECT_EQ(code(Format::F16, 65519.99), 0x7BFFu);
  EXPECT_EQ(code(Format::F16, 65520), 0x7C00u);
  EXPECT_EQ(code(Format::F8E5M2, 61440), 0x7Cu);
  EXPECT_EQ(code(Format::F8E4M3FNUZ, 248), 0x80u);
  // Subnormals are produced.
  EXPECT_EQ(code(Format::F16, 0x1p-15), 0x0200u);
  EXPECT_EQ(code(Format::F8E5M2, 0x1p-16), 0x01u);
  EXPECT_EQ(code(Format::F8E4M3FN, 0x1p-9), 0x01u);
  EXPECT_EQ(code(Format::F8E4M3FN, 0x1p-10), 0x00u);
  EXPECT_EQ(code(Format::F8E4M3FNUZ, -1e-8), 0x00u);
  // E2M1 midpoints.
  const double middles[] = {.25, .75, 1.25, 1.75, 2.5, 3.5, 5};
  const double rounded[] = {0, 1, 1, 2, 2, 4, 4};
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(roundTo(Format::F4E2M1FN, middles[i]), rounded[i]);
    EXPECT_EQ(roundTo(Format::F4E2M1FN, -middles[i]), -rounded[i]);
  }
  // tf32 keeps its place in an f32; away is cvt.rna.
  EXPECT_EQ(code(Format::TF32, 1), 0x3F800000u);
  EXPECT_EQ(roundTo(Format::TF32, 1 + 0x1p-11 + 0x1p-13), 1 + 0x1p-10);
  EXPECT_EQ(roundTo(Format::TF32, 1 + 0x1p-11, rules(Rounding::Away)),
            1 + 0x1p-10);
  EXPECT_EQ(roundTo(Format::TF32, 1 + 0x1p-11 + 0x1p-13, rules(Rounding::Zero)),
            1.0);
}

TEST(ConvertSpecials, OverflowInfAndNaN) {
  struct Case {
    Format format;
    uint64_t max, ieeeInf, nan;
  };
  // ieeeInf: what Inf and overflow become under ieee.
  const Case cases[] = {
      {Format::F32, 0x7F7FFFFF, 0x7F800000, 0x7FC00000},
      {Format::TF32, 0x7F7FE000, 0x7F800000, 0x7FC00000},
      {Format::BF16, 0x7F7F, 0x7F80, 0x7FC0},
      {Format::F16, 0x7BFF, 0x7C00, 0x7E00},
      {Format::F8E5M2, 0x7B, 0x7C, 0x7E},
      {Format::F8E4M3FN, 0x7E, 0x7F, 0x7F},
      {Format::F8E4M3, 0x77, 0x78, 0x7C},
      {Format::F8E5M2FNUZ, 0x7F, 0x80, 0x80},
      {Format::F8E4M3FNUZ, 0x7F, 0x80, 0x80},
      {Format::F6E2M3FN, 0x1F, 0x1F, 0x1F},
      {Format::F6E3M2FN, 0x1F, 0x1F, 0x1F},
      {Format::F4E2M1FN, 0x7, 0x7, 0x7},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(name(c.format));
    uint64_t sign = uint64_t(1) << (info(c.format).storageBits - 1);
    EncodeRules ieee = rules(Rounding::Even, Overflow::Ieee);
    EncodeRules saturate = rules(Rounding::Even, Overflow::Saturate);
    // A NaN has no sign, and FNUZ's is the sign bit alone.
    bool infIsNaN = c.ieeeInf == c.nan && info(c.format).hasNaN;
    uint64_t negativeInf = infIsNaN ? c.nan : c.ieeeInf | sign;
    for (double big : {1e300, double(INFINITY)}) {
      EXPECT_EQ(encode(c.format, big, ieee), c.ieeeInf);
      EXPECT_EQ(encode(c.format, -big, ieee), negativeInf);
      EXPECT_EQ(encode(c.format, big, saturate), c.max);
      EXPECT_EQ(encode(c.format, -big, saturate), c.max | sign);
    }
    // IEEE 754-2019 7.4: towards zero a finite value never leaves the format.
    EncodeRules zero = rules(Rounding::Zero, Overflow::Ieee);
    double beyond = 2 * info(c.format).max;
    for (double big : {beyond, std::nextafter(beyond, 0), 1e300}) {
      EXPECT_EQ(encode(c.format, big, zero), c.max);
      EXPECT_EQ(encode(c.format, -big, zero), c.max | sign);
    }
    EXPECT_EQ(encode(c.format, INFINITY, zero), c.ieeeInf);
    EXPECT_EQ(encode(c.format, -INFINITY, zero), negativeInf);
    for (double nan : {double(NAN), -double(NAN)}) {
      EXPECT_EQ(encode(c.format, nan, ieee), c.nan);
      EXPECT_EQ(encode(c.format, nan, saturate), c.nan);
      EXPECT_EQ(encode(c.format, nan,
                       rules(Rounding::Even, Overflow::Ieee, NanRule::Max)),
                c.max);
      EXPECT_EQ(encode(c.format, nan,
                       rules(Rounding::Even, Overflow::Ieee, NanRule::Error)),
                c.nan);
    }
    EXPECT_EQ(encode(c.format, -0.0),
              info(c.format).hasNegativeZero ? sign : 0u);
  }
}

TEST(ConvertSpecials, Integers) {
  auto value = [](Format format, double v, Rounding mode = Rounding::Even) {
    return decode(format, encode(format, v, rules(mode)));
  };
  EXPECT_EQ(value(Format::I8, 2.5), 2);
  EXPECT_EQ(value(Format::I8, 3.5), 4);
  EXPECT_EQ(value(Format::I8, 2.5, Rounding::Away), 3);
  EXPECT_EQ(value(Format::I8, -2.5, Rounding::Away), -3);
  EXPECT_EQ(value(Format::I8, -2.9, Rounding::Zero), -2);
  EXPECT_EQ(value(Format::I8, 127.5), 127);
  EXPECT_EQ(value(Format::I8, -128.5), -128);
  EXPECT_EQ(value(Format::I8, -129), -128);
  EXPECT_EQ(value(Format::I4, 7.6), 7);
  EXPECT_EQ(value(Format::I4, -8.6), -8);
  EXPECT_EQ(value(Format::U4, -0.6), 0);
  EXPECT_EQ(value(Format::U4, 15.4), 15);
  EXPECT_EQ(value(Format::U8, 1e300), 255);
  EXPECT_EQ(value(Format::I32, 0x1p31), 2147483647);
  EXPECT_EQ(value(Format::I32, -0x1p31 - 0.5), -0x1p31);
  EXPECT_EQ(value(Format::I32, 2147483646.5), 2147483646);
  for (Format format :
       {Format::I32, Format::I8, Format::I4, Format::U8, Format::U4}) {
    EXPECT_EQ(value(format, INFINITY), info(format).max);
    EXPECT_EQ(value(format, -INFINITY), info(format).min);
    EXPECT_EQ(encode(format, NAN), 0u);
    EXPECT_EQ(encode(format, -0.0), 0u);
    EXPECT_EQ(encode(format, DBL_TRUE_MIN), 0u);
  }
}

TEST(ConvertSpecials, E8M0) {
  auto byte = [](double v, Rounding mode = Rounding::Even,
                 Overflow overflow = Overflow::Ieee) {
    return encode(Format::F8E8M0FNU, v, rules(mode, overflow));
  };
  EXPECT_EQ(byte(1), 127u);
  // Ties go to the even byte.
  EXPECT_EQ(byte(1.5), 128u);
  EXPECT_EQ(byte(3), 128u);
  EXPECT_EQ(byte(0.75), 126u);
  EXPECT_EQ(byte(6), 130u);
  EXPECT_EQ(byte(std::nextafter(1.5, 0)), 127u);
  EXPECT_EQ(byte(std::nextafter(3.0, 4)), 129u);
  EXPECT_EQ(byte(3, Rounding::Away), 129u);
  EXPECT_EQ(byte(3.99, Rounding::Zero), 128u);
  EXPECT_EQ(byte(0x1.8p-127), 0u); // byte 0 is even
  EXPECT_EQ(byte(0x1.7fp-127), 0u);
  EXPECT_EQ(byte(0x1.81p-127), 1u);
  EXPECT_EQ(byte(DBL_TRUE_MIN), 0u);
  for (double v : {0.0, -0.0, -1.0, -1e300, double(NAN), double(INFINITY),
                   -double(INFINITY)})
    for (Overflow overflow : {Overflow::Ieee, Overflow::Saturate})
      EXPECT_EQ(byte(v, Rounding::Even, overflow), 0xFFu) << v;
  EXPECT_EQ(byte(0x1p127), 0xFEu);
  EXPECT_EQ(byte(0x1.7p127), 0xFEu);
  EXPECT_EQ(byte(0x1.8p127), 0xFEu); // a tie, and 0xFE is even
  EXPECT_EQ(byte(0x1.9p127), 0xFFu);
  EXPECT_EQ(byte(0x1.9p127, Rounding::Even, Overflow::Saturate), 0xFEu);
  EXPECT_EQ(byte(1e300, Rounding::Zero), 0xFEu);
  EXPECT_EQ(byte(INFINITY, Rounding::Zero), 0xFFu);
  // Up with the dropped fraction's chance, here a half.
  EXPECT_EQ(encode(Format::F8E8M0FNU, 1.5,
                   rules(Rounding::Stochastic, Overflow::Ieee,
                         NanRule::Propagate, 0x7fffffff)),
            128u);
  EXPECT_EQ(encode(Format::F8E8M0FNU, 1.5,
                   rules(Rounding::Stochastic, Overflow::Ieee,
                         NanRule::Propagate, 0x80000000)),
            127u);
}

TEST(ConvertSpecials, StochasticComparesTheDroppedFraction) {
  auto code = [](Format format, double value, uint32_t random) {
    return encode(format, value,
                  rules(Rounding::Stochastic, Overflow::Ieee,
                        NanRule::Propagate, random));
  };
  // 1.125 * 2^-14 in E5M2 lies half way between codes 4 and 5.
  EXPECT_EQ(code(Format::F8E5M2, 1.125 * 0x1p-14, 0x7fffffff), 5u);
  EXPECT_EQ(code(Format::F8E5M2, 1.125 * 0x1p-14, 0x80000000), 4u);
  // A quarter of the way, in magnitude.
  EXPECT_EQ(decode(Format::I8, code(Format::I8, -2.25, 0x3fffffff)), -3);
  EXPECT_EQ(decode(Format::I8, code(Format::I8, -2.25, 0x40000000)), -2);
  // Exact values never move, whatever the bits.
  EXPECT_EQ(code(Format::F8E5M2, 1.25, 0), encode(Format::F8E5M2, 1.25));
  EXPECT_EQ(code(Format::I8, 3, 0), 3u);
  // The carry leaves the mantissa.
  EXPECT_EQ(code(Format::F8E5M2, 1.9375, 0), encode(Format::F8E5M2, 2));
  // Beyond the largest only with the chance of its fraction.
  EXPECT_EQ(code(Format::F8E5M2, 59392, 0), 0x7Cu);
  EXPECT_EQ(code(Format::F8E5M2, 59392, 0xffffffff), 0x7Bu);
  // A fraction below 2^-32 never goes up.
  EXPECT_EQ(code(Format::F16, 0x1p-100, 0), 0u);
}

TEST(ConvertSpecials, Events) {
  auto event = [](Format format, double value, Overflow overflow) {
    EncodeEvent what = EncodeEvent::None;
    encode(format, value, rules(Rounding::Even, overflow), &what);
    return what;
  };
  using E = EncodeEvent;
  EXPECT_EQ(event(Format::F16, 1, Overflow::Ieee), E::None);
  EXPECT_EQ(event(Format::F16, 0, Overflow::Ieee), E::None);
  EXPECT_EQ(event(Format::F16, 1e-9, Overflow::Ieee), E::Flushed);
  EXPECT_EQ(event(Format::F16, 7e4, Overflow::Ieee), E::Overflowed);
  EXPECT_EQ(event(Format::F16, 7e4, Overflow::Saturate), E::Saturated);
  EXPECT_EQ(event(Format::F16, INFINITY, Overflow::Ieee), E::None);
  EXPECT_EQ(event(Format::F16, INFINITY, Overflow::Saturate), E::Saturated);
  EXPECT_EQ(event(Format::F16, 65504, Overflow::Saturate), E::None);
  EXPECT_EQ(event(Format::F4E2M1FN, 6.9, Overflow::Saturate), E::None);
  EXPECT_EQ(event(Format::F4E2M1FN, 7, Overflow::Saturate), E::Saturated);
  EXPECT_EQ(event(Format::I8, 0.4, Overflow::Saturate), E::Flushed);
  EXPECT_EQ(event(Format::I8, 128, Overflow::Saturate), E::Saturated);
  EXPECT_EQ(event(Format::I8, NAN, Overflow::Saturate), E::None);
}

TEST(ConvertSpecials, Defaults) {
  for (Format format : allFormats()) {
    bool special = info(format).hasInf || info(format).hasNaN;
    EXPECT_EQ(defaultOverflow(format),
              special ? Overflow::Ieee : Overflow::Saturate);
    EXPECT_EQ(defaultNanRule(format),
              info(format).hasNaN ? NanRule::Propagate : NanRule::Max);
  }
}

} // namespace
