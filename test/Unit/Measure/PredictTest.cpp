// PredictTest.cpp - the arithmetic of a prediction, on a machine of round
// numbers.
#include "lib/Roofline/Roofline.h"
#include "lib/Spec/OpInfo.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

constexpr int64_t KiB = 1 << 10, MiB = 1 << 20;

KernelSpec spec(const std::string &text) {
  Result<KernelSpec> parsed = KernelSpec::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.status().message();
  return parsed ? *parsed : KernelSpec();
}

/// 100 GB/s in L1 down to 10 in DRAM for one thread, twice that for two; every
/// mix alike.
MachineRoofs machine() {
  MachineRoofs roofs;
  roofs.l1Bytes = 32 * KiB;
  roofs.l2Bytes = MiB;
  roofs.llcBytes = 32 * MiB;
  roofs.launchSeconds = 1e-6;
  for (Mix mix : {Mix::Read, Mix::Copy, Mix::Triad, Mix::FourToOne,
                  Mix::OneToFour, Mix::Update})
    for (int threads : {1, 4}) {
      double scale = threads == 1 ? 1 : 2;
      for (auto [bytes, gbps] : {std::pair(16 * KiB, 100.0),
                                 {512 * KiB, 50.0},
                                 {8 * MiB, 20.0},
                                 {128 * MiB, 10.0}})
        roofs.bandwidths.push_back(
            {mix, bytes, threads, gbps * scale, false, "avx512"});
    }
  for (int threads : {1, 4}) {
    roofs.peaks.push_back({Format::F64, "avx512", threads, 50.0 * threads});
    roofs.peaks.push_back({Format::F32, "avx512", threads, 100.0 * threads});
    roofs.peaks.push_back({Format::F32, "avx2", threads, 60.0 * threads});
    roofs.peaks.push_back(
        {Format::BF16, "avx512_bf16", threads, 40.0 * threads});
  }
  return roofs;
}

Prediction predicted(const std::string &text, int threads = 1) {
  KernelSpec s = spec(text);
  std::optional<Prediction> p = predict(s, cost(s), machine(), threads);
  EXPECT_TRUE(p) << text;
  return p.value_or(Prediction());
}

TEST(Mix, NearestShareOfWrittenBytes) {
  auto mix = [](const std::string &text) { return mixOf(spec(text)); };
  EXPECT_EQ(mix("reduce:n=1000000,type=f32,kind=sum"), Mix::Read);
  EXPECT_EQ(mix("reduce:n=1000000,type=f32,kind=dot"), Mix::Read);
  EXPECT_EQ(mix("axpy:n=1000000,type=f32"), Mix::Update);
  EXPECT_EQ(mix("quantize:m=64,k=4096,in=f32,out=i8,group=32,scale=f16"),
            Mix::FourToOne);
  EXPECT_EQ(mix("dequantize:m=64,k=4096,in=i8,out=f32,group=32,scale=f16"),
            Mix::OneToFour);
  EXPECT_EQ(mix("cast:n=1000000,in=f32,out=f32"), Mix::Copy);
  EXPECT_EQ(mix("cast:n=1000000,in=f32,out=bf16"), Mix::Triad);
  // A decode GEMV reads its weights and writes next to nothing.
  EXPECT_EQ(mix("gemm:m=1,n=4096,k=4096,a=f32,b=i8,group=32,scale=f16"),
            Mix::Read);
}

TEST(Footprint, CountsAnInoutOnce) {
  EXPECT_EQ(footprint(spec("axpy:n=1000,type=f32")), 4 + 2 * 4000);
}

TEST(Predict, MemoryBoundIsBytesOverBandwidth) {
  // 64 Mi f32: 256 MiB read from DRAM at 10 GB/s.
  Prediction p = predicted("reduce:n=67108864,type=f32,kind=sum");
  EXPECT_EQ(p.regime, "memory");
  EXPECT_DOUBLE_EQ(p.gbps, 10);
  EXPECT_NEAR(p.seconds, (268435456.0 + 4) / 10e9, 1e-12);
  EXPECT_EQ(p.isa, "avx512");
}

TEST(Predict, BelowTwiceTheLastLevelItIsTheCache) {
  Prediction p = predicted("reduce:n=2097152,type=f32,kind=sum"); // 8 MiB
  EXPECT_EQ(p.regime, "cache");
  EXPECT_NEAR(p.gbps, 20, 1e-5);
  EXPECT_EQ(predicted("reduce:n=16777216,type=f32,kind=sum").regime, "memory");
  EXPECT_EQ(predicted("reduce:n=16777000,type=f32,kind=sum").regime, "cache");
}

