// ConvertTest.cpp - decode and encode against ml_dtypes, the host's own
// conversions, and a search over all codes.
#include "lib/Spec/Convert.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace labgen;

namespace {

struct Rounded {
  double value;
  uint64_t code;
};
#include "test/Unit/Spec/MlDtypesTable.inc"

struct SmallTable {
  Format format;
  const double *values;
  size_t numValues;
  const uint8_t *midpoints;
  size_t numMidpoints;
};
#define SMALL_TABLE(F)                                                         \
  {Format::F, values##F, std::size(values##F), midpoints##F,                   \
   std::size(midpoints##F)}
const SmallTable smallTables[] = {
    SMALL_TABLE(F8E5M2),     SMALL_TABLE(F8E4M3FN),   SMALL_TABLE(F8E4M3),
    SMALL_TABLE(F8E5M2FNUZ), SMALL_TABLE(F8E4M3FNUZ), SMALL_TABLE(F6E2M3FN),
    SMALL_TABLE(F6E3M2FN),   SMALL_TABLE(F4E2M1FN),   SMALL_TABLE(F8E8M0FNU),
};

EncodeRules rules(Rounding rounding, Overflow overflow = Overflow::Ieee,
                  NanRule nan = NanRule::Propagate, uint32_t random = 0) {
  return {rounding, overflow, nan, random};
}

uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(Convert, EveryCodeOfSmallFormatsDecodesAsInMlDtypes) {
  for (const SmallTable &table : smallTables) {
    SCOPED_TRACE(name(table.format));
    ASSERT_EQ(table.numValues, size_t(1) << info(table.format).bits);
    for (uint64_t code = 0; code < table.numValues; ++code) {
      double want = table.values[code], got = decode(table.format, code);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got)) << code;
      } else {
        EXPECT_EQ(bitsOf(got), bitsOf(want)) << code;
      }
    }
  }
}

TEST(Convert, EveryCodeEncodesBackToItself) {
  for (Format format : allFormats()) {
    SCOPED_TRACE(name(format));
    if (info(format).bits > 16)
      continue;
    for (uint64_t code = 0; code < uint64_t(1) << info(format).bits; ++code) {
      double value = decode(format, code);
      if (!std::isnan(value)) {
        EXPECT_EQ(encode(format, value), code);
      }
    }
  }
}

TEST(Convert, MidpointsAndNeighboursRoundAsInMlDtypes) {
  for (const SmallTable &table : smallTables) {
    SCOPED_TRACE(name(table.format));
    std::vector<double> finite;
    for (size_t i = 0; i < table.numValues; ++i)
      if (std::isfinite(table.values[i]))
        finite.push_back(table.values[i] == 0 ? 0 : table.values[i]);
    std::sort(finite.begin(), finite.end());
    finite.erase(std::unique(finite.begin(), finite.end()), finite.end());
    ASSERT_EQ(table.numMidpoints, 3 * finite.size());
    finite.push_back(2 * finite.back() - finite[finite.size() - 2]);
    bool isScale = table.format == Format::F8E8M0FNU;
    for (size_t i = 0; i + 1 < finite.size(); ++i) {
      double low = finite[i], high = finite[i + 1], middle = (low + high) / 2;
      // ml_dtypes 0.6 takes E8M0 ties up and rounds what is subnormal in f32
      // wrongly; the contract's answers are in E8M0 below.
      if (isScale && i == 0)
        continue;
      double below = std::nextafter(float(middle), float(low));
      double above = std::nextafter(float(middle), float(high));
      EXPECT_EQ(encode(table.format, below), table.midpoints[3 * i]) << middle;
      if (!isScale) {
        EXPECT_EQ(encode(table.format, middle), table.midpoints[3 * i + 1])
            << middle;
      }
      EXPECT_EQ(encode(table.format, above), table.midpoints[3 * i + 2])
          << middle;
    }
  }
}

