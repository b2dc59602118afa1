// PublishedTest.cpp - casts that others got wrong, with their right values, and
// tables written by hand where no library is right: E8M0, Inf and NaN into
// formats without them, saturation.
//
// Each case names where it was reported (owner/repository#number).
#include "lib/Spec/Convert.h"
#include "test/Casts/CastKernel.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace labgen;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Codes that a cast gives for values of f64 or f32, all at once and one by one
/// in the tail.
void expectCodes(const std::string &in, const std::string &out,
                 const std::vector<std::pair<double, uint64_t>> &cases) {
  for (size_t n : {cases.size(), size_t(1), size_t(64)}) {
    std::string spec =
        "cast:n=" + std::to_string(n) + ",in=" + in + ",out=" + out;
    SCOPED_TRACE(spec);
    auto kernel = CastKernel::make(spec);
    ASSERT_TRUE(kernel);
    for (size_t first = 0; first < cases.size(); first += n) {
      auto at = [&](size_t i) { return cases[(first + i) % cases.size()]; };
      for (size_t i = 0; i < n; ++i) {
        Format format = kernel->spec().in;
        ASSERT_TRUE(decode(format, encode(format, at(i).first)) ==
                        at(i).first ||
                    at(i).first != at(i).first)
            << at(i).first << " is not a value of " << in;
        kernel->x().setBits(0, int64_t(i), encode(format, at(i).first));
      }
      ASSERT_TRUE(kernel->run());
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(kernel->y().bits(0, int64_t(i)), at(i).second)
            << std::hex << at(i).first;
    }
  }
}

/// Codes from raw bits.
void expectFromBits(const std::string &in, const std::string &out,
                    uint64_t bits, uint64_t want) {
  for (int64_t n : {1, 8, 64}) {
    std::string spec =
        "cast:n=" + std::to_string(n) + ",in=" + in + ",out=" + out;
    SCOPED_TRACE(spec);
    auto kernel = CastKernel::make(spec);
    ASSERT_TRUE(kernel);
    for (int64_t i = 0; i < n; ++i)
      kernel->x().setBits(0, i, bits);
    ASSERT_TRUE(kernel->run());
    for (int64_t i = 0; i < n; ++i)
      EXPECT_EQ(kernel->y().bits(0, i), want) << std::hex << bits;
  }
}

float next(float x) { return std::nextafter(x, HUGE_VALF); }

// triton-lang/triton#11753, #2583: f32 -> f16 -> fp8 rounds twice.
TEST(Published, OneRoundingToF8) {
  for (const char *in : {"f32", "f64"})
    expectCodes(in, "f8E4M3FN", {{1.0625001f, 0x39}, {-1.0625001f, 0xb9}});
  expectCodes("f32", "f8E5M2", {{next(1.125f), 0x3d}, {1.125f, 0x3c}});
}

// MLIR's float16 utilities, llvm/llvm-project#97896: f64 -> f32 -> bf16 rounds
// twice, and links only where a library happens to have the routine.
TEST(Published, OneRoundingFromF64) {
  expectCodes("f64", "bf16",
              {{1 + 0x1p-8 + 0x1p-40, 0x3f81},
               {1 + 0x1p-8, 0x3f80},
               {1 + 0x1p-8 - 0x1p-40, 0x3f80},
               {16842753, 0x4b81}, // arch-hdl-lang/arch-com#629
               {0x1p-134, 0x0000},
               {0x1p-134 + 0x1p-180, 0x0001}});
  expectCodes("f64", "f16",
              {{1 + 0x1p-11 + 0x1p-50, 0x3c01},
               {65519.999999999, 0x7bff},
               {65520, 0x7c00}});
  expectCodes("f64", "f8E4M3FN", {{464.00000000001, 0x7f}, {464, 0x7e}});
}

// arch-hdl-lang/arch-com#629: i32 -> f32 -> bf16 rounds twice.
TEST(Published, OneRoundingFromIntegers) {
  expectFromBits("i32", "bf16", 16842753, 0x4b81);
  expectFromBits("i32", "bf16", uint32_t(-16842753), 0xcb81);
}

// jax-ml/ml_dtypes#221, reported as a bug, is a tie to even.
TEST(Published, TiesToEven) {
  expectCodes("f32", "f8E4M3FN", {{4.25, 0x48}, {4.75, 0x4a}});
}

