// DrillTest.cpp - the formulas, conventions and tables of the sizing drills.
#include "calculator/model/Decode.h"
#include "calculator/model/Flops.h"
#include "calculator/model/KvCache.h"
#include "lib/Roofline/chips/Chip.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

/// A model without norms, biases and embeddings, as the drills count.
ModelConfig shape(int64_t layers, int64_t d, int64_t kvHeads, int64_t ffn,
                  bool gated) {
  ModelConfig c;
  c.layers = layers;
  c.hidden = d;
  c.heads = d / 128;
  c.kvHeads = kvHeads;
  c.headDim = 128;
  c.ffn = ffn;
  c.vocab = 1;
  c.gated = gated;
  EXPECT_TRUE(validate(c, flagNames()));
  return c;
}
int64_t linear(const ModelConfig &c) { return countParams(c)->linear; }
double kvBytes(const ModelConfig &c, int64_t context, const char *format) {
  return double(KvCache(c, *findKvFormat(format, c)).ideal(context).get());
}

TEST(Drills, SeventyBillionClass) {
  struct Case {
    int64_t kvHeads, ffn;
    bool gated;
    double perLayerM, totalG, mi16, h16, crossover;
  };
  for (const Case &c : {Case{64, 32768, false, 805.3, 64.42, 41.1, 26.0, 49152},
                        {8, 32768, false, 687.9, 55.03, 48.2, 30.4, 41984},
                        {8, 28672, false, 620.8, 49.66, 53.4, 33.7, 37888},
                        {8, 28672, true, 855.6, 68.45, 38.7, 24.5, 52224}}) {
    ModelConfig m = shape(80, 8192, c.kvHeads, c.ffn, c.gated);
    double total = double(linear(m));
    EXPECT_NEAR(total / 80 / 1e6, c.perLayerM, 0.05);
    EXPECT_NEAR(total / 1e9, c.totalG, 5e-3);
    EXPECT_NEAR(5.3e12 / (2 * total), c.mi16, 0.05);
    EXPECT_NEAR(3.35e12 / (2 * total), c.h16, 0.05);
    EXPECT_EQ(crossover(m, *countParams(m)).allLinear, c.crossover);
  }
}

/// (4 + 2 m) d^2 a layer, 12 d^2 at m = 4; crossover (2 + m) d.
TEST(Drills, PlainFormulas) {
  for (int64_t m : {1, 2, 4, 8}) {
    int64_t d = 1024;
    ModelConfig c = shape(3, d, d / 128, m * d, false);
    EXPECT_EQ(linear(c), 3 * (4 + 2 * m) * d * d);
    Crossover at = crossover(c, *countParams(c));
    EXPECT_DOUBLE_EQ(at.allLinear, double((2 + m) * d));
    EXPECT_DOUBLE_EQ(at.ffnOnly, double(m * d));
    // Attention 4 N^2 d a layer, and 2 x parameters a token.
    EXPECT_EQ(prefillFlops(c, 100)->attentionFull, 3 * 4 * 100LL * 100 * d);
    EXPECT_EQ(prefillFlops(c, 100)->linear, 2 * 100 * linear(c));
    EXPECT_EQ(kvBytes(c, 100, "bf16"), 2.0 * 3 * 100 * double(d) * 2);
  }
}

TEST(Drills, SequencesBesideSeventyBillionParameters) {
  ModelConfig gqa = shape(80, 8192, 8, 28672, true),
              mha = shape(80, 8192, 64, 28672, true);
  struct Case {
    double capacityGb, weightsGb;
    int64_t gqa4, mha4, gqa8, mha8, kv8;
  };
  for (const Case &c : {Case{192, 140, 38, 4, 19, 2, 77},
                        {192, 70, 90, 11, 45, 5, 181},
                        {80, 70, 7, 0, 3, 0, 14},
                        {80, 35, 33, 4, 16, 2, 67}}) {
    auto fit = [&](const ModelConfig &m, int64_t context, const char *format) {
      return sequencesThatFit(c.capacityGb * 1e9, c.weightsGb * 1e9,
                              kvBytes(m, context, format));
    };
    EXPECT_EQ(fit(gqa, 4096, "bf16"), c.gqa4);
    EXPECT_EQ(fit(mha, 4096, "bf16"), c.mha4);
    EXPECT_EQ(fit(gqa, 8192, "bf16"), c.gqa8);
    EXPECT_EQ(fit(mha, 8192, "bf16"), c.mha8);
    EXPECT_EQ(fit(gqa, 4096, "int8"), c.kv8);
  }
  // Recomputed with multi-head attention the weights grow too: 3 sequences.
  EXPECT_EQ(sequencesThatFit(192e9, 2 * double(linear(mha)),
                             kvBytes(mha, 4096, "bf16")),
            3);
  DecodeStep full = decodeStep(140e9, kvBytes(gqa, 4096, "bf16"), 38, 5.3e12);
  EXPECT_NEAR(full.bytes / 1e9, 191.0, 0.05);
  EXPECT_NEAR(full.stepsPerSecond, 27.7, 0.05);
  EXPECT_NEAR(full.tokensPerSecond, 1054, 0.5);
}

TEST(Drills, TheSmallerModel) {
  ModelConfig mha = shape(32, 4096, 32, 16384, false),
              gqa = shape(32, 4096, 8, 16384, false);
  EXPECT_NEAR(double(linear(mha)) / 1e9, 6.44, 5e-3);
  EXPECT_NEAR(double(linear(gqa)) / 1e9, 5.64, 5e-3);
  auto fit = [](const ModelConfig &c, double gb) {
    return sequencesThatFit(gb * 1e9, 2 * double(linear(c)),
                            kvBytes(c, 4096, "bf16"));
  };
  EXPECT_EQ(fit(mha, 80), 31);
  EXPECT_EQ(fit(gqa, 80), 128);
  EXPECT_EQ(fit(mha, 192), 83);
  EXPECT_EQ(fit(gqa, 192), 336);
  EXPECT_NEAR(3.35e12 / (2 * double(linear(mha))), 260, 0.5);
  EXPECT_NEAR(3.35e12 / (2 * double(linear(gqa))), 297, 0.5);
  EXPECT_NEAR(5.3e12 / (2 * double(linear(mha))), 411, 0.5);
  EXPECT_NEAR(5.3e12 / (2 * double(linear(gqa))), 470, 0.5);
}

} // namespace
