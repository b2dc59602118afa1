// RowRoofTest.cpp - what may bound a row, and what is too good to be true.
#include "runtime/measure/RowRoof.h"
#include "lib/Host/CpuInfo.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

Row rowAt(double gbps, double gflops) {
  Row row;
  row.gbps = gbps;
  row.gflops = gflops;
  // The fastest unit would do ten times what the code's instructions can.
  row.roof = RowRoof{10.0, 1000.0, "measured", "avx512_bf16", 100.0, "avx2"};
  return row;
}

TEST(AboveRoof, TenPercentAboveIsStillAtTheRoof) {
  EXPECT_EQ(aboveRoof(rowAt(5, 5)), "");
  EXPECT_EQ(aboveRoof(rowAt(10.99, 109.9)), "");
  EXPECT_NE(aboveRoof(rowAt(11.01, 5)), "");
  EXPECT_NE(aboveRoof(rowAt(5, 110.1)), "");
}

TEST(AboveRoof, SaysByHowMuch) {
  std::string text = aboveRoof(rowAt(15, 5));
  EXPECT_NE(text.find("15 GB/s is 150% of the roof of 10 GB/s"),
            std::string::npos)
      << text;
  EXPECT_NE(aboveRoof(rowAt(5, 150)).find("GFLOP/s"), std::string::npos);
}

TEST(AboveRoof, WithoutARoofThereIsNoVerdict) {
  Row row = rowAt(1e9, 1e9);
  row.roof.reset();
  EXPECT_EQ(aboveRoof(row), "");
  row.roof = RowRoof();
  EXPECT_EQ(aboveRoof(row), "");
}

KernelSpec spec(const std::string &text) {
  Result<KernelSpec> parsed = KernelSpec::parse(text);
  EXPECT_TRUE(parsed);
  return *parsed;
}

TEST(RoofBeside, UsesTheKernelsIsa) {
  KernelSpec axpy = spec("axpy:n=4096,type=f32");
  Result<RowRoof> baseline = roofBeside(axpy, {}, 1, false);
  ASSERT_TRUE(baseline);
  EXPECT_EQ(baseline->codeIsa, "sse2");
  EXPECT_EQ(baseline->source, "measured");
  EXPECT_GT(*baseline->gbps, 0);
  EXPECT_GT(*baseline->gflops, 0);

  Result<RowRoof> widest = roofBeside(axpy, hostCpu().features, 1, false);
  ASSERT_TRUE(widest);
  EXPECT_EQ(widest->codeIsa, hostCpu().vectorIsa());
  // One lab, one roof, whatever the code uses.
  EXPECT_EQ(baseline->isa, widest->isa);
  EXPECT_EQ(baseline->isa, widest->codeIsa);
  EXPECT_GE(*baseline->gflops, *baseline->codeGflops);
  EXPECT_EQ(*widest->gflops, *widest->codeGflops);
}

TEST(RoofBeside, IsMeasuredOncePerFootprintAndKeptTheBetter) {
  KernelSpec sum = spec("reduce:n=100000,type=f32,kind=sum");
  Result<RowRoof> first = roofBeside(sum, {}, 1, false);
  Result<RowRoof> same = roofBeside(sum, {}, 1, false);
  Result<RowRoof> near =
      roofBeside(spec("reduce:n=100100,type=f32,kind=sum"), {}, 1, false);
  ASSERT_TRUE(first && same && near);
  EXPECT_EQ(*first->gbps, *same->gbps);
  EXPECT_EQ(*first->gbps, *near->gbps);
  Result<RowRoof> again = roofBeside(sum, {}, 1, true);
  ASSERT_TRUE(again);
  EXPECT_GE(*again->gbps, *first->gbps);
}

TEST(RoofBeside, ComputeBoundLabsNameTheArithmeticsIsa) {
  if (!hostCpu().has("avx512vnni"))
    GTEST_SKIP() << "no avx512vnni";
  Result<RowRoof> roof = roofBeside(spec("gemm:m=512,n=512,k=512,a=i8,b=i8"),
                                    hostCpu().features, 1, false);
  ASSERT_TRUE(roof);
  EXPECT_TRUE(roof->isa == "avx512_vnni" || roof->isa == "amx") << roof->isa;
}

/// The roof is this CPU's fastest unit for the lab, measured, though no code
/// uses it yet.
TEST(RoofBeside, ABf16GemmIsHeldToWhatTheCpuHas) {
  for (const char *text :
       {"gemm:m=64,n=64,k=64,a=bf16,b=bf16",
        "gemm:m=64,n=64,k=64,a=bf16,b=i4,group=32,scale=f16"}) {
    Result<RowRoof> roof = roofBeside(spec(text), {"avx2", "fma"}, 1, false);
    ASSERT_TRUE(roof && roof->gflops);
    const CpuInfo &cpu = hostCpu();
    std::vector<std::string> able = {"sse2"};
    for (auto [feature, isa] : {std::pair("avx2", "avx2"),
                                {"avx512f", "avx512"},
                                {"avx512bf16", "avx512_bf16"},
                                {"amx-bf16", "amx"}})
      if (cpu.has(feature))
        able.push_back(isa);
    EXPECT_NE(std::find(able.begin(), able.end(), roof->isa), able.end())
        << roof->isa;
    if (cpu.has("amx-bf16"))
      EXPECT_EQ(roof->isa, "amx");
    if (!cpu.has("avx2"))
      continue;
    EXPECT_EQ(roof->codeIsa, "avx2");
    EXPECT_GE(*roof->gflops, *roof->codeGflops);
  }
}

TEST(RoofBeside, AnEmptyLabHasNoBandwidthRoof) {
  Result<RowRoof> roof =
      roofBeside(spec("cast:n=0,in=f32,out=f16"), {}, 1, false);
  ASSERT_TRUE(roof);
  EXPECT_FALSE(roof->gbps);
}

} // namespace
