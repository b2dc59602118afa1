// NvidiaConversionsTest.cpp - PTX's packed conversions to the bit: against
// APFloat, else against values worked out by hand.
#include "Conversions.h"

namespace labgen::emu {
namespace {

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

struct DecodeCase {
  const char *intrinsic, *type;
  const llvm::fltSemantics &from, &to;
  unsigned stride; ///< bits between the two codes
};

TEST(Conversions, NvidiaDecodes) {
  const llvm::fltSemantics &half = APFloat::IEEEhalf();
  const DecodeCase cases[] = {
      {"e4m3x2.to.f16x2.rn", "<2 x half>", APFloat::Float8E4M3FN(), half, 8},
      {"e5m2x2.to.f16x2.rn", "<2 x half>", APFloat::Float8E5M2(), half, 8},
      {"e2m3x2.to.f16x2.rn", "<2 x half>", APFloat::Float6E2M3FN(), half, 8},
      {"e3m2x2.to.f16x2.rn", "<2 x half>", APFloat::Float6E3M2FN(), half, 8},
      {"e2m1x2.to.f16x2.rn", "<2 x half>", APFloat::Float4E2M1FN(), half, 4},
      {"ue8m0x2.to.bf16x2", "<2 x bfloat>", APFloat::Float8E8M0FNU(),
       APFloat::BFloat(), 8}};
  for (const DecodeCase &test : cases) {
    uint32_t count = 1u << APFloat::getSizeInBits(test.from);
    std::vector<uint32_t> pairs;
    for (uint32_t i = 0; i < count; ++i)
      pairs.push_back(i | (count - 1 - i) << test.stride);
    std::vector<uint32_t> results = runSnippet<uint32_t>(
        nvptx,
        std::string("  %c = trunc i32 %v to i16\n  %r = "
                    "call ") +
            test.type + " @llvm.nvvm." + test.intrinsic + "(i16 %c)",
        test.type, pairs);
    auto value = [&](uint32_t code) {
      return decoded(code, test.from, test.to, 0x7FFF);
    };
    for (uint32_t i = 0; i < count; ++i)
      ASSERT_EQ(results[i], value(count - 1 - i) << 16 | value(i))
          << test.intrinsic << " " << i;
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

} // namespace
} // namespace labgen::emu