// jax-ml/ml_dtypes#260, #400; pytorch/ao#1912; pytorch/pytorch#178817:
// overflow is decided on the rounded value.
TEST(Published, OverflowOfRoundedValue) {
  expectCodes("f32", "f8E4M3FN", {{464, 0x7e}, {465, 0x7f}, {1e9f, 0x7f}});
  expectCodes("f32", "f8E4M3FN,overflow=saturate",
              {{464, 0x7e}, {465, 0x7e}, {1000, 0x7e}, {-1000, 0xfe}});
  expectCodes("f32", "f8E5M2", {{61439, 0x7b}, {61440, 0x7c}});
}

// The NaN of an overflow has no sign, as no other has.
TEST(Published, NaNOfOverflowHasNoSign) {
  expectCodes("f32", "f8E4M3FN", {{-465, 0x7f}, {-inf, 0x7f}, {-nan, 0x7f}});
  expectCodes("f64", "f8E4M3FN", {{-465, 0x7f}, {-inf, 0x7f}, {-nan, 0x7f}});
}

// microsoft/onnxruntime#18473, onnx/onnx#5764: -1e-8 became NaN.
TEST(Published, ZeroOfFnuzHasNoSign) {
  for (const char *out : {"f8E4M3FNUZ", "f8E5M2FNUZ"})
    expectCodes("f32", out, {{-1e-8f, 0x00}, {-0.0, 0x00}, {0, 0x00}});
}

// triton-lang/triton#10745, intel/intel-xpu-backend-for-triton#7771: codes that
// are no numbers read as numbers.
TEST(Published, ReservedCodes) {
  expectFromBits("f8E4M3FNUZ", "f16", 0x80, 0x7e00);
  expectFromBits("f8E5M2FNUZ", "f16", 0x80, 0x7e00);
  expectFromBits("f8E4M3FN", "bf16", 0x7f, 0x7fc0);
  expectFromBits("f8E5M2", "f32", 0x7c, 0x7f800000);
  expectFromBits("f8E5M2", "f32", 0xfc, 0xff800000);
}

// triton-lang/triton#7361, #7382; pytorch/pytorch#177870; paiml/aprender#2073:
// subnormals flushed, or wrong in some lanes.
TEST(Published, SubnormalsAreMade) {
  expectCodes("f32", "f8E5M2", {{0x1p-16, 0x01}, {0x1.8p-15, 0x03}});
  expectCodes("f32", "f8E4M3FN",
              {{0, 0},
               {0x1p-9, 1},
               {0, 0},
               {0x1p-10, 0},
               {0x1.8p-9, 2},
               {0x1.4p-8, 2},
               {0x1.cp-7, 7},
               {next(0x1p-10f), 1}});
  expectCodes("f32", "f16", {{0x1p-15, 0x0200}, {0x1p-24, 0x0001}});
}

// triton-lang/triton#7327: 1000 -> NaN where the largest was wanted.
TEST(Published, Saturation) {
  expectCodes("f32", "f8E4M3FN,overflow=saturate",
              {{1000, 0x7e}, {inf, 0x7e}, {-inf, 0xfe}, {nan, 0x7f}});
  expectCodes("f32", "f8E5M2,overflow=saturate",
              {{1e5f, 0x7b}, {inf, 0x7b}, {-inf, 0xfb}, {nan, 0x7e}});
  expectCodes("f32", "f8E4M3,overflow=saturate",
              {{248, 0x77}, {inf, 0x77}, {-inf, 0xf7}, {nan, 0x7c}});
  for (const char *out : {"f8E4M3FNUZ", "f8E5M2FNUZ"})
    expectCodes("f32", std::string(out) + ",overflow=saturate",
                {{1e6f, 0x7f}, {-1e6f, 0xff}, {inf, 0x7f}, {nan, 0x80}});
  expectCodes("f32", "f16,overflow=saturate",
              {{65520, 0x7bff}, {inf, 0x7bff}, {-inf, 0xfbff}, {nan, 0x7e00}});
  expectCodes("f32", "bf16,overflow=saturate",
              {{0x1.ffp127, 0x7f7f}, {inf, 0x7f7f}, {-inf, 0xff7f}});
  expectCodes("f64", "f32,overflow=saturate",
              {{1e300, 0x7f7fffff}, {-inf, 0xff7fffff}});
}

// dotnet/runtime#130583: a signalling NaN truncated to Inf.
TEST(Published, SignallingNaN) {
  expectFromBits("f32", "bf16", 0x7f800001, 0x7fc0);
  expectFromBits("f32", "bf16", 0xff800001, 0x7fc0);
  expectFromBits("f32", "f16", 0x7f800001, 0x7e00);
  expectFromBits("f64", "bf16", 0x7ff0000000000001, 0x7fc0);
  expectFromBits("f16", "f8E5M2", 0x7c01, 0x7e);
}

