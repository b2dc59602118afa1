// CostTest.cpp - bytes, FLOPs and bits per weight against figures worked out by
// hand and published ones.
#include "lib/Spec/Cost.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

Cost costOf(std::string_view text) {
  Result<KernelSpec> spec = KernelSpec::parse(text);
  EXPECT_TRUE(spec) << text << ": " << spec.status().message();
  return spec ? cost(*spec) : Cost();
}

void expectCost(std::string_view text, int64_t read, int64_t written,
                int64_t flops) {
  Cost c = costOf(text);
  EXPECT_EQ(c.bytesRead, read) << text;
  EXPECT_EQ(c.bytesWritten, written) << text;
  EXPECT_EQ(c.flops, flops) << text;
}

TEST(Cost, BytesAndFlops) {
  // 64 x 256 f32; codes and 64 x 8 f16 scales.
  expectCost("quantize:m=64,k=256,in=f32,out=i8,group=32,scale=f16", 65536,
             16384 + 1024, 4 * 16384);
  // Rows of 5 i4 codes are 3 bytes, 3 groups of 2; zero points are packed too.
  expectCost("quantize:m=3,k=5,in=bf16,out=i4,group=2,scale=f32,zero=i4", 30,
             9 + 36 + 6, 5 * 15);
  expectCost("quantize:m=2,k=32,in=f32,out=e2m1,group=16,scale=e4m3fn", 256,
             32 + 4 + 4, 4 * 64);
  expectCost("dequantize:m=64,k=256,in=i8,out=f32,group=channel,scale=f32",
             16384 + 256, 65536, 16384);
  expectCost("dequantize:m=2,k=4,in=u8,out=f16,group=tensor,scale=f16,zero=u8",
             8 + 2 + 1, 16, 16);
  expectCost("cast:n=7,in=f32,out=f6E2M3FN", 28, 6, 7);
  expectCost("exp:n=10,in=f16,out=f32", 20, 40, 200);
  // alpha counts; y is read and written.
  expectCost("axpy:n=1000,type=f32", 4 + 8000, 4000, 2000);
  expectCost("reduce:n=1000,type=f16,kind=sum", 2000, 4, 1000);
  expectCost("reduce:n=1000,type=f64,kind=dot", 16000, 8, 2000);
  expectCost("reduce:n=1000,type=f32,kind=sumsq", 4000, 4, 2000);
  expectCost("reduce:n=1000,type=f32,kind=absmax", 4000, 4, 1000);
  expectCost("gemm:m=2,n=3,k=5,a=f32,b=f32", 40 + 60, 24, 60);
  expectCost("gemm:m=2,n=3,k=5,a=f32,b=f32,accumulate=yes", 40 + 60 + 24, 24,
             60);
  expectCost("gemm:m=1,n=4096,k=14336,a=f32,b=i8,group=32,scale=f16,compute=i8",
             57344 + 58720256 + 2 * 4096 * 448, 16384, 117440512);
}

TEST(Cost, EmptyLabs) {
  expectCost("axpy:n=0,type=f32", 4, 0, 0);
  expectCost("gemm:m=3,n=4,k=0,a=f32,b=f32", 0, 48, 0);
  expectCost("gemm:m=0,n=4,k=5,a=f32,b=f32", 80, 0, 0);
  Cost empty = costOf("quantize:m=0,k=5,in=f32,out=i8,group=channel,scale=f32");
  EXPECT_EQ(empty.bytes(), 0);
  EXPECT_EQ(empty.bitsPerWeight, std::nullopt);
  EXPECT_EQ(empty.intensity(), 0);
}

TEST(Cost, BitsPerWeight) {
  auto bits = [](const std::string &codes) {
    std::string sizes = "m=64,k=1024,";
    double quantized = costOf("quantize:" + sizes + "in=f32,out=" + codes)
                           .bitsPerWeight.value();
    double dequantized = costOf("dequantize:" + sizes + "out=f32,in=" + codes)
                             .bitsPerWeight.value();
    double gemm =
        costOf("gemm:m=3,n=64,k=1024,a=f32,b=" + codes).bitsPerWeight.value();
    EXPECT_EQ(quantized, dequantized);
    EXPECT_EQ(quantized, gemm);
    return quantized;
  };
  EXPECT_EQ(bits("i8,group=32,scale=f16"), 8.5); // Q8_0
  EXPECT_EQ(bits("i4,group=32,scale=f16"), 4.5); // Q4_0
  EXPECT_EQ(bits("i4,group=64,scale=f16"), 4.25);
  EXPECT_EQ(bits("i8,group=128,scale=f16"), 8.125);
  EXPECT_EQ(bits("i4,group=128,scale=f16"), 4.125);
  EXPECT_EQ(bits("u4,group=128,scale=f16,zero=u4"), 4.15625);
  EXPECT_EQ(bits("e2m1,group=32,scale=e8m0"), 4.25);   // MXFP4
  EXPECT_EQ(bits("e4m3fn,group=32,scale=e8m0"), 8.25); // MXFP8
  EXPECT_EQ(bits("f6E2M3FN,group=32,scale=e8m0"), 6.25);
  // NVFP4, and one f32 for the tensor.
  EXPECT_EQ(bits("e2m1,group=16,scale=e4m3fn"), 4.5 + 32.0 / 65536);
}

TEST(Cost, LabsWithoutScaledCodesHaveNoBitsPerWeight) {
  for (const char *text :
       {"axpy:n=5,type=f32", "cast:n=5,in=f32,out=i8",
        "gemm:m=1,n=1,k=1,a=i8,b=i8", "gemm:m=1,n=1,k=1,a=f32,b=f32"})
    EXPECT_EQ(costOf(text).bitsPerWeight, std::nullopt) << text;
}

TEST(Cost, CountsThatDoNotFitAreToldApart) {
  auto spec = [](int64_t m, int64_t n, int64_t k) {
    KernelSpec s;
    s.op = Op::Gemm;
    s.m = m, s.n = n, s.k = k;
    return s;
  };
  int64_t huge = int64_t(1) << 40;
  EXPECT_TRUE(checkCounts(spec(1 << 20, 1 << 20, 1 << 20)));
  EXPECT_FALSE(checkCounts(spec(1 << 21, 1 << 21, 1 << 20)));
  EXPECT_FALSE(checkCounts(spec(huge, huge, 0)));
  EXPECT_TRUE(checkCounts(spec(huge, 0, 1)));
  EXPECT_TRUE(checkCounts(spec(INT64_MAX, 0, 0)));
  // A product that wraps to a small number is no small lab.
  EXPECT_FALSE(checkCounts(spec(int64_t(1) << 32, 1, int64_t(1) << 32)));
}

} // namespace
