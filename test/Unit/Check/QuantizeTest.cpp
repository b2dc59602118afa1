// QuantizeTest.cpp - scales and codes against published values and the
// contract's rules for groups without an ordinary scale.
//
// N and S numbers name entries of the project's collection of public bugs in
// quantizers; each comment says whose it was.
#include "Support.h"

#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Philox.h"

#include <cmath>
#include <limits>

using namespace labgen;
using namespace labgen::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

struct Quantized {
  std::vector<double> q, scale, zero, y;
  oracle::QuantizeCounts counts;
};

/// Quantizes one row and reads it back.
Quantized quantize(std::string keys, const std::vector<double> &x) {
  std::string shape = "m=1,k=" + std::to_string(x.size()) + ",";
  KernelSpec spec = parsed("quantize:" + shape + "in=f32," + keys);
  Tensors made;
  for (const Argument &argument : arguments(spec))
    made.push_back(*Tensor::allocate(argument));
  made[0] = tensorOf("x", Format::F32, {1, int64_t(x.size())}, x);
  Tensor *zero = find(made, "zero"), *global = find(made, "global");
  Quantized out;
  out.counts = oracle::quantize(spec, 1, spec.k, oracle::floatsOf(made[0]),
                                {&made[1], &made[2], zero, global}, pieces);
  out.q = valuesOf(made[1]);
  out.scale = valuesOf(made[2]);
  if (zero)
    out.zero = valuesOf(*zero);
  std::vector<float> y(x.size());
  oracle::Dequantizer(spec.group, spec.k, made[1], made[2], zero, global)
      .floats(0, 0, spec.k, y.data());
  out.y.assign(y.begin(), y.end());
  return out;
}

using Values = std::vector<double>;

TEST(Quantize, SymmetricIntegersUseAllCodesButTheLowest) {
  Quantized i8 = quantize("out=i8,group=4,scale=f32", {127, -127, 2.5, -1.9});
  EXPECT_EQ(i8.scale, Values{1});
  EXPECT_EQ(i8.q, (Values{127, -127, 2, -2})); // N64 vllm#45361: 2.5 to even
  Quantized i4 = quantize("out=i4,group=4,scale=f32", {7, -7, 3.5, 0.5});
  EXPECT_EQ(i4.q, (Values{7, -7, 4, 0}));
}

TEST(Quantize, FullRangeClipsTheLargest) {
  // S6, torchao SYMMETRIC: amax / 127.5, codes -128..127.
  Quantized i8 =
      quantize("out=i8,group=2,scale=f32,range=full", {127.5, -127.5});
  EXPECT_EQ(i8.scale, Values{1});
  EXPECT_EQ(i8.q, (Values{127, -128}));
  Quantized i4 = quantize("out=i4,group=2,scale=f32,range=full", {7.5, -7.5});
  EXPECT_EQ(i4.q, (Values{7, -8}));
}

TEST(Quantize, Roundings) {
  Values x = {127, 2.5, -2.5, 1.9, -0.5};
  EXPECT_EQ(quantize("out=i8,group=5,scale=f32", x).q,
            (Values{127, 2, -2, 2, 0}));
  EXPECT_EQ(quantize("out=i8,group=5,scale=f32,round=away", x).q,
            (Values{127, 3, -3, 2, -1}));
  EXPECT_EQ(quantize("out=i8,group=5,scale=f32,round=zero", x).q,
            (Values{127, 2, -2, 1, 0}));
}

TEST(Quantize, StochasticIsUnbiasedAndExactOnCodes) {
  Values x(20001, 40.25);
  x[0] = 127;
  Quantized up =
      quantize("out=i8,group=channel,scale=f32,round=stochastic,seed=3", x);
  double ups = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    ASSERT_TRUE(up.q[i] == 40 || up.q[i] == 41);
    ups += up.q[i] - 40;
  }
  EXPECT_NEAR(ups / 20000, 0.25, 5 * std::sqrt(0.25 * 0.75 / 20000));
  EXPECT_EQ(up.q[0], 127);
}