// tenstorrent/tt-metal#51971: the binade of subnormals, sticky bits.
TEST(Published, StickyBits) {
  expectCodes("f32", "f4E2M1FN", {{next(0.25f), 1}, {0.25, 0}, {-0.25, 8}});
}

// The same: 132 of 256 codes came back as others.
TEST(Published, EveryCodeComesBack) {
  for (auto [out, format] : {std::pair("f8E4M3FN", Format::F8E4M3FN),
                             std::pair("f4E2M1FN", Format::F4E2M1FN)}) {
    std::vector<std::pair<double, uint64_t>> cases;
    for (uint64_t code = 0; code < uint64_t(1) << info(format).bits; ++code)
      if (double value = decode(format, code); value == value)
        cases.push_back({value, code});
    expectCodes("f32", out, cases);
  }
}

// ROCm/aiter#3992 and MLIR 22's expansion: middles away from zero, sign of zero
// lost.
TEST(Published, MiddlesOfE2M1) {
  expectCodes("f32", "f4E2M1FN",
              {{0.25, 0},
               {0.75, 2},
               {1.25, 2},
               {1.75, 4},
               {2.5, 4},
               {3.5, 6},
               {5, 6},
               {-0.0, 8},
               {-0.25, 8},
               {-1.25, 10},
               {-5, 14}});
}

// Formats with neither Inf nor NaN; NaN -> 6 and 0 in MLIR 22 (folded or not).
TEST(Published, NoInfNoNaN) {
  expectCodes("f32", "f4E2M1FN",
              {{nan, 7}, {inf, 7}, {-inf, 15}, {7, 7}, {-100, 15}});
  expectCodes(
      "f32", "f6E2M3FN",
      {{nan, 0x1f}, {inf, 0x1f}, {-inf, 0x3f}, {7.75, 0x1f}, {-100, 0x3f}});
  expectCodes(
      "f32", "f6E3M2FN",
      {{nan, 0x1f}, {inf, 0x1f}, {-inf, 0x3f}, {30, 0x1f}, {-100, 0x3f}});
}

// jax-ml/ml_dtypes#398, llvm/llvm-project#215295: ties always up, or all
// truncated; signs dropped; zero has no code.
TEST(Published, E8M0) {
  for (const char *in : {"f32", "f64"}) {
    expectCodes(in, "f8E8M0FNU",
                {{1, 127},         {1.5, 128},       {1.6f, 128},
                 {3, 128},         {0.75, 126},      {6, 130},
                 {1.4f, 127},      {0x1p-127, 0},    {0x1p-149, 0},
                 {0x1.8p-127, 0},  {0x1.9p-127, 1},  {0x1p127, 254},
                 {0x1.7p127, 254}, {0x1.8p127, 254}, {0x1.800002p127, 255},
                 {0, 255},         {-0.0, 255},      {-2, 255},
                 {inf, 255},       {-inf, 255},      {nan, 255}});
    expectCodes(in, "f8E8M0FNU,overflow=saturate",
                {{0x1.8p127, 254}, {0x1.fp127, 254}, {inf, 255}, {0, 255}});
    expectCodes(in, "f8E8M0FNU,round=zero",
                {{1.9f, 127}, {3, 128}, {0x1.fp127, 254}, {0x1.fp-127, 0}});
    expectCodes(in, "f8E8M0FNU,round=away",
                {{1.5, 128}, {3, 129}, {0.75, 127}, {0x1.8p-127, 1}});
  }
}

// NVIDIA/TransformerEngine#3262, flashinfer-ai/flashinfer#4023,
// llvm/llvm-project#214919: byte 0 -> 0, byte FF -> Inf.
TEST(Published, E8M0IsRead) {
  expectFromBits("f8E8M0FNU", "f32", 0x00, 0x00400000);
  expectFromBits("f8E8M0FNU", "f32", 0xfe, 0x7f000000);
  expectFromBits("f8E8M0FNU", "f32", 0xff, 0x7fc00000);
  expectFromBits("f8E8M0FNU", "f64", 0x00, 0x3800000000000000);
  expectFromBits("f8E8M0FNU", "bf16", 0x00, 0x0040);
  expectFromBits("f8E8M0FNU", "f16", 0x00, 0x0000);
}