TEST(Convert, LargeFormatsRoundAsInNumpyAndMlDtypes) {
  for (const Rounded &r : roundedBF16)
    EXPECT_EQ(encode(Format::BF16, r.value), r.code) << r.value;
  for (const Rounded &r : roundedF16)
    EXPECT_EQ(encode(Format::F16, r.value), r.code) << r.value;
  for (const Rounded &r : roundedF32)
    EXPECT_EQ(encode(Format::F32, r.value), r.code) << r.value;
}

TEST(Convert, F32IsTheHostsOwn) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300000; ++i) {
    // Mostly in f32's range, among its subnormals and over its edge.
    double value =
        std::ldexp(double(int64_t(random())), int(random() % 300) - 63 - 150);
    EXPECT_EQ(encode(Format::F32, value), bitsOf(float(value))) << value;
    uint32_t bits = uint32_t(random());
    float single;
    std::memcpy(&single, &bits, sizeof bits);
    if (!std::isnan(single)) {
      EXPECT_EQ(decode(Format::F32, bits), double(single));
    } else {
      EXPECT_TRUE(std::isnan(decode(Format::F32, bits)));
    }
  }
}

TEST(Convert, F64IsTheIdentity) {
  std::mt19937_64 random(8);
  for (double value : {0.0, -0.0, DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN,
                       -DBL_TRUE_MIN, 1.5, HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(encode(Format::F64, value), bitsOf(value));
    EXPECT_EQ(bitsOf(decode(Format::F64, bitsOf(value))), bitsOf(value));
  }
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = random();
    double value = decode(Format::F64, bits);
    if (!std::isnan(value)) {
      EXPECT_EQ(encode(Format::F64, value, rules(Rounding::Stochastic)), bits);
    }
  }
}

/// The code of `value` found by looking at every finite code: the two
/// neighbours, and the mode's choice between them.
uint64_t bySearch(Format format, double value, Rounding mode) {
  double low = -INFINITY, high = INFINITY;
  uint64_t lowCode = 0, highCode = 0;
  bool negative = std::signbit(value);
  for (uint64_t code = 0; code < uint64_t(1) << info(format).bits; ++code) {
    double v = decode(format, code);
    if (!std::isfinite(v) ||
        (v == 0 && std::signbit(v) != negative && info(format).hasNegativeZero))
      continue;
    if (v <= value && v > low)
      low = v, lowCode = code;
    if (v >= value && v < high)
      high = v, highCode = code;
  }
  if (low == high)
    return lowCode;
  bool up; // towards high
  double below = value - low, above = high - value;
  if (mode == Rounding::Zero)
    up = negative;
  else if (below != above)
    up = above < below;
  else if (mode == Rounding::Away)
    up = !negative;
  else
    up = highCode % 2 == 0;
  return up ? highCode : lowCode;
}

TEST(Convert, EveryRoundingModeAgreesWithASearchOverAllCodes) {
  std::mt19937_64 random(9);
  for (Format format : allFormats()) {
    if (info(format).bits > 8)
      continue;
    SCOPED_TRACE(name(format));
    const FormatInfo &row = info(format);
    for (int i = 0; i < 4000; ++i) {
      double fraction = std::ldexp(double(random() >> 11), -53);
      double value = row.min + (row.max - row.min) * fraction;
      if (i % 3 == 0) // near zero, many binades
        value = std::ldexp(fraction, -int(random() % 20)) *
                (random() % 2 && row.min < 0 ? -1 : 1);
      if (i % 5 == 0) // on a quarter of the grid: ties in plenty
        value = std::round(value / row.minSubnormal * 4) * row.minSubnormal / 4;
      if (!(value >= row.min && value <= row.max))
        continue;
      for (Rounding mode : {Rounding::Even, Rounding::Away, Rounding::Zero})
        ASSERT_EQ(encode(format, value, rules(mode)),
                  bySearch(format, value, mode))
            << value << " " << name(mode);
    }
  }
}

} // namespace