TEST(Quantize, PhiloxKnownAnswers) {
  // Random123's kat_vectors, philox4x32 10.
  PhiloxWords zero = philox(0, 0, 0);
  EXPECT_EQ(zero.w0, 0x6627e8d5u);
  EXPECT_EQ(zero.w1, 0xe169c58du);
  EXPECT_EQ(zero.w2, 0xbc57ac4cu);
  EXPECT_EQ(zero.w3, 0x9b00dbd8u);
  PhiloxWords pi =
      philox(0x299f31d0a4093822u, 0x85a308d3243f6a88u, 0x0370734413198a2eu);
  EXPECT_EQ(pi.w0, 0xd16cfe09u);
  EXPECT_EQ(pi.w1, 0x94fdccebu);
  EXPECT_EQ(pi.w2, 0x5001e420u);
  EXPECT_EQ(pi.w3, 0x24126ea1u);
}

TEST(Quantize, ZeroGroup) {
  // N48 compressed-tensors#595: zeros must stay zeros, without 0/0.
  for (const char *scale : {"f32", "f16", "bf16"}) {
    Quantized zeros = quantize(std::string("out=i8,group=4,scale=") + scale,
                               Values(16, -0.0));
    EXPECT_EQ(zeros.q, Values(16, 0)) << scale;
    EXPECT_EQ(zeros.scale, Values(4, 0));
    EXPECT_EQ(zeros.y, Values(16, 0));
    EXPECT_EQ(zeros.counts.zeroGroups, 4);
  }
  Quantized mx =
      quantize("out=f4E2M1FN,group=32,scale=f8E8M0FNU", Values(32, 0));
  EXPECT_EQ(mx.scale, Values{0x1p-127}); // byte 0
  EXPECT_EQ(mx.y, Values(32, 0));
}

TEST(Quantize, NanAndInfGroups) {
  // N23 TransformerEngine#3550: {1, NaN} must not have a finite scale.
  Quantized i8 =
      quantize("out=i8,group=2,scale=f16", {1, nan, inf, 1, -inf, nan, 3, 4});
  for (int g = 0; g < 3; ++g)
    EXPECT_TRUE(std::isnan(i8.scale[size_t(g)])) << g;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(i8.q[size_t(i)], 0) << i;
    EXPECT_TRUE(std::isnan(i8.y[size_t(i)])) << i;
  }
  EXPECT_EQ(i8.q[7], 127);
  EXPECT_EQ(i8.counts.nan, 2);
  EXPECT_EQ(i8.counts.inf, 1);
  Values block(32, 1);
  block[5] = nan;
  Quantized mx = quantize("out=f8E5M2,group=32,scale=f8E8M0FNU", block);
  EXPECT_TRUE(std::isnan(mx.scale[0])); // only byte 0xFF is NaN
}

TEST(Quantize, HalfScalesSaturateAndFlush) {
  // S13: amax / 127 overflows f16 from 65520 * 127 on.
  Quantized below = quantize("out=i8,group=1,scale=f16", {8321039.0});
  EXPECT_EQ(below.scale, Values{65504});
  EXPECT_EQ(below.counts.saturated, 0);
  Quantized large = quantize("out=i8,group=2,scale=f16", {1e9, 65504});
  EXPECT_EQ(large.scale, Values{65504});
  EXPECT_EQ(large.q, (Values{127, 1}));
  EXPECT_EQ(large.counts.saturated, 1);
  // A scale of 2^-25 is a tie that rounds to 0, and so do all codes.
  Quantized small =
      quantize("out=i8,group=2,scale=f16", {0x1p-25 * 127, 0x1p-26 * 127});
  EXPECT_EQ(small.scale, Values{0});
  EXPECT_EQ(small.q, (Values{0, 0}));
  EXPECT_EQ(small.counts.flushed, 1);
  EXPECT_EQ(small.counts.zeroGroups, 0);
  // N51 ao#1766: 1 / s beyond f16's largest is no reason for codes 0.
  Quantized tiny = quantize("out=i8,group=2,scale=f16,inverse=reciprocal",
                            {0x1p-14, -0x1p-15});
  EXPECT_EQ(tiny.scale, Values{0x1p-21});
  EXPECT_EQ(tiny.q, (Values{127, -64}));
}

