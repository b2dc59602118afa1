// FlopsTest.cpp - FLOPs, crossovers and intensities by published figures.
#include "calculator/model/Flops.h"
#include "calculator/model/KvCache.h"
#include "test/Unit/Roofline/Models.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

PrefillFlops prefill(const std::string &text, int64_t tokens) {
  Result<PrefillFlops> flops = prefillFlops(model(text), tokens);
  EXPECT_TRUE(flops) << flops.status().message();
  return flops ? *flops : PrefillFlops();
}
Crossover crossoverOf(const std::string &text) {
  ModelConfig c = model(text);
  return crossover(c, *countParams(c));
}

TEST(Flops, PrefillOfLlama3) {
  PrefillFlops f = prefill(llama3Text(), 4096);
  EXPECT_EQ(f.linear, 57174604644352);
  EXPECT_EQ(f.attentionFull, 8796093022208);
  EXPECT_EQ(f.head, 1050673152);
  EXPECT_EQ(f.full(), 65971748339712 - 0);
  EXPECT_NEAR(double(f.full()) / 1307.4e12, 50.46e-3, 5e-6);
  EXPECT_NEAR(double(f.full()) / 989.4e12, 66.68e-3, 5e-6);
  EXPECT_EQ(f.attentionCausal, 8796093022208 / 4096 * 4097 / 2);
}

TEST(Flops, PrefillOfLlama70) {
  PrefillFlops f = prefill(llama70Text(), 4096);
  EXPECT_EQ(f.full(), 604733496623104);
  PrefillFlops longer = prefill(llama70Text(), 32768);
  EXPECT_NEAR(double(longer.full()), 7.30e15, 5e12);
  EXPECT_NEAR(double(longer.attentionFull) / double(longer.full()), 0.386,
              5e-4);
}

TEST(Flops, Decode) {
  Result<DecodeFlops> f = decodeFlops(model(llama70Text()), 4096);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->linear, 2 * 68451041280);
  EXPECT_EQ(f->attention, 4LL * 4096 * 8192 * 80);
  EXPECT_EQ(f->head, 2 * 1050673152LL);
  // Only the experts a token goes to count.
  EXPECT_EQ(decodeFlops(model(mixtralText()), 1)->linear, 2 * 12617515008);
}

TEST(Flops, WindowsShortenCausalAttention) {
  ModelConfig c = model(llama3Text());
  c.window = 100;
  c.windowLayers = 32;
  // Ten tokens see all before them; from 101 on each sees 100.
  EXPECT_EQ(prefillFlops(c, 10)->attentionCausal, 32LL * 4 * 4096 * 55);
  EXPECT_EQ(prefillFlops(c, 1000)->attentionCausal,
            32LL * 4 * 4096 * (5050 + 900 * 100));
  EXPECT_EQ(prefillFlops(c, 1000)->attentionFull,
            prefillFlops(model(llama3Text()), 1000)->attentionFull);
  EXPECT_EQ(decodeFlops(c, 5000)->attention, 32LL * 4 * 4096 * 100);
}

TEST(Flops, LatentAttentionHasTwoHeadSizes) {
  PrefillFlops f = prefill(deepseekV3Text(), 1024);
  EXPECT_EQ(f.attentionFull, 2LL * 1024 * 1024 * 128 * (192 + 128) * 61);
}

/// Decode keeps the latent: one model of it in FLOPs, bytes and intensity.
TEST(Flops, LatentAttentionDecodesAbsorbed) {
  ModelConfig c = model(deepseekV3Text());
  Result<DecodeFlops> f = decodeFlops(c, 32768);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->attention, 2LL * 128 * (2 * 512 + 64) * 61 * 32768);
  EXPECT_NEAR(double(f->attention) / 1e9, 556.7, 0.05);
  double bytes =
      double(KvCache(c, *findKvFormat("bf16", c)).ideal(32768).get());
  EXPECT_NEAR(bytes / 1e9, 2.30, 5e-3);
  EXPECT_DOUBLE_EQ(decodeIntensity(c), double(f->attention) / bytes);
  EXPECT_NEAR(decodeIntensity(c), 241.8, 0.05);
  // Absorbed or not, the projections of the latent cost their size.
  EXPECT_EQ(f->linear, 2 * countParams(c)->activeLinear);
  EXPECT_DOUBLE_EQ(decodeIntensity(model(llama3Text())), 4);
  EXPECT_DOUBLE_EQ(decodeIntensity(model(llama2Text())), 1);
}