// NVIDIA/cutlass#1289, triton-lang/triton#4574: tf32 truncates.
TEST(Published, Tf32) {
  expectCodes("f32", "tf32",
              {{1 + 0x1p-11 + 0x1p-13, 0x3f802000}, {1 + 0x1p-11, 0x3f800000}});
  expectCodes("f32", "tf32,round=away", {{1 + 0x1p-11, 0x3f802000}});
  expectCodes("f32", "tf32,round=zero", {{1 + 0x1p-11 + 0x1p-13, 0x3f800000}});
}

// microsoft/onnxruntime#3442, vllm-project/vllm#45361, jax-ml/jax#17672,
// tile-ai/tilelang#2490: integers.
TEST(Published, Integers) {
  expectCodes("f32", "i8",
              {{-128, 0x80},
               {-129, 0x80},
               {127.5, 0x7f},
               {2.5, 2},
               {1.9f, 2},
               {-2.5, 0xfe},
               {nan, 0},
               {inf, 0x7f},
               {-inf, 0x80},
               {-0.0, 0}});
  expectCodes("f32", "u8",
              {{-1, 0}, {255.5, 0xff}, {254.5, 0xfe}, {nan, 0}, {1e30f, 0xff}});
  expectCodes("f32", "i4",
              {{-8, 8}, {-9, 8}, {7.5, 7}, {-0.5, 0}, {-1.5, 0xe}, {nan, 0}});
  expectCodes("f32", "u4",
              {{15.5, 15}, {0.5, 0}, {1.5, 2}, {-3, 0}, {inf, 15}});
  expectCodes("f32", "i8,round=away", {{2.5, 3}, {-2.5, 0xfd}});
  expectCodes("f32", "i8,round=zero", {{2.9f, 2}, {-2.9f, 0xfe}});
  expectFromBits("i4", "i8", 0xf, 0xff);
  expectFromBits("i4", "i8", 0x8, 0xf8);
  expectFromBits("i4", "f32", 0x8, 0xc1000000);
  expectFromBits("i8", "u4", 0xff, 0);
}

// IEEE 754-2019 7.4: rounded towards zero a finite value stays finite; Inf goes
// where it always goes.
TEST(Published, TowardsZeroStopsAtTheLargest) {
  for (const char *in : {"f32", "f64"}) {
    expectCodes(in, "f16,round=zero",
                {{65520, 0x7bff},
                 {65536, 0x7bff},
                 {-70000, 0xfbff},
                 {inf, 0x7c00},
                 {-inf, 0xfc00},
                 {nan, 0x7e00}});
    expectCodes(in, "f8E4M3FN,round=zero",
                {{480, 0x7e}, {-1e30f, 0xfe}, {inf, 0x7f}, {-inf, 0x7f}});
    expectCodes(in, "f8E5M2,round=zero,nan=max",
                {{65536, 0x7b}, {-inf, 0xfc}, {nan, 0x7b}});
    expectCodes(in, "f8E4M3FNUZ,round=zero",
                {{256, 0x7f}, {-1e30f, 0xff}, {inf, 0x80}, {-inf, 0x80}});
  }
  expectCodes("f64", "f32,round=zero",
              {{1e300, 0x7f7fffff},
               {-0x1p128, 0xff7fffff},
               {inf, 0x7f800000},
               {nan, 0x7fc00000}});
  expectCodes("f64", "bf16,round=zero", {{1e300, 0x7f7f}, {-inf, 0xff80}});
  expectCodes("f64", "f8E8M0FNU,round=zero", {{1e300, 254}, {inf, 255}});
  expectCodes("i32", "f16,round=zero", {{70000, 0x7bff}, {-70000, 0xfbff}});
}

// AMD's codes against OCP's: the same byte is half the value, so they convert,
// not copy (vllm-project/vllm#31713, sgl-project/sglang#35111).
TEST(Published, FnToFnuz) {
  expectFromBits("f8E4M3FN", "f8E4M3FNUZ", 0x38, 0x40);
  expectFromBits("f8E4M3FN", "f8E4M3FNUZ", 0x80, 0x00);
  expectFromBits("f8E4M3FN", "f8E4M3FNUZ", 0x7f, 0x80);
  expectFromBits("f8E4M3FN", "f8E4M3FNUZ", 0xff, 0x80);
  expectFromBits("f8E4M3FN", "f8E4M3FNUZ,overflow=saturate", 0x7e, 0x7f);
}

} // namespace
