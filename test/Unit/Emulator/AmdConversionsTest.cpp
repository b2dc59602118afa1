// AmdConversionsTest.cpp - AMD's packed conversions to the bit: against
// APFloat, else against values worked out by hand.
#include "Conversions.h"

namespace labgen::emu {
namespace {

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

TEST(Conversions, AmdUnpacksOneByte) {
  std::vector<uint32_t> in(256);
  for (uint32_t i = 0; i < 256; ++i)
    in[i] = i << 16 | 0x3801;
  std::vector<uint32_t> third = runSnippet<uint32_t>(
      gfx942, "  %r = call float @llvm.amdgcn.cvt.f32.fp8(i32 %v, i32 2)",
      "float", in);
  for (uint32_t i = 0; i < 256; ++i)
    EXPECT_EQ(third[i], decoded(i, APFloat::Float8E4M3FNUZ(),
                                APFloat::IEEEsingle(), third[i]))
        << i;
}

TEST(Conversions, AmdUnpacksPairs) {
  struct Case {
    const Target &target;
    const char *type;
    const llvm::fltSemantics &format;
  };
  const Case cases[] = {{gfx942, "fp8", APFloat::Float8E4M3FNUZ()},
                        {gfx942, "bf8", APFloat::Float8E5M2FNUZ()},
                        {gfx950, "fp8", APFloat::Float8E4M3FN()},
                        {gfx950, "bf8", APFloat::Float8E5M2()},
                        {gfx1201, "fp8", APFloat::Float8E4M3FN()},
                        {gfx1201, "bf8", APFloat::Float8E5M2()}};
  for (const Case &test : cases)
    for (unsigned high : {0, 1}) {
      std::vector<uint32_t> in;
      for (uint32_t i = 0; i < 256; ++i)
        in.push_back((i | (255 - i) << 8) << (high ? 16 : 0));
      std::vector<uint64_t> pairs = runSnippet<uint64_t>(
          test.target,
          std::string("  %r = call <2 x float> @llvm.amdgcn.cvt.pk.f32.") +
              test.type + "(i32 %v, i1 " + (high ? "true" : "false") + ")",
          "<2 x float>", in);
      for (uint32_t i = 0; i < 256; ++i)
        for (unsigned lane : {0, 1}) {
          uint32_t bits = uint32_t(pairs[i] >> (32 * lane));
          uint32_t code = lane ? 255 - i : i;
          bool isNan = std::isnan(floatOf(bits));
          ASSERT_EQ(bits, decoded(code, test.format, APFloat::IEEEsingle(),
                                  isNan ? bits : 0))
              << test.type << " " << code;
        }
    }
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

TEST(Conversions, AmdFp4OfEveryKind) {
  std::vector<uint32_t> in = interesting();
  std::vector<uint32_t> codes = runSnippet<uint32_t>(
      gfx950,
      "  %a = bitcast i32 %v to float\n  %b = fneg float %a\n  %r = call i32 "
      "@llvm.amdgcn.cvt.scalef32.pk.fp4.f32(i32 0, float %a, float %b, float "
      "1.0, i32 3)",
      "i32", in);
  // It has no NaN: the largest value, with the sign.
  auto code = [&](float value) {
    return reference(value, APFloat::Float4E2M1FN(), true,
                     APFloat::rmNearestTiesToEven,
                     std::signbit(value) ? 15 : 7);
  };
  for (size_t i = 0; i < in.size(); ++i) {
    float a = floatOf(in[i]);
    ASSERT_EQ(codes[i], (code(-a) << 4 | code(a)) << 24) << a;
  }
}

TEST(Conversions, AmdFp4Unpacks) {
  std::vector<uint32_t> in;
  for (uint32_t i = 0; i < 256; ++i)
    in.push_back(i << 8 | 0xFF0000FF);
  std::vector<uint64_t> pairs = runSnippet<uint64_t>(
      gfx950,
      "  %r = call <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.fp4(i32 %v, "
      "float 1.0, i32 1)",
      "<2 x float>", in);
  auto value = [](uint32_t code) {
    return uint64_t(
        decoded(code, APFloat::Float4E2M1FN(), APFloat::IEEEsingle(), 0));
  };
  for (uint32_t i = 0; i < 256; ++i)
    ASSERT_EQ(pairs[i], value(i >> 4) << 32 | value(i & 15)) << i;
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
