// QuantizeBoundTest.cpp - quantizers emulated in f32 stay within the bound, and
// come near it.
#include "lib/Spec/Bound.h"
#include "lib/Spec/Convert.h"
#include "lib/Spec/ops/Quantize.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace labgen;

namespace {

KernelSpec parsed(const std::string &keys) {
  Result<KernelSpec> spec =
      KernelSpec::parse("quantize:m=1,k=32,in=f32," + keys);
  EXPECT_TRUE(spec) << keys << ": " << spec.status().message();
  return spec ? *spec : KernelSpec();
}

/// One group through quantize and dequantize, f32 throughout; the largest
/// error over the bound.
struct Quantizer {
  const KernelSpec &spec;

  double narrowed(float scale) const {
    return roundTo(*spec.scale, scale, {Rounding::Even, Overflow::Saturate});
  }
  double mxScale(float amax) const {
    int top = std::ilogb(info(spec.out).max), floor = std::ilogb(amax);
    double max = info(spec.out).max;
    int e = floor - top;
    if (spec.rule == ScaleRule::RCeil)
      e = int(std::ceil(std::log2(double(amax) / max)));
    else if (spec.rule == ScaleRule::Ceil)
      e = int(std::ceil(std::log2(double(amax)))) - top;
    else if (spec.rule == ScaleRule::Even)
      e = std::ilogb(amax + std::ldexp(1.0, floor) * unitRoundoff(spec.out)) -
          top;
    return std::ldexp(1.0, std::clamp(e, -127, 127));
  }
  double code(float quotient, uint32_t random) const {
    EncodeRules rules{spec.round, Overflow::Saturate, NanRule::Propagate,
                      random};
    double c = roundTo(spec.out, quotient, rules);
    if (isInteger(spec.out) && spec.range == IntRange::Narrow && !spec.zero)
      c = std::max(c, -info(spec.out).max);
    return c;
  }

