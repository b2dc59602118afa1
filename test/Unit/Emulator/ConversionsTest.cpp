// ConversionsTest.cpp - packed conversions to the bit: against APFloat where it
// has the format and the rounding, else against values worked out by hand.
#include "Snippet.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <random>

namespace labgen::emu {
namespace {

using llvm::APFloat;

uint32_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}
float floatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// Ties, neighbours of ties, specials, extremes, and random bits.
std::vector<uint32_t> interesting() {
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
uint32_t reference(float value, const llvm::fltSemantics &format, bool saturate,
                   APFloat::roundingMode mode, uint32_t nanCode) {
  if (std::isnan(value))
    return nanCode;
  APFloat result(value);
  bool inexact;
  result.convert(format, mode, &inexact);
  if (saturate && !result.isFinite())
    result = APFloat::getLargest(format, std::signbit(value));
  return uint32_t(result.bitcastToAPInt().getZExtValue());
}

struct NvidiaCase {
  const char *intrinsic, *type;
  const llvm::fltSemantics &format;
  bool saturate;
  APFloat::roundingMode mode;
  unsigned stride; ///< bits between the two codes
  uint32_t nan;
};

TEST(Conversions, NvidiaTwoFloats) {
  const auto even = APFloat::rmNearestTiesToEven;
  const NvidiaCase cases[] = {
      {"ff.to.e4m3x2.rn", "i16", APFloat::Float8E4M3FN(), true, even, 8, 0x7F},
      {"ff.to.e5m2x2.rn", "i16", APFloat::Float8E5M2(), true, even, 8, 0x7F},
      {"ff.to.e2m3x2.rn.satfinite", "i16", APFloat::Float6E2M3FN(), true, even,
       8, 0x1F},
      {"ff.to.e3m2x2.rn.satfinite", "i16", APFloat::Float6E3M2FN(), true, even,
       8, 0x1F},
      {"ff.to.e2m1x2.rn.satfinite", "i16", APFloat::Float4E2M1FN(), true, even,
       4, 0x7},
      {"ff2f16x2.rn", "<2 x half>", APFloat::IEEEhalf(), false, even, 16,
       0x7FFF},
      {"ff2f16x2.rz", "<2 x half>", APFloat::IEEEhalf(), false,
       APFloat::rmTowardZero, 16, 0x7FFF},
      {"ff2bf16x2.rn", "<2 x bfloat>", APFloat::BFloat(), false, even, 16,
       0x7FFF}};
  std::vector<uint32_t> in = interesting();
  for (const NvidiaCase &test : cases) {
    bool wide = test.stride == 16;
    std::string body = std::string("  %a = bitcast i32 %v to float\n"
                                   "  %b = fneg float %a\n  %r") +
                       " = call " + test.type + " @llvm.nvvm." +
                       test.intrinsic + "(float %a, float %b)";
    std::vector<uint32_t> results;
    if (wide)
      results = runSnippet<uint32_t>(nvptx, body, test.type, in);
    else
      for (uint16_t code : runSnippet<uint16_t>(nvptx, body, test.type, in))
        results.push_back(code);
    for (size_t i = 0; i < in.size(); ++i) {
      float a = floatOf(in[i]);
      uint32_t high = reference(a, test.format, test.saturate, test.mode,
                                test.nan),
               low = reference(-a, test.format, test.saturate, test.mode,
                               test.nan);
      ASSERT_EQ(results[i], high << test.stride | low)
          << test.intrinsic << " of " << a;
    }
  }
}

TEST(Conversions, NvidiaReluAndTf32) {
  std::vector<uint32_t> in = interesting();
  std::vector<uint16_t> relu = runSnippet<uint16_t>(
      nvptx,
      "  %a = bitcast i32 %v to float\n"
      "  %r = call i16 @llvm.nvvm.ff.to.e4m3x2.rn.relu(float %a, float %a)",
      "i16", in);
  std::vector<uint32_t> tf32 =
      runSnippet<uint32_t>(nvptx,
                           "  %a = bitcast i32 %v to float\n"
                           "  %r = call i32 @llvm.nvvm.f2tf32.rna(float %a)",
                           "i32", in);
  for (size_t i = 0; i < in.size(); ++i) {
    float a = floatOf(in[i]);
    uint32_t code =
        reference(std::isnan(a) || a > 0 ? a : 0.0f, APFloat::Float8E4M3FN(),
                  true, APFloat::rmNearestTiesToEven, 0x7F);
    ASSERT_EQ(relu[i], code << 8 | code) << a;
    // Ties away from zero are the carry of half a unit in the last place kept.
    if (std::isnan(a))
      ASSERT_EQ(tf32[i], 0x7FFFFFFFu);
    else
      ASSERT_EQ(tf32[i], (in[i] + 0x1000) & 0xFFFFE000) << a;
  }
}

TEST(Conversions, NvidiaDecodes) {
  const std::pair<const char *, const llvm::fltSemantics &> cases[] = {
      {"e4m3x2", APFloat::Float8E4M3FN()}, {"e5m2x2", APFloat::Float8E5M2()}};
  std::vector<uint32_t> codes(256);
  for (unsigned i = 0; i < 256; ++i)
    codes[i] = i | (255 - i) << 8;
  for (auto [name, format] : cases) {
    std::vector<uint32_t> results = runSnippet<uint32_t>(
        nvptx,
        std::string("  %c = trunc i32 %v to i16\n  %r = call <2 x half> "
                    "@llvm.nvvm.") +
            name + ".to.f16x2.rn(i16 %c)",
        "<2 x half>", codes);
    auto half = [&, &format = format](uint32_t code) -> uint32_t {
      APFloat value(format, llvm::APInt(8, code));
      bool inexact;
      if (value.isNaN())
        return 0x7FFF;
      value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven,
                    &inexact);
      return uint32_t(value.bitcastToAPInt().getZExtValue());
    };
    for (uint32_t i = 0; i < 256; ++i)
      ASSERT_EQ(results[i], half(255 - i) << 16 | half(i)) << name << " " << i;
  }
}

TEST(Conversions, NvidiaScales) {
  // 2^-127 is code 0; up means to the next power of two.
  std::vector<uint32_t> in;
  for (float v : {1.0f, 1.5f, 2.0f, 0x1.fffffep127f, 0x1p127f, 0x1p-127f,
                  0x1.8p-127f, 0x1p-149f, 0.0f, INFINITY, NAN, -3.0f})
    in.push_back(bitsOf(v));
  auto run = [&](const char *mode) {
    std::vector<uint16_t> both = runSnippet<uint16_t>(
        nvptx,
        std::string("  %a = bitcast i32 %v to float\n  %r = call i16 "
                    "@llvm.nvvm.ff.to.ue8m0x2.") +
            mode + "(float 1.0, float %a)",
        "i16", in);
    std::vector<unsigned> low;
    for (uint16_t code : both) {
      EXPECT_EQ(code >> 8, 127);
      low.push_back(code & 0xFF);
    }
    return low;
  };
  EXPECT_EQ(run("rz.satfinite"),
            (std::vector<unsigned>{127, 127, 128, 254, 254, 0, 0, 0, 0, 254,
                                   255, 128}));
  EXPECT_EQ(run("rp.satfinite"),
            (std::vector<unsigned>{127, 128, 128, 254, 254, 0, 1, 0, 0, 254,
                                   255, 129}));
}

TEST(Conversions, AmdPacksFp8OfItsChip) {
  std::vector<uint32_t> in = interesting();
  struct Case {
    const Target &target;
    const char *type;
    const llvm::fltSemantics &format;
    uint32_t nan;
  };
  const Case cases[] = {{gfx942, "fp8", APFloat::Float8E4M3FNUZ(), 0x80},
                        {gfx942, "bf8", APFloat::Float8E5M2FNUZ(), 0x80},
                        {gfx950, "fp8", APFloat::Float8E4M3FN(), 0x7F},
                        {gfx1201, "bf8", APFloat::Float8E5M2(), 0x7E}};
  for (const Case &test : cases)
    for (bool highWord : {false, true}) {
      std::vector<uint32_t> results = runSnippet<uint32_t>(
          test.target,
          std::string("  %a = bitcast i32 %v to float\n  %b = fneg float %a\n"
                      "  %r = call i32 @llvm.amdgcn.cvt.pk.") +
              test.type + ".f32(float %a, float %b, i32 305419896, i1 " +
              (highWord ? "true" : "false") + ")",
          "i32", in);
      auto code = [&](float value) -> uint32_t {
        uint32_t bits = reference(value, test.format, false,
                                  APFloat::rmNearestTiesToEven, test.nan);
        return bits;
      };
      for (size_t i = 0; i < in.size(); ++i) {
        float a = floatOf(in[i]);
        uint32_t word = code(-a) << 8 | code(a);
        // NaNs carry no meaning in their sign and payload here.
        uint32_t expected = highWord ? word << 16 | 0x5678 : 0x12340000 | word;
        if (!std::isfinite(a) || std::fabs(a) > 400)
          continue; // overflow: see below
        ASSERT_EQ(results[i], expected) << test.type << " of " << a;
      }
    }
}

TEST(Conversions, AmdOverflowIsNanOrInf) {
  auto convert = [](const Target &target, const char *type, float value) {
    return runSnippet<uint32_t>(
               target,
               std::string("  %a = bitcast i32 %v to float\n  %r = call i32 "
                           "@llvm.amdgcn.cvt.pk.") +
                   type + ".f32(float %a, float %a, i32 0, i1 false)",
               "i32", {bitsOf(value)})[0] &
           0xFF;
  };
  EXPECT_EQ(convert(gfx942, "fp8", 300.0f), 0x80u);
  EXPECT_EQ(convert(gfx950, "fp8", 500.0f) & 0x7F, 0x7Fu);
  EXPECT_EQ(convert(gfx950, "bf8", 1e9f), 0x7Cu);
  EXPECT_EQ(convert(gfx950, "bf8", -1e9f), 0xFCu);
}

TEST(Conversions, AmdUnpacks) {
  std::vector<uint32_t> in(256);
  for (uint32_t i = 0; i < 256; ++i)
    in[i] = i << 16 | 0x3801;
  std::vector<float> second = runSnippet<float>(
      gfx942, "  %r = call float @llvm.amdgcn.cvt.f32.fp8(i32 %v, i32 2)",
      "float", in);
  for (uint32_t i = 0; i < 256; ++i) {
    APFloat value(APFloat::Float8E4M3FNUZ(), llvm::APInt(8, i));
    if (value.isNaN())
      EXPECT_TRUE(std::isnan(second[i]));
    else
      EXPECT_EQ(second[i], value.convertToFloat()) << i;
  }
  // 0x38 is 1.0 in OCP's E4M3.
  EXPECT_EQ(runSnippet<float>(
                gfx950,
                "  %p = call <2 x float> @llvm.amdgcn.cvt.pk.f32.fp8(i32 %v, "
                "i1 false)\n  %r = extractelement <2 x float> %p, i32 1",
                "float", in)[0],
            1.0f);
}

TEST(Conversions, AmdStochasticRoundingAddsRandomBits) {
  // 1 + 1/16 lies half way between 1 (0x38) and 1.125 (0x39): the 20 bits cut
  // off are 0x80000, so it goes up from random bits 0x80000000 on.
  std::vector<uint32_t> random{0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  std::vector<uint32_t> codes = runSnippet<uint32_t>(
      gfx950,
      "  %r = call i32 @llvm.amdgcn.cvt.sr.fp8.f32(float 1.0625, i32 %v, i32 "
      "0, i32 1)",
      "i32", random);
  EXPECT_EQ(codes, (std::vector<uint32_t>{0x3800, 0x3800, 0x3900, 0x3900}));
}

TEST(Conversions, AmdFp4WithScale) {
  std::vector<uint32_t> in;
  for (float v : {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f, 7.0f, 100.0f,
                  0.25f, 0.75f, 2.5f, 5.0f, -5.0f})
    in.push_back(bitsOf(4 * v));
  // Ties to even: 0.25 -> 0, 0.75 -> 1, 2.5 -> 2, 5 -> 4.
  const uint32_t expected[] = {0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 0, 2, 4, 6, 14};
  std::vector<uint32_t> codes = runSnippet<uint32_t>(
      gfx950,
      "  %a = bitcast i32 %v to float\n  %r = call i32 "
      "@llvm.amdgcn.cvt.scalef32.pk.fp4.f32(i32 -1, float %a, float 4.0, float "
      "4.0, i32 2)",
      "i32", in);
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(codes[i], 0xFF20FFFF | expected[i] << 16) << floatOf(in[i]);
  EXPECT_EQ(runSnippet<float>(
                gfx950,
                "  %p = call <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.fp4("
                "i32 %v, float 0.5, i32 1)\n"
                "  %r = extractelement <2 x float> %p, i32 1",
                "float", {0xD000})[0],
            -1.5f);
}

TEST(Conversions, AmdPackRoundsHalvesTowardsZero) {
  std::vector<uint32_t> in = interesting();
  std::vector<uint32_t> results = runSnippet<uint32_t>(
      gfx942,
      "  %a = bitcast i32 %v to float\n  %p = call <2 x half> "
      "@llvm.amdgcn.cvt.pkrtz(float %a, float 1.0)\n"
      "  %r = bitcast <2 x half> %p to i32",
      "i32", in);
  for (size_t i = 0; i < in.size(); ++i) {
    float a = floatOf(in[i]);
    if (!std::isfinite(a))
      continue;
    ASSERT_EQ(results[i], 0x3C000000 | reference(a, APFloat::IEEEhalf(), false,
                                                 APFloat::rmTowardZero, 0))
        << a;
  }
}

} // namespace
} // namespace labgen::emu