TEST(Predict, InterpolatesInTheLogarithmOfTheFootprint) {
  // Half way from 8 to 128 MiB in log2 is 32 MiB; half way in GB/s is 15.
  MachineRoofs roofs = machine();
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 32 * MiB, 1)->gbps, 15);
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 8 * MiB, 1)->gbps, 20);
  // Flat beyond the ends.
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 0, 1)->gbps, 100);
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 1 << 30, 1)->gbps, 10);
}

TEST(Predict, ThreadsBetweenProbedOnesScaleUpToTheCap) {
  MachineRoofs roofs = machine();
  // Two threads with 256 KiB each would reach 2 x 60 GB/s; four reach 100.
  double two = bandwidthAt(roofs, Mix::Read, 512 * KiB, 2)->gbps;
  EXPECT_DOUBLE_EQ(two, 100);
  // DRAM: twice 10 is what four threads reach, too.
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 256 * MiB, 2)->gbps, 20);
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 256 * MiB, 3)->gbps, 20);
  // More threads than cores are no faster than all cores.
  EXPECT_DOUBLE_EQ(bandwidthAt(roofs, Mix::Read, 256 * MiB, 8)->gbps, 20);
  EXPECT_DOUBLE_EQ(peakOf(roofs, {Format::F32}, 2)->gflops, 200);
  EXPECT_DOUBLE_EQ(peakOf(roofs, {Format::F32}, 8)->gflops, 400);
}

TEST(Predict, ComputeBoundIsFlopsOverTheFastestPeak) {
  Prediction p = predicted("gemm:m=1024,n=1024,k=1024,a=f32,b=f32");
  EXPECT_EQ(p.regime, "compute");
  EXPECT_DOUBLE_EQ(p.gflops, 100);
  EXPECT_NEAR(p.seconds, 2.0 * (1 << 30) / 100e9, 1e-12);
  EXPECT_EQ(p.isa, "avx512");
  EXPECT_DOUBLE_EQ(predicted("gemm:m=512,n=512,k=512,a=f64,b=f64").gflops, 50);
  // bf16 dot products are slower here than f32 FMAs: those are the roof.
  Prediction bf16 = predicted("gemm:m=512,n=512,k=512,a=bf16,b=bf16");
  EXPECT_DOUBLE_EQ(bf16.gflops, 100);
}

/// f16 FMAs that keep their sums in f16 are no unit for sums in f32.
TEST(Predict, NarrowSumsDoNotStandInForWideOnes) {
  MachineRoofs roofs = machine();
  roofs.peaks.push_back({Format::F16, "avx512_fp16", 1, 900, Format::F16});
  auto isa = [&](const std::string &text) {
    std::optional<Peak> peak = fastestPeak(spec(text), roofs, 1);
    return peak ? peak->isa : "";
  };
  EXPECT_EQ(isa("gemm:m=8,n=8,k=8,a=f16,b=f16"), "avx512");
  EXPECT_EQ(isa("gemm:m=8,n=8,k=8,a=f16,b=f16,acc=f16"), "avx512_fp16");
  Result<Json> json = Json::parse(roofs.toJson().dump());
  ASSERT_TRUE(json);
  Result<MachineRoofs> read = MachineRoofs::fromJson(*json);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->peaks.back().accumulate, Format::F16);
  EXPECT_FALSE(read->peaks.front().accumulate);
}

/// The unit is named whatever binds the lab.
TEST(Predict, NamesTheUnitOfMemoryBoundLabsToo) {
  MachineRoofs roofs = machine();
  for (Bandwidth &b : roofs.bandwidths)
    b.isa = "dram";
  KernelSpec sum = spec("reduce:n=67108864,type=f32,kind=sum");
  EXPECT_EQ(predict(sum, cost(sum), roofs, 1)->isa, "avx512");
}

TEST(Predict, SmallLabsOnManyThreadsAreLaunchBound) {
  Prediction one = predicted("reduce:n=64,type=f32,kind=sum", 1);
  EXPECT_EQ(one.regime, "cache");
  EXPECT_LT(one.seconds, 1e-8);
  Prediction four = predicted("reduce:n=64,type=f32,kind=sum", 4);
  EXPECT_EQ(four.regime, "launch");
  EXPECT_GE(four.seconds, 1e-6);
}