TEST(Quantize, SmallScalesAreNotClamped) {
  // N50 ao#4534: amax 0.02 in i4 has scale 0.02 / 7, not 2^-7.
  Quantized i4 = quantize("out=i4,group=2,scale=f32", {0.02, 0.01});
  EXPECT_EQ(i4.scale, Values{0.02f / 7.0f});
  EXPECT_EQ(i4.q, (Values{7, 4}));
}

TEST(Quantize, ReciprocalBeyondF32) {
  // S13: 1 / d = Inf for d up to 2^-128: such groups divide.
  for (const char *inverse : {"", ",inverse=reciprocal"}) {
    auto codes = [&](std::string keys, Values x) {
      return quantize(keys + ",scale=f32" + inverse, x).q;
    };
    EXPECT_EQ(codes("out=i8,group=4", {1e-37, 2e-38, 0, -1e-40}),
              (Values{127, 25, 0, 0}));
    EXPECT_EQ(codes("out=f8E4M3FN,group=2", {1e-37, 0}), (Values{448, 0}));
    EXPECT_EQ(codes("out=u8,zero=u8,group=3", {1e-37, 2e-38, 0}),
              (Values{255, 51, 0}));
  }
  // The last scale whose reciprocal overflows, and the next.
  for (double s : {0x1p-128, 0x1p-128 + 0x1p-149})
    EXPECT_EQ(quantize("out=i8,group=2,scale=f32,inverse=reciprocal",
                       {127 * s, 50 * s})
                  .q,
              (Values{127, 50}));
}

TEST(Quantize, GlobalThatRoundsToZero) {
  // 1e-42 / (6 * 448) is 0 in f32: nothing can be stored relative to it.
  Quantized nv =
      quantize("out=f4E2M1FN,group=1,scale=f8E4M3FN", {1e-42, 0, nan});
  EXPECT_EQ(nv.scale[0], 0);
  EXPECT_EQ(nv.scale[1], 0);
  EXPECT_TRUE(std::isnan(nv.scale[2]));
  EXPECT_EQ(nv.q, (Values{0, 0, 0}));
  EXPECT_EQ(nv.counts.flushed, 1);
  EXPECT_EQ(nv.counts.zeroGroups, 1);
  EXPECT_EQ(nv.counts.bound, double(1e-42f));
}

TEST(Quantize, AsymmetricBeyondF32) {
  // max - min = 3.6e38 overflows: both ends and 255 are halved first.
  Quantized u8 =
      quantize("out=u8,group=2,scale=f32,zero=u8", {-1.8e38, 1.8e38});
  EXPECT_EQ(u8.scale, Values{1.4117647e36f});
  EXPECT_EQ(u8.zero, Values{127});
  EXPECT_EQ(u8.q, (Values{0, 254}));
  EXPECT_EQ(u8.counts.saturated, 0);
  // Not halved: 1.7e38 is half of what f32 holds.
  Quantized less =
      quantize("out=u8,group=2,scale=f32,zero=u8", {-1.7e38, 1.7e38});
  EXPECT_EQ(less.scale, Values{3.4e38f / 255.0f});
  Quantized half =
      quantize("out=i4,group=2,scale=f16,zero=i4", {-3.4e38, 3.4e38});
  EXPECT_EQ(half.scale, Values{65504});
  EXPECT_EQ(half.counts.saturated, 1);
}

