// ProbeTest.cpp - measured roofs are plausible, and their loops move and
// compute what they are billed for.
#include "runtime/measure/Probe.h"
#include "lib/Host/CpuInfo.h"
#include "runtime/measure/CacheState.h"
#include "runtime/measure/Peaks.h"
#include "runtime/measure/stream/Stream.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

constexpr Mix mixes[] = {Mix::Read,      Mix::Copy,      Mix::Triad,
                         Mix::FourToOne, Mix::OneToFour, Mix::Update};

/// The ISAs of this machine.
std::vector<std::string> isas() {
  std::vector<std::string> list = {"sse2"};
  if (hostCpu().has("avx2") && hostCpu().has("fma"))
    list.push_back("avx2");
  if (hostCpu().has("avx512f"))
    list.push_back("avx512");
  return list;
}

struct StreamData {
  static constexpr int steps = 3;
  static constexpr int floats = steps * 8 * 16; // the most any array needs
  alignas(64) float a[floats + 16], b[floats + 16], c[floats + 16];
  StreamData() {
    for (int i = 0; i < floats + 16; ++i) {
      a[i] = float(i % 97);
      b[i] = 1000;
      c[i] = 2000;
    }
  }
  stream::Arrays arrays() {
    return {reinterpret_cast<char *>(a), reinterpret_cast<char *>(b),
            reinterpret_cast<char *>(c)};
  }
};

TEST(Stream, LoopsMoveWhatTheirMixSays) {
  for (const std::string &isa : isas())
    for (Mix mix : mixes)
      for (bool nonTemporal : {false, true})
        for (bool prefetch : {false, true}) {
          stream::Kernel kernel =
              stream::kernel(isa, mix, {nonTemporal, prefetch});
          if (!kernel) {
            // Nothing to store past the caches.
            EXPECT_TRUE(nonTemporal &&
                        (mix == Mix::Read || mix == Mix::Update));
            continue;
          }
          SCOPED_TRACE(isa + " " + std::string(name(mix)));
          StreamData data, old;
          kernel(data.arrays(), 0, StreamData::steps);
          stream::Shape shape = stream::shape(mix);
          int written = 16 * StreamData::steps *
                        (mix == Mix::Triad ? shape.linesC : shape.linesB);
          for (int i = 0; i < StreamData::floats + 16; ++i) {
            float wantB = old.b[i], wantC = old.c[i];
            if (i < written && mix == Mix::Copy)
              wantB = old.a[i];
            if (i < written && mix == Mix::Update)
              wantB = old.a[i] + 500;
            if (i < written && mix == Mix::Triad)
              wantC = old.a[i] + 500;
            ASSERT_EQ(data.a[i], old.a[i]);
            if (mix == Mix::FourToOne || mix == Mix::OneToFour)
              ASSERT_EQ(data.b[i] != 1000, i < written) << i;
            else
              ASSERT_EQ(data.b[i], wantB) << i;
            ASSERT_EQ(data.c[i], wantC) << i;
          }
        }
}

TEST(Stream, CountedBytesAreReadsPlusWrites) {
  // Lines read and written per step, by hand.
  auto counted = [](Mix mix) { return stream::shape(mix).countedLines; };
  stream::Shape s = stream::shape(Mix::FourToOne);
  EXPECT_EQ(s.linesA, 4 * s.linesB);
  EXPECT_EQ(counted(Mix::FourToOne), s.linesA + s.linesB);
  s = stream::shape(Mix::OneToFour);
  EXPECT_EQ(4 * s.linesA, s.linesB);
  EXPECT_EQ(counted(Mix::OneToFour), s.linesA + s.linesB);
  s = stream::shape(Mix::Update);
  EXPECT_EQ(counted(Mix::Update), s.linesA + 2 * s.linesB);
  s = stream::shape(Mix::Triad);
  EXPECT_EQ(counted(Mix::Triad), s.linesA + s.linesB + s.linesC);
  EXPECT_EQ(counted(Mix::Copy), 2 * stream::shape(Mix::Copy).linesA);
  EXPECT_EQ(counted(Mix::Read), stream::shape(Mix::Read).linesA);
}