TEST(Predict, AnEmptyLabTakesNoTime) {
  Prediction p = predicted("axpy:n=0,type=f32");
  EXPECT_LT(p.seconds, 1e-9);
}

TEST(Predict, NoRoofNoPrediction) {
  KernelSpec gemm = spec("gemm:m=64,n=64,k=64,a=i8,b=i8");
  EXPECT_FALSE(predict(gemm, cost(gemm), machine(), 1));
  MachineRoofs empty;
  KernelSpec axpy = spec("axpy:n=10,type=f32");
  EXPECT_FALSE(predict(axpy, cost(axpy), empty, 1));
}

TEST(Predict, FormatsThatMayBoundALab) {
  auto formats = [](const std::string &text) {
    KernelSpec lab = spec(text);
    return info(lab.op).units(lab).formats;
  };
  using List = std::vector<Format>;
  EXPECT_EQ(formats("axpy:n=1,type=f64"), List{Format::F64});
  EXPECT_EQ(formats("axpy:n=1,type=bf16"), List{Format::F32});
  EXPECT_EQ(formats("gemm:m=1,n=1,k=1,a=i8,b=i8"), List{Format::I8});
  EXPECT_EQ(formats("gemm:m=1,n=1,k=64,a=f32,b=i8,group=32,scale=f16"),
            List{Format::F32});
  EXPECT_EQ(
      formats("gemm:m=1,n=1,k=64,a=f32,b=i8,group=32,scale=f16,compute=i8"),
      List{Format::I8});
  EXPECT_EQ(formats("gemm:m=1,n=1,k=1,a=f16,b=f16"),
            (List{Format::F16, Format::F32}));
  EXPECT_EQ(formats("gemm:m=1,n=1,k=64,a=bf16,b=f4E2M1FN,group=32,scale=f16"),
            (List{Format::BF16, Format::F32}));
  EXPECT_EQ(formats("gemm:m=1,n=1,k=1,a=i4,b=u4"),
            (List{Format::I4, Format::I8}));
  // Exact in what holds every value of both sides.
  EXPECT_EQ(formats("gemm:m=1,n=1,k=1,a=f8E4M3,b=f8E4M3"),
            (List{Format::F16, Format::BF16, Format::F32}));
  EXPECT_EQ(formats("gemm:m=1,n=1,k=1,a=f6E3M2FN,b=f4E2M1FN"),
            (List{Format::F6E2M3FN, Format::F8E4M3FN, Format::F8E4M3FNUZ,
                  Format::F16, Format::BF16, Format::F32}));
}

TEST(RoofsJson, WritesAndReadsBack) {
  MachineRoofs roofs = machine();
  roofs.chip = "a chip";
  roofs.source = "measured";
  roofs.date = "2025-01-02T03:04:05Z";
  roofs.conditions["cores"] = "4";
  std::string text = roofs.toJson().dump();
  Result<Json> json = Json::parse(text);
  ASSERT_TRUE(json);
  Result<MachineRoofs> read = MachineRoofs::fromJson(*json);
  ASSERT_TRUE(read) << read.status().message();
  EXPECT_EQ(read->toJson().dump(), text);
  EXPECT_EQ(read->bandwidths.size(), roofs.bandwidths.size());
  EXPECT_EQ(read->peaks.back().isa, "avx512_bf16");
  EXPECT_EQ(read->conditions.at("cores"), "4");
}

TEST(RoofsJson, NamesWhatIsWrong) {
  auto message = [](const std::string &from, const std::string &to) {
    std::string text = machine().toJson().dump();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    Result<Json> json = Json::parse(text);
    EXPECT_TRUE(json) << text.substr(at, 80);
    return MachineRoofs::fromJson(*json).status().message();
  };
  EXPECT_NE(message("\"launch_s\":", "\"lunch_s\":").find("launch_s"),
            std::string::npos);
  EXPECT_NE(message("\"read\"", "\"reed\"").find("bandwidths.mix"),
            std::string::npos);
  EXPECT_NE(message("\"f64\"", "\"f65\"").find("peaks.format"),
            std::string::npos);
  EXPECT_FALSE(MachineRoofs::fromJson(Json(3)));
}

} // namespace