TEST(Quantize, UnroundedDivisor) {
  // N27-like: codes from the unrounded scale differ from those of the stored.
  Values x = {1, 0.61};
  float exact = 1.0f / 7.0f;
  auto code = [&](double s) { return std::nearbyint(float(0.61f) / float(s)); };
  EXPECT_EQ(quantize("out=i4,group=2,scale=f16,divisor=unrounded", x).q[1],
            code(exact));
  // x halfway between codes of the stored scale 0x1.248p-3 alone.
  double stored = 0x1.248p-3;
  Values tie = {1, 4.5 * stored};
  ASSERT_EQ(quantize("out=i4,group=2,scale=f16", tie).scale[0], stored);
  EXPECT_EQ(quantize("out=i4,group=2,scale=f16", tie).q[1], 4);
  EXPECT_EQ(quantize("out=i4,group=2,scale=f16,divisor=unrounded", tie).q[1],
            std::nearbyint(float(tie[1]) / exact));
}

TEST(Quantize, Asymmetric) {
  // min <= 0 <= max; s = 255 / 255, zero = 0 - (-55).
  Quantized u8 =
      quantize("out=u8,group=4,scale=f32,zero=u8", {-55, 200, 0, 10.5});
  EXPECT_EQ(u8.scale, Values{1});
  EXPECT_EQ(u8.zero, Values{55});
  EXPECT_EQ(u8.q, (Values{0, 255, 55, 65})); // 10.5 is a tie: 10 + 55
  EXPECT_EQ(u8.y, (Values{-55, 200, 0, 10}));
  // All positive: the range still holds 0, exactly.
  Quantized positive = quantize("out=u4,group=2,scale=f32,zero=u4", {15, 3});
  EXPECT_EQ(positive.zero, Values{0});
  EXPECT_EQ(positive.q, (Values{15, 3}));
  Quantized zeros = quantize("out=i8,group=2,scale=f32,zero=i8", {0, 0});
  EXPECT_EQ(zeros.q, (Values{-128, -128})); // the zero point
  EXPECT_EQ(zeros.y, (Values{0, 0}));
}

TEST(Quantize, MxScaleRules) {
  // S4's worked table: scale byte and the dequantized block maximum.
  struct Case {
    const char *out, *rule;
    double amax;
    int byte;
    double back;
  };
  const Case cases[] = {
      {"f8E4M3FN", "floor", 957, 128, 896},
      {"f8E4M3FN", "rceil", 957, 129, 960},
      {"f8E4M3FN", "floor", 150, 126, 144},
      {"f8E4M3FN", "rceil", 150, 126, 144},
      {"f8E4M3FN", "ceil", 150, 127, 144},
      {"f8E4M3FN", "floor", 449, 127, 448},
      {"f8E4M3FN", "rceil", 449, 128, 448},
      {"f4E2M1FN", "floor", 7, 127, 6},
      {"f4E2M1FN", "even", 7, 128, 8},
      {"f4E2M1FN", "ceil", 7, 128, 8},
      {"f4E2M1FN", "rceil", 7, 128, 8},
      {"f4E2M1FN", "floor", 3.5, 126, 3},
      {"f4E2M1FN", "even", 3.5, 127, 4},
      {"f4E2M1FN", "rceil", 3.5, 127, 4},
      {"f8E5M2", "floor", 127.99999, 118, 112},
      {"f8E5M2", "rceil", 127.99999, 119, 128},
      {"f8E5M2", "even", 127.99999, 119, 128},
      {"f8E4M3FN", "floor", 1.9999999, 119, 1.75}, // N20 ao#4725
      {"f4E2M1FN", "floor", 7.9999995, 127, 6},    // N44 ggml
      {"f8E4M3FN", "floor", 1.0, 119, 1.0},        // N45 vllm#53110
      {"f8E4M3FN", "floor", 0x1p-149, 0, 0},       // below E8M0: 2^-127
  };
  for (const Case &c : cases) {
    Values x(32, 0);
    x[3] = -c.amax;
    Quantized mx = quantize(std::string("out=") + c.out +
                                ",group=32,scale=f8E8M0FNU,rule=" + c.rule,
                            x);
    EXPECT_EQ(mx.scale[0], std::ldexp(1, c.byte - 127))
        << c.out << " " << c.rule << " " << c.amax;
    EXPECT_EQ(-mx.y[3], c.back) << c.out << " " << c.rule << " " << c.amax;
  }
}