  double worst(const std::vector<float> &x, std::mt19937_64 &random) const {
    float amax = 0, low = 0, high = 0;
    for (float v : x) {
      amax = std::max(amax, std::fabs(v));
      low = std::min(low, v);
      high = std::max(high, v);
    }
    const FormatInfo &out = info(spec.out);
    float divisor = float(out.max);
    if (isInteger(spec.out) && spec.range == IntRange::Full)
      divisor += 0.5f;
    float exact =
        spec.zero ? (high - low) / float(out.max - out.min) : amax / divisor;
    double scale =
        *spec.scale == Format::F8E8M0FNU ? mxScale(amax) : narrowed(exact);
    float s = spec.divisor == Divisor::Unrounded ? exact : float(scale);
    double zero = 0;
    if (spec.zero && scale != 0)
      zero = std::clamp(std::nearbyint(double(float(out.min) - low / s)),
                        out.min, out.max);
    double bound = quantizeBound(spec, amax, scale), ratio = 0;
    bool multiplies =
        spec.inverse == Inverse::Reciprocal && std::isfinite(1 / s);
    for (float v : x) {
      float quotient = multiplies ? v * (1 / s) : v / s;
      double c = code(quotient, uint32_t(random()));
      if (spec.zero) {
        EncodeRules rules{spec.round, Overflow::Saturate, NanRule::Max,
                          uint32_t(random())};
        double rounded = roundTo(Format::I32, quotient, rules);
        c = std::clamp(rounded + zero, out.min, out.max) - zero;
      }
      if (scale == 0)
        c = 0;
      double back = double(float(c) * float(scale));
      double error = std::fabs(double(v) - back);
      EXPECT_LE(error, bound) << spec.str() << " x " << v << " amax " << amax
                              << " scale " << scale << " code " << c;
      if (bound > 0)
        ratio = std::max(ratio, error / bound);
    }
    return ratio;
  }
};

const char *const settings[] = {
    "out=i8,group=32,scale=f32",
    "out=i8,group=32,scale=f16",
    "out=i8,group=32,scale=bf16",
    "out=i4,group=32,scale=f16",
    "out=i8,group=32,scale=f32,range=full",
    "out=i4,group=32,scale=bf16,range=full",
    "out=i8,group=32,scale=f32,round=away",
    "out=i8,group=32,scale=f32,round=zero",
    "out=i4,group=32,scale=f32,round=stochastic,seed=1",
    "out=i8,group=32,scale=f16,round=away,inverse=reciprocal,divisor=unrounded",
    "out=i8,group=32,scale=bf16,divisor=unrounded",
    "out=i8,group=32,scale=f32,inverse=reciprocal",
    "out=i8,group=32,scale=f32,zero=i8",
    "out=u8,group=32,scale=f16,zero=u8",
    "out=u4,group=32,scale=bf16,zero=u4",
    "out=u4,group=32,scale=f16,zero=u4,divisor=unrounded",
    "out=u4,group=32,scale=f32,zero=u4,round=zero",
    "out=e4m3fn,group=32,scale=f32",
    "out=e5m2,group=32,scale=f16",
    "out=e2m1,group=32,scale=bf16",
    "out=f6E3M2FN,group=32,scale=f32,round=zero",
    "out=f8E4M3FNUZ,group=32,scale=bf16,divisor=unrounded",
    "out=e4m3fn,group=32,scale=e8m0",
    "out=e2m1,group=32,scale=e8m0,rule=rceil",
    "out=f6E2M3FN,group=32,scale=e8m0,rule=ceil",
    "out=e2m1,group=32,scale=e8m0,rule=even",
    "out=e5m2,group=32,scale=e8m0,inverse=reciprocal",
};

TEST(QuantizeBound, EmulatedQuantizersStayWithinAndComeNear) {
  std::mt19937_64 random(5);
  auto uniform = [&] {
    return std::ldexp(double(int64_t(random())), -63); // -1..1
  };
  for (const char *setting : settings) {
    KernelSpec spec = parsed(setting);
    double ratio = 0;
    for (int trial = 0; trial < 600; ++trial) {
      // Usual sizes; every third anywhere in f32, f16's limits among them.
      int exponent = trial % 3 ? 0 : int(random() % 250) - 126;
      std::vector<float> x;
      for (int i = 0; i < 32; ++i)
        x.push_back(float(std::ldexp(uniform(), exponent)));
      if (trial % 2) // skewed, for zero points
        for (float &v : x)
          v = std::fabs(v) + 0.2f * float(uniform()) * std::fabs(v);
      ratio = std::max(ratio, Quantizer{spec}.worst(x, random));
    }
    EXPECT_GT(ratio, 0.8) << setting;
  }
}

TEST(QuantizeBound, SubnormalAndHugeGroups) {
  std::mt19937_64 random(6);
  for (const char *setting : settings) {
    KernelSpec spec = parsed(setting);
    for (float size : {FLT_TRUE_MIN, 100 * FLT_TRUE_MIN, FLT_MIN, 1e-37f, 1e-9f,
                       8e6f, 9e6f, 1e30f, FLT_MAX / 2}) {
      std::vector<float> x;
      for (int i = 0; i < 32; ++i)
        x.push_back(size * float(std::ldexp(double(int64_t(random())), -63)));
      x.push_back(size);
      Quantizer{spec}.worst(x, random);
    }
  }
}

TEST(QuantizeBound, HalfAStep) {
  KernelSpec spec = parsed("out=i8,group=32,scale=f32");
  EXPECT_NEAR(quantizeBound(spec, 127, 1), 0.5, 1e-4);
  // The scale was stored too small, say: 127 steps of it are not amax.
  EXPECT_NEAR(quantizeBound(spec, 127, 0.9), 127 - 0.9 * 127, 1e-4);
  // Codes of two steps off are outside.
  EXPECT_LT(quantizeBound(spec, 127, 1), 1);
}

TEST(QuantizeBound, GroupsWithoutScale) {
  KernelSpec spec = parsed("out=i8,group=32,scale=f16");
  EXPECT_EQ(quantizeBound(spec, 0, 0), 0);
  EXPECT_EQ(quantizeBound(spec, 1e-9, 0), 1e-9); // underflow: all codes 0
  EXPECT_TRUE(std::isnan(quantizeBound(spec, NAN, NAN)));
  EXPECT_TRUE(std::isnan(quantizeBound(spec, INFINITY, NAN)));
}

} // namespace
