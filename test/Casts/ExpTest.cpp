// ExpTest.cpp - exp against the C library's in f64: within one ulp of f32 for
// every f32, and other formats as one cast of that result.
#include "test/Casts/Cases.h"
#include "test/Casts/CastKernel.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace labgen;

namespace {

constexpr int64_t chunkLength = (1 << 16) + 45;

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// |got - e^x| in places of the f32 next to e^x; NaN when one of them is.
double ulps(float got, double exact) {
  float nearest = float(exact);
  if (std::isinf(nearest) || std::isinf(got))
    return got == nearest ? 0 : 2;
  double place = std::ldexp(
      1.0, std::max(exact > 0 ? std::ilogb(exact) : -200, -126) - 23);
  return std::fabs(got - exact) / place;
}

/// Every `step`th f32 from `first`.
void checkEvery(uint64_t step, uint64_t first) {
  auto kernel = CastKernel::make("exp:n=" + std::to_string(chunkLength) +
                                 ",in=f32,out=f32");
  ASSERT_TRUE(kernel);
  float *x = kernel->x().as<float>(), *y = kernel->y().as<float>();
  double most = 0;
  for (uint64_t at = first; at < uint64_t(1) << 32; at += step * chunkLength) {
    for (int64_t i = 0; i < chunkLength; ++i)
      x[i] = floatOf(uint32_t(at + step * uint64_t(i)));
    ASSERT_TRUE(kernel->run());
    for (int64_t i = 0; i < chunkLength; ++i) {
      if (std::isnan(x[i])) {
        ASSERT_TRUE(std::isnan(y[i])) << x[i];
        continue;
      }
      // Far out nothing depends on x; the library is slow there.
      double exact = x[i] > 100    ? HUGE_VAL
                     : x[i] < -200 ? 0
                                   : std::exp(double(x[i]));
      double error = ulps(y[i], exact);
      ASSERT_LE(error, 1) << std::hexfloat << x[i] << " gave " << y[i];
      most = std::max(most, error);
    }
  }
  std::printf("exp: at most %.4f ulp\n", most);
}

TEST(Exp, SampleIsWithinOneUlp) { checkEvery(101, 17); }
TEST(Exp, EveryFloatIsWithinOneUlp) { checkEvery(1, 0); }

TEST(Exp, Edges) {
  const std::pair<float, float> cases[] = {
      {0.0f, 1.0f},
      {-0.0f, 1.0f},
      {HUGE_VALF, HUGE_VALF},
      {-HUGE_VALF, 0.0f},
      {1e-30f, 1.0f},
      {-0x1p-149f, 1.0f},
      {88.72283f, 3.4027986e38f},
      {88.72284f, HUGE_VALF},
      {-104.0f, 0.0f},
      {-103.97207f, 0x1p-149f},
      {1e30f, HUGE_VALF},
      {-1e30f, 0.0f},
  };
  auto kernel = CastKernel::make("exp:n=64,in=f32,out=f32");
  ASSERT_TRUE(kernel);
  for (int64_t i = 0; i < 64; ++i)
    kernel->x().as<float>()[i] = cases[size_t(i) % std::size(cases)].first;
  ASSERT_TRUE(kernel->run());
  for (int64_t i = 0; i < 64; ++i) {
    auto [x, want] = cases[size_t(i) % std::size(cases)];
    float got = kernel->y().as<float>()[i];
    bool exact = want == 0 || want == 1 || std::isinf(want);
    if (exact)
      EXPECT_EQ(got, want) << x;
    else
      EXPECT_LE(ulps(got, std::exp(double(x))), 1) << x;
    EXPECT_FALSE(std::signbit(got)) << x;
  }
}

/// The f32 result, cast once by the default rules, from and to every format.
/// An even length: of two packed operands alone the ops see whole codes.
void checkCastOf(Format in, Format out) {
  constexpr int64_t n = 4 * 64 + 16 + 4;
  auto spec = [&](Format to) {
    return "exp:n=" + std::to_string(n) + ",in=" + std::string(name(in)) +
           ",out=" + std::string(name(to));
  };
  auto plain = CastKernel::make(spec(Format::F32));
  auto cast = CastKernel::make(spec(out));
  ASSERT_TRUE(plain && cast);
  EncodeRules rules;
  rules.overflow = defaultOverflow(out);
  rules.nan = defaultNanRule(out);
  bool wide = info(in).bits > 16;
  uint64_t codes = uint64_t(1) << info(in).bits;
  int64_t pieces = wide ? 40 : int64_t(codes) / n + 1;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    for (int64_t i = 0; i < n; ++i) {
      uint64_t at = uint64_t(piece * n + i);
      // Of f32 what e^x is a number for: from 2^-10 on, both signs.
      uint64_t bits =
          wide ? 0x3a800000 + at * 12799 + (at % 2 << 31) : at % codes;
      plain->x().setBits(0, i, bits);
      cast->x().setBits(0, i, bits);
    }
    ASSERT_TRUE(plain->run() && cast->run());
    for (int64_t i = 0; i < n; ++i) {
      double value = plain->y().value(0, i);
      bool bothNaN = std::isnan(value) && out == Format::F32 &&
                     std::isnan(cast->y().value(0, i));
      uint64_t got = cast->y().bits(0, i);
      ASSERT_TRUE(bothNaN || got == encode(out, value, rules))
          << cast->spec().str() << ": " << value << " gave " << got;
    }
  }
}

TEST(Exp, OtherFormats) {
  for (Format in : castFormats())
    for (Format out : castFormats()) {
      bool legal = isFloat(in) && isFloat(out) && in != Format::F64 &&
                   out != Format::F64;
      if (legal && (in == Format::F32 || in == Format::F8E4M3FN ||
                    in == Format::F4E2M1FN || out == Format::F32))
        checkCastOf(in, out);
    }
}

/// Lanes beyond the end hold e^0, which must not reach the pad bits.
TEST(Exp, PadBitsAreZero) {
  for (const char *out : {"f4E2M1FN", "f6E2M3FN", "f6E3M2FN"})
    for (int n : {1, 2, 3, 5, 17, 277}) {
      auto kernel =
          CastKernel::make("exp:n=" + std::to_string(n) + ",in=f32,out=" + out);
      ASSERT_TRUE(kernel);
      EXPECT_TRUE(kernel->run());
    }
}

/// Both sides packed: the bytes hold more codes than there are elements.
TEST(Exp, BetweenPackedFormats) {
  for (const char *in : {"f4E2M1FN", "f6E3M2FN"})
    for (const char *out : {"f4E2M1FN", "f6E2M3FN"})
      for (int n : {1, 3, 5, 277, 40003}) {
        auto kernel = CastKernel::make("exp:n=" + std::to_string(n) +
                                       ",in=" + in + ",out=" + out);
        ASSERT_TRUE(kernel);
        EXPECT_TRUE(kernel->run()); // of zeros: e^0 = 1
        for (int64_t i = 0; i < n; ++i)
          ASSERT_EQ(kernel->y().value(0, i), 1.0) << i;
      }
}

} // namespace