TEST(Flops, Training) {
  Result<TrainingFlops> f = trainingFlops(model(llama3Text()), 4096);
  ASSERT_TRUE(f);
  // Layers and head; the embedding is looked up, norms are not multiplied.
  EXPECT_DOUBLE_EQ(f->linear, 6.0 * 32 * 218103808);
  EXPECT_DOUBLE_EQ(f->head, 6.0 * 128256 * 4096);
  EXPECT_NEAR(f->attention, 3 * 8798240505856.0 / 2 / 4096, 1e-3);
}

TEST(Flops, TrainingBillsNoLookUp) {
  for (const std::string &text :
       {llama3Text(), qwen25Text(), mixtralText(), deepseekV3Text()}) {
    ModelConfig config = model(text);
    Result<TrainingFlops> f = trainingFlops(config, 4096);
    ASSERT_TRUE(f);
    EXPECT_DOUBLE_EQ(f->linear,
                     6.0 * double(countParams(config)->activeLinear));
    // The head is multiplied where it shares its matrix, too.
    config.tied = !config.tied;
    EXPECT_DOUBLE_EQ(trainingFlops(config, 4096)->matrices(), f->matrices());
  }
}

TEST(Flops, OverflowIsRefused) {
  EXPECT_FALSE(prefillFlops(model(llama70Text()), int64_t(1) << 40));
  EXPECT_TRUE(decodeFlops(model(llama70Text()), int64_t(1) << 40));
}

TEST(Flops, Crossovers) {
  struct Case {
    std::string text;
    double all, ffn;
  };
  for (const Case &c : {Case{llama2Text(), 24704, 16512},
                        {llama3Text(), 26624, 21504},
                        {llama70Text(), 52224, 43008},
                        {qwen25Text(), 32512, 28416}}) {
    EXPECT_DOUBLE_EQ(crossoverOf(c.text).allLinear, c.all);
    EXPECT_DOUBLE_EQ(crossoverOf(c.text).ffnOnly, c.ffn);
  }
}

TEST(Flops, ProjectionIntensity) {
  EXPECT_NEAR(projectionIntensity(4096, 1), 0.99951, 5e-6);
  EXPECT_NEAR(projectionIntensity(4096, 64), 62.061, 5e-4);
  EXPECT_NEAR(projectionIntensity(4096, 256), 227.556, 5e-4);
  EXPECT_NEAR(projectionIntensity(4096, 1024), 682.667, 5e-4);
  EXPECT_NEAR(projectionIntensity(4096, 1e12), 2048, 1e-3);
}

TEST(Flops, TokensToTheRidge) {
  double mi300x = 1307.4 / 5.3, h100 = 989.4 / 3.35;
  auto tokens = [](int64_t d, double ridge) {
    return std::ceil(tokensToRidge(d, ridge).value_or(-1));
  };
  EXPECT_EQ(tokens(4096, mi300x), 281);
  EXPECT_EQ(tokens(8192, mi300x), 263);
  EXPECT_EQ(tokens(4096, h100), 346);
  EXPECT_EQ(tokens(8192, h100), 319);
  EXPECT_EQ(std::lround(*tokensToRidge(1024, h100)), 698);
  EXPECT_EQ(tokens(1024, mi300x), 477);
  EXPECT_FALSE(tokensToRidge(493, mi300x));
  EXPECT_TRUE(tokensToRidge(494, mi300x));
  EXPECT_FALSE(tokensToRidge(590, h100));
}

} // namespace