TEST(Quantize, ScalesWithGlobal) {
  // N47 Model-Optimizer#1397: a zero block among others stays zero.
  Values x(32, 0);
  x[20] = 6 * 448;
  Quantized nv = quantize("out=f4E2M1FN,group=16,scale=f8E4M3FN", x);
  EXPECT_EQ(nv.scale, (Values{0, 448}));
  EXPECT_EQ(nv.q[20], 6);
  EXPECT_EQ(nv.y[20], 6 * 448);
  EXPECT_EQ(nv.counts.zeroGroups, 1);
}

TEST(Quantize, ShortLastGroup) {
  // N40 bitsandbytes#1884: the last group's absmax is of what it has.
  Values x(65, 1);
  x[64] = -0.5;
  Quantized last = quantize("out=i8,group=64,scale=f32", x);
  EXPECT_EQ(last.scale, (Values{1 / 127.0f, 0.5f / 127.0f}));
  EXPECT_EQ(last.q[64], -127);
  // Group by group, by hand, for lengths around a group and around the
  // oracle's own chunks.
  for (int64_t g : {1, 2, 7, 8, 31, 100, 300, 2047, 2048, 2049, 5000})
    for (int64_t k : {g - 1, g, g + 1, 2 * g - 1}) {
      if (k < 1)
        continue;
      Values ramp;
      for (int64_t i = 0; i < k; ++i)
        ramp.push_back(double(i % 97) - 48.25);
      Quantized r =
          quantize("out=i8,group=" + std::to_string(g) + ",scale=f32", ramp);
      ASSERT_EQ(int64_t(r.scale.size()), (k + g - 1) / g);
      for (int64_t i = 0; i < k; ++i) {
        float amax = 0;
        for (int64_t j = i / g * g; j < std::min(k, i / g * g + g); ++j)
          amax = std::fmax(amax, std::fabs(float(ramp[size_t(j)])));
        float s = amax / 127.0f;
        ASSERT_EQ(r.scale[size_t(i / g)], s) << g << " " << k << " " << i;
        ASSERT_EQ(r.q[size_t(i)], std::nearbyint(float(ramp[size_t(i)]) / s))
            << g << " " << k << " " << i;
      }
    }
}

TEST(Dequantize, CodesAreSignedAndZeroPointsSubtractAsIntegers) {
  auto read = [](Format code, uint64_t q, std::optional<double> zero) {
    Tensor qs = tensorOf("q", code, {1, 1}, {0});
    qs.setBits(0, 0, q);
    Tensor scale = tensorOf("scale", Format::F32, {1, 1}, {1});
    Tensor zeros = tensorOf("zero", code, {1, 1}, {zero.value_or(0)});
    float y;
    oracle::Dequantizer({Group::Size, 32}, 1, qs, scale,
                        zero ? &zeros : nullptr, nullptr)
        .floats(0, 0, 1, &y);
    return y;
  };
  EXPECT_EQ(read(Format::I4, 0x8, std::nullopt), -8); // N61 tilelang#2490
  EXPECT_EQ(read(Format::I4, 0xF, std::nullopt), -1); // N35 jax#17672
  EXPECT_EQ(read(Format::U8, 0, 1), -1);              // N32 onnxruntime#32578
  EXPECT_EQ(read(Format::U4, 0, 15), -15);
  EXPECT_EQ(read(Format::I8, 0x80, 127), -255);
}

} // namespace