TEST(Probe, BandwidthAtEveryMixIsPlausible) {
  for (const std::string &isa : isas())
    for (Mix mix : mixes) {
      Result<Bandwidth> b = probeBandwidth(mix, 64 << 10, 1, isa);
      ASSERT_TRUE(b);
      EXPECT_EQ(b->mix, mix);
      EXPECT_EQ(b->isa, isa);
      EXPECT_EQ(b->threads, 1);
      EXPECT_NEAR(double(b->footprintBytes), 65536, 4096);
      // No core moves less than 0.5 GB/s from L2, or more than a dozen
      // 64-byte lines a nanosecond.
      EXPECT_GT(b->gbps, 0.5);
      EXPECT_LT(b->gbps, 800);
    }
}

TEST(Probe, TinyFootprintsAndManyThreadsWork) {
  for (int64_t bytes : {0, 1, 100, 5000})
    for (int threads : {1, 3}) {
      Result<Bandwidth> b =
          probeBandwidth(Mix::Triad, bytes, threads, hostCpu().vectorIsa());
      ASSERT_TRUE(b);
      EXPECT_GT(b->gbps, 0);
    }
}

TEST(Probe, PeaksOnlyWhereTheCpuHasTheIsa) {
  for (const PeakLoop &loop : peakLoops()) {
    std::optional<Peak> peak = probePeak(loop.format, loop.isa, 1);
    EXPECT_EQ(bool(peak), hasAll(hostCpu().features, loop.needs)) << loop.isa;
    if (!peak)
      continue;
    EXPECT_EQ(peak->format, loop.format);
    // From a tenth of a step a nanosecond to four, twelve steps an iteration
    // (four tile products that take 16 cycles each).
    double perStep = double(loop.flopsPerIteration) / 12;
    EXPECT_GT(peak->gflops, 0.05 * perStep) << loop.isa;
    EXPECT_LT(peak->gflops, 24 * perStep) << loop.isa;
  }
  EXPECT_FALSE(probePeak(Format::F32, "neon", 1));
}

TEST(Probe, FlopsOfAStepFollowFromTheVectorWidth) {
  // Lanes of the accumulator x products per lane x 2, twelve accumulators.
  auto flops = [](Format format, const std::string &isa) -> int64_t {
    for (const PeakLoop &loop : peakLoops())
      if (loop.format == format && loop.isa == isa)
        return loop.flopsPerIteration;
    return 0;
  };
  EXPECT_EQ(flops(Format::F64, "avx512"), 12 * 8 * 2);
  EXPECT_EQ(flops(Format::F32, "avx2"), 12 * 8 * 2);
  EXPECT_EQ(flops(Format::F32, "avx512"), 12 * 16 * 2);
  EXPECT_EQ(flops(Format::F32, "sse2"), 12 * 4 * 2);
  EXPECT_EQ(flops(Format::BF16, "avx512_bf16"), 12 * 16 * 2 * 2);
  EXPECT_EQ(flops(Format::I8, "avx512_vnni"), 12 * 16 * 4 * 2);
  EXPECT_EQ(flops(Format::I8, "avx_vnni"), 12 * 8 * 4 * 2);
  EXPECT_EQ(flops(Format::BF16, "amx"), 4 * 16 * 16 * 32 * 2);
  EXPECT_EQ(flops(Format::I8, "amx"), 4 * 16 * 16 * 64 * 2);
}

TEST(Probe, HasAllWantsEveryFeature) {
  EXPECT_TRUE(hasAll({"avx2", "fma"}, "avx2,fma"));
  EXPECT_FALSE(hasAll({"avx2"}, "avx2,fma"));
  EXPECT_TRUE(hasAll({"avx512_vnni"}, "avx512vnni"));
  EXPECT_FALSE(hasAll({}, "avx2"));
}

TEST(Probe, LaunchesTakeTime) {
  EXPECT_GT(probeLaunch(2), 10e-9);
  EXPECT_LT(probeLaunch(2), 1e-2);
}

TEST(CacheState, TwiceTheLastLevelIsCold) {
  int64_t llc = hostCpu().llcBytes;
  EXPECT_FALSE(isCold(0));
  EXPECT_FALSE(isCold(2 * llc - 1));
  EXPECT_TRUE(isCold(2 * llc));
}

} // namespace
