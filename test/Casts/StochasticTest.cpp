// StochasticTest.cpp - stochastic rounding through compiled kernels: which
// words decide, which way, and that the mean is right.
//
// The expectation is made here from the contract's sentence: the code towards
// zero, or the next one where the element's word is below 2^32 times the
// fraction between the two. Reported wrong elsewhere: words misaligned with the
// fraction (uxlfoundation/oneDNN#2903), a carry lost at all ones
// (ROCm/llvm-project#3275), bias by too few random bits
// (graphcore-research/gfloat#36).
#include "runtime/core/Philox.h"
#include "test/Casts/Cases.h"
#include "test/Casts/CastKernel.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace labgen;

namespace {

uint32_t word(uint64_t seed, uint64_t flat) { return philox(seed, flat, 0).w0; }

std::string specOf(Format in, Format out, int64_t n, const std::string &rest) {
  return "cast:n=" + std::to_string(n) + ",in=" + std::string(name(in)) +
         ",out=" + std::string(name(out)) + ",round=stochastic" + rest;
}

/// The code of a finite value by comparing with its two neighbours in `out`;
/// nothing where it has not two.
std::optional<uint64_t> codeBetween(Format out, double value, uint32_t random) {
  const FormatInfo &row = info(out);
  if (!std::isfinite(value) || out == Format::F8E8M0FNU)
    return std::nullopt;
  uint64_t low = encode(out, value, {Rounding::Zero});
  double below = decode(out, low);
  bool negative = std::signbit(value);
  if (std::fabs(value) >= row.max || (negative && row.min == 0))
    return std::nullopt;
  if (below == value)
    return low;
  // (tf32 has 13 bits below its last place.)
  uint64_t place = uint64_t(1)
                   << (row.storageBits > row.bits ? row.storageBits - row.bits
                                                  : 0);
  uint64_t high = isInteger(out) && negative ? low - place : low + place;
  if (isInteger(out))
    high &= (uint64_t(1) << row.bits) - 1;
  else if (negative && below == 0) // FNUZ has no -0 to start from
    high = (uint64_t(1) << (row.storageBits - 1)) | place;
  double fraction = (value - below) / (decode(out, high) - below);
  return random < std::floor(fraction * 0x1p32) ? high : low;
}

void checkCast(Format in, Format out, const std::vector<uint64_t> &inputs,
               const std::string &target = "cpu:native") {
  constexpr uint64_t seed = 0x123456789abcdef;
  // More than one work unit, vectors one by one and a tail.
  constexpr int64_t n = (1 << 15) + 16 + 5;
  auto kernel = CastKernel::make(
      specOf(in, out, n, ",seed=" + std::to_string(seed)), target);
  ASSERT_TRUE(kernel);
  const KernelSpec &spec = kernel->spec();
  size_t step = std::max<size_t>(inputs.size() / 60000, 1);
  for (size_t begin = 0; begin < inputs.size(); begin += size_t(n) * step) {
    auto input = [&](int64_t i) {
      return inputs[(begin + size_t(i) * step) % inputs.size()];
    };
    for (int64_t i = 0; i < n; ++i)
      kernel->x().setBits(0, i, input(i));
    ASSERT_TRUE(kernel->run());
    for (int64_t i = 0; i < n; ++i) {
      double value = decode(in, input(i));
      uint32_t random = word(seed, uint64_t(i));
      uint64_t got = kernel->y().bits(0, i);
      uint64_t want =
          encode(out, value, {spec.round, spec.overflow, spec.nan, random});
      bool bothNaN = std::isnan(decode(out, want)) &&
                     std::isnan(decode(out, got)) && info(out).bits >= 32;
      ASSERT_TRUE(got == want || bothNaN)
          << spec.str() << " [" << i << "]: " << value << " gave " << got
          << ", not " << want;
      if (auto between = codeBetween(out, value, random))
        ASSERT_EQ(got, *between) << spec.str() << ": " << value;
    }
  }
}

TEST(Stochastic, EveryTarget) {
  for (Format out : castFormats()) {
    checkCast(Format::F32, out, edgeFloats(out));
    checkCast(Format::F64, out, edgeDoubles(out));
  }
}

TEST(Stochastic, EveryTargetForAvx2) {
  for (Format out : castFormats())
    checkCast(Format::F32, out, edgeFloats(out), "cpu:x86-64-v3");
}

TEST(Stochastic, OtherSources) {
  for (Format out :
       {Format::BF16, Format::F8E5M2, Format::F4E2M1FN, Format::I8}) {
    checkCast(Format::I32, out, edgeIntegers(out));
    checkCast(Format::F16, out, allCodes(Format::F16));
  }
}

// Random123's kat_vectors, philox4x32 10: counter and key 0 give 0x6627e8d5.
TEST(Stochastic, FirstWordIsPhiloxs) {
  constexpr double published = 0x6627e8d5;
  auto kernel =
      CastKernel::make("cast:n=1,in=f64,out=i32,round=stochastic,seed=0");
  ASSERT_TRUE(kernel);
  for (double above : {0.0, 1.0}) {
    double value = 7 + (published + above) * 0x1p-32;
    std::memcpy(kernel->x().data(), &value, sizeof value);
    ASSERT_TRUE(kernel->run());
    EXPECT_EQ(kernel->y().bits(0, 0), above ? 8u : 7u);
  }
}

/// Share of n casts of `value` that went up.
double shareUp(const std::string &out, double value, uint64_t up, int64_t n) {
  auto kernel =
      CastKernel::make("cast:n=" + std::to_string(n) + ",in=f32,out=" + out +
                       ",round=stochastic,seed=11");
  if (!kernel)
    return -1;
  for (int64_t i = 0; i < n; ++i)
    kernel->x().setBits(0, i, encode(Format::F32, value));
  if (!kernel->run())
    return -1;
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i)
    count += kernel->y().bits(0, i) == up;
  return double(count) / double(n);
}

TEST(Stochastic, MeanIsTheValue) {
  constexpr int64_t n = 1 << 20;
  struct Case {
    const char *out;
    double value;
    uint64_t up;
    double share;
  };
  const Case cases[] = {
      {"f8E5M2", 0x1.2p-14, 0x05, 0.5}, // oneDNN#2903
      {"f8E4M3FN", 0x1.1p0, 0x39, 0.5},
      {"f8E4M3FN", 0x1.fp0, 0x40, 0.5},  // carries into the next binade
      {"f8E4M3FN", 0x1p-11, 0x01, 0.25}, // below the smallest subnormal
      {"f8E4M3FN", 0x1.f8p0, 0x40, 0.75},
      {"i8", -2.125, 0xfd, 0.125},
      {"bf16", 1 + 0x1p-17, 0x3f81, 0x1p-10},
  };
  for (const Case &c : cases) {
    // Five standard deviations of a binomial share.
    double slack = 5 * std::sqrt(c.share * (1 - c.share) / double(n));
    EXPECT_NEAR(shareUp(c.out, c.value, c.up, n), c.share, slack)
        << c.value << " to " << c.out;
  }
}

} // namespace
