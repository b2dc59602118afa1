// FormatTest.cpp - the format table against published extremes.
#include "lib/Spec/Format.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace labgen;

namespace {

struct Expected {
  Format format;
  const char *name;
  int bits, storageBits, bias;
  double max, min, minNormal, minSubnormal;
  bool hasInf, hasNaN, hasNegativeZero;
};

// OCP OFP8 and Microscaling, IEEE 754, ml_dtypes' README; f32 and f64 from
// <cfloat>.
const Expected expected[] = {
    {Format::F64, "f64", 64, 64, 1023, DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN,
     true, true, true},
    {Format::F32, "f32", 32, 32, 127, FLT_MAX, -FLT_MAX, FLT_MIN, FLT_TRUE_MIN,
     true, true, true},
    {Format::TF32, "tf32", 19, 32, 127, 0x1.ffcp127, -0x1.ffcp127, 0x1p-126,
     0x1p-136, true, true, true},
    {Format::BF16, "bf16", 16, 16, 127, 0x1.fep127, -0x1.fep127, 0x1p-126,
     0x1p-133, true, true, true},
    {Format::F16, "f16", 16, 16, 15, 65504, -65504, 0x1p-14, 0x1p-24, true,
     true, true},
    {Format::F8E5M2, "f8E5M2", 8, 8, 15, 57344, -57344, 0x1p-14, 0x1p-16, true,
     true, true},
    {Format::F8E4M3FN, "f8E4M3FN", 8, 8, 7, 448, -448, 0x1p-6, 0x1p-9, false,
     true, true},
    {Format::F8E4M3, "f8E4M3", 8, 8, 7, 240, -240, 0x1p-6, 0x1p-9, true, true,
     true},
    {Format::F8E5M2FNUZ, "f8E5M2FNUZ", 8, 8, 16, 57344, -57344, 0x1p-15,
     0x1p-17, false, true, false},
    {Format::F8E4M3FNUZ, "f8E4M3FNUZ", 8, 8, 8, 240, -240, 0x1p-7, 0x1p-10,
     false, true, false},
    {Format::F6E2M3FN, "f6E2M3FN", 6, 6, 1, 7.5, -7.5, 1, 0.125, false, false,
     true},
    {Format::F6E3M2FN, "f6E3M2FN", 6, 6, 3, 28, -28, 0.25, 0.0625, false, false,
     true},
    {Format::F4E2M1FN, "f4E2M1FN", 4, 4, 1, 6, -6, 1, 0.5, false, false, true},
    {Format::F8E8M0FNU, "f8E8M0FNU", 8, 8, 127, 0x1p127, 0x1p-127, 0x1p-127,
     0x1p-127, false, true, false},
    {Format::I32, "i32", 32, 32, 0, 2147483647, -2147483648.0, 1, 1, false,
     false, false},
    {Format::I8, "i8", 8, 8, 0, 127, -128, 1, 1, false, false, false},
    {Format::I4, "i4", 4, 4, 0, 7, -8, 1, 1, false, false, false},
    {Format::U8, "u8", 8, 8, 0, 255, 0, 1, 1, false, false, false},
    {Format::U4, "u4", 4, 4, 0, 15, 0, 1, 1, false, false, false},
};

TEST(Format, TableHasThePublishedExtremes) {
  ASSERT_EQ(std::size(expected), size_t(numFormats));
  for (const Expected &e : expected) {
    SCOPED_TRACE(e.name);
    const FormatInfo &row = info(e.format);
    EXPECT_EQ(row.format, e.format);
    EXPECT_EQ(row.name, e.name);
    EXPECT_EQ(row.bits, e.bits);
    EXPECT_EQ(row.storageBits, e.storageBits);
    EXPECT_EQ(row.bias, e.bias);
    EXPECT_EQ(row.max, e.max);
    EXPECT_EQ(row.min, e.min);
    EXPECT_EQ(row.minNormal, e.minNormal);
    EXPECT_EQ(row.minSubnormal, e.minSubnormal);
    EXPECT_EQ(row.hasInf, e.hasInf);
    EXPECT_EQ(row.hasNaN, e.hasNaN);
    EXPECT_EQ(row.hasNegativeZero, e.hasNegativeZero);
    if (isFloat(e.format)) {
      EXPECT_EQ(1 + row.exponentBits + row.mantissaBits, row.bits);
    }
  }
}

TEST(Format, AllFormatsAreInTableOrder) {
  ASSERT_EQ(allFormats().size(), size_t(numFormats));
  for (int i = 0; i < numFormats; ++i)
    EXPECT_EQ(allFormats()[i], Format(i));
}

TEST(Format, EverySpellingIsReadAsItsOwnFormatAlone) {
  std::set<std::string_view> seen;
  for (Format format : allFormats())
    for (std::string_view spelling : spellings(format)) {
      EXPECT_TRUE(seen.insert(spelling).second) << spelling;
      EXPECT_EQ(parseFormat(spelling), format) << spelling;
    }
}

TEST(Format, AliasesOfOtherTools) {
  EXPECT_EQ(parseFormat("fp8e4nv"), Format::F8E4M3FN); // Triton
  EXPECT_EQ(parseFormat("fp8e4b8"), Format::F8E4M3FNUZ);
  EXPECT_EQ(parseFormat("fp8e5b16"), Format::F8E5M2FNUZ);
  EXPECT_EQ(parseFormat("float8_e5m2"), Format::F8E5M2); // torch, ml_dtypes
  EXPECT_EQ(parseFormat("e4m3"), Format::F8E4M3FN);
  EXPECT_EQ(parseFormat("e2m1"), Format::F4E2M1FN);
  EXPECT_EQ(parseFormat("ui4"), Format::U4);
  EXPECT_EQ(parseFormat("half"), Format::F16);
}

TEST(Format, UnknownAndAmbiguousNamesAreNotRead) {
  for (const char *text : {"", "f", "fp8", "F32", "f32 ", " f32", "f32,", "i16",
                           "float8_e4m3", "double,float64", ","})
    EXPECT_EQ(parseFormat(text), std::nullopt) << text;
}

TEST(Format, Kinds) {
  EXPECT_TRUE(isFloat(Format::F4E2M1FN));
  EXPECT_FALSE(isFloat(Format::F8E8M0FNU));
  EXPECT_FALSE(isInteger(Format::F8E8M0FNU));
  EXPECT_TRUE(isInteger(Format::I32));
  std::set<Format> codes;
  for (Format format : allFormats())
    if (isCode(format))
      codes.insert(format);
  EXPECT_EQ(codes, (std::set<Format>{
                       Format::F8E5M2, Format::F8E4M3FN, Format::F8E4M3,
                       Format::F8E5M2FNUZ, Format::F8E4M3FNUZ, Format::F6E2M3FN,
                       Format::F6E3M2FN, Format::F4E2M1FN, Format::I8,
                       Format::I4, Format::U8, Format::U4}));
}

TEST(Format, PackedBytes) {
  EXPECT_EQ(packedBytes(Format::F64, 3), 24);
  EXPECT_EQ(packedBytes(Format::TF32, 3), 12);
  EXPECT_EQ(packedBytes(Format::I8, 0), 0);
  for (int64_t n = 0; n < 40; ++n) {
    EXPECT_EQ(packedBytes(Format::I4, n), (n + 1) / 2);
    EXPECT_EQ(packedBytes(Format::F4E2M1FN, n), (n + 1) / 2);
    EXPECT_EQ(packedBytes(Format::F6E3M2FN, n), (6 * n + 7) / 8);
  }
  // Four 6-bit codes in three bytes.
  EXPECT_EQ(packedBytes(Format::F6E2M3FN, 4), 3);
  // 4 * count would not fit 64 bits.
  EXPECT_EQ(packedBytes(Format::U4, INT64_MAX), int64_t(1) << 62);
}

} // namespace
