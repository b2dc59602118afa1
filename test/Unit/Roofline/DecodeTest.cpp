// DecodeTest.cpp - the decode table, what fits, experts, tensor parallelism.
#include "calculator/model/Decode.h"
#include "calculator/model/KvCache.h"
#include "test/Unit/Roofline/Models.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

constexpr double mi300x = 5.3e12, h100 = 3.35e12, h200 = 4.8e12;

double kvBytes(const ModelConfig &c, int64_t context) {
  return double(KvCache(c, *findKvFormat("bf16", c)).ideal(context).get());
}
double weights(const ModelConfig &c, const char *format) {
  return double(*weightBytes(c, *findWeightFormat(format)));
}

TEST(Decode, CeilingTable) {
  struct Case {
    std::string text;
    const char *format;
    double gb, mi0, mi4096, miBatch, h0, h4096, hBatch;
  };
  for (const Case &c :
       {Case{llama2Text(), "bf16", 13.477, 393.27, 339.21, 2063.4, 248.57,
             214.41, 1304.2},
        {llama3Text(), "bf16", 16.061, 330.00, 319.33, 5102.2, 208.59, 201.84,
         3225.0},
        {llama3Text(), "int8", 8.030, 660.00, 618.64, 6727.5, 417.17, 391.03,
         4252.3},
        {llama70Text(), "bf16", 141.107, 37.56, 37.21, 921.5, 0, 0, 0},
        {llama70Text(), "int8", 70.554, 75.12, 73.72, 1494.2, 47.48, 46.60,
         944.5},
        {qwen25Text(), "bf16", 15.231, 347.97, 342.68, 7455.8, 219.94, 216.60,
         4712.6},
        {mixtralText(), "bf16", 93.406, 56.74, 56.42, 1533.7, 0, 0, 0},
        {mixtralText(), "int8", 46.703, 113.48, 112.19, 2654.9, 71.73, 70.91,
         1678.1}}) {
    ModelConfig m = model(c.text);
    double w = weights(m, c.format), kv = kvBytes(m, 4096);
    EXPECT_NEAR(w / 1e9, c.gb, 5e-4);
    EXPECT_NEAR(decodeStep(w, 0, 1, mi300x).stepsPerSecond, c.mi0, 5e-3);
    EXPECT_NEAR(decodeStep(w, kv, 1, mi300x).stepsPerSecond, c.mi4096, 5e-3);
    EXPECT_NEAR(decodeStep(w, kv, 32, mi300x).tokensPerSecond, c.miBatch, 0.05);
    if (c.h0 == 0)
      continue;
    EXPECT_NEAR(decodeStep(w, 0, 1, h100).stepsPerSecond, c.h0, 5e-3);
    EXPECT_NEAR(decodeStep(w, kv, 1, h100).stepsPerSecond, c.h4096, 5e-3);
    EXPECT_NEAR(decodeStep(w, kv, 32, h100).tokensPerSecond, c.hBatch, 0.05);
  }
  EXPECT_NEAR(decodeStep(140e9, 0, 1, mi300x).stepsPerSecond, 37.86, 5e-3);
  ModelConfig small = model(llama3Text()), large = model(llama70Text());
  auto onH200 = [](double bytes) {
    return decodeStep(bytes, 0, 1, h200).stepsPerSecond;
  };
  EXPECT_NEAR(onH200(weights(small, "bf16")), 298.87, 5e-3);
  EXPECT_NEAR(onH200(weights(small, "int8")), 597.74, 5e-3);
  EXPECT_NEAR(onH200(weights(large, "int8")), 68.03, 5e-3);
}

TEST(Decode, WithoutTheEmbedding) {
  double bytes =
      touchedBytes(model(llama3Text()), *findWeightFormat("bf16"), 0);
  EXPECT_NEAR(decodeStep(bytes, 0, 1, mi300x).stepsPerSecond, 353.10, 5e-3);
  EXPECT_NEAR(decodeStep(bytes, 0, 1, h100).stepsPerSecond, 223.19, 5e-3);
}

TEST(Decode, QuantizedLlama70) {
  double bytes = weights(model(llama70Text()), "int4-g128-zp");
  EXPECT_NEAR(decodeStep(bytes, 0, 1, mi300x).stepsPerSecond, 133.27, 5e-3);
  EXPECT_NEAR(decodeStep(bytes, 0, 1, h100).stepsPerSecond, 84.24, 5e-3);
}

TEST(Decode, ExpertsTouched) {
  ModelConfig mixtral = model(mixtralText());
  EXPECT_EQ(expectedExperts(mixtral, 1), 2);
  EXPECT_NEAR(expectedExperts(mixtral, 8), 7.199, 5e-4);
  EXPECT_NEAR(expectedExperts(mixtral, 32), 7.9992, 5e-5);
  ModelConfig deepseek = model(deepseekV3Text());
  EXPECT_EQ(expectedExperts(deepseek, 1), 8);
  EXPECT_NEAR(expectedExperts(deepseek, 8), 57.42, 5e-3);
  EXPECT_NEAR(expectedExperts(deepseek, 32), 163.31, 5e-3);
  deepseek.topK = 256;
  EXPECT_EQ(expectedExperts(deepseek, 1), 256);

  // 25.498 GB and 84.114 GB: with the input embedding, as the reference counts.
  WeightFormat bf16 = *findWeightFormat("bf16");
  double embedding = 2.0 * 32000 * 4096;
  double one = touchedBytes(mixtral, bf16, 2) + embedding;
  EXPECT_NEAR(one, 2 * 12879925248.0, 1);
  EXPECT_NEAR(
      decodeStep(touchedBytes(mixtral, bf16, 2), 0, 1, mi300x).stepsPerSecond,
      207.86, 5e-3);
  EXPECT_NEAR(
      decodeStep(touchedBytes(mixtral, bf16, 2), 0, 1, h100).stepsPerSecond,
      131.38, 5e-3);
  double eight = touchedBytes(mixtral, bf16, expectedExperts(mixtral, 8));
  EXPECT_NEAR(eight / 1e9, 84.114, 5e-4);
  EXPECT_NEAR(decodeStep(eight, 0, 8, mi300x).stepsPerSecond, 63.01, 5e-3);
}

TEST(Decode, DeepseekOnEightDevices) {
  ModelConfig c = model(deepseekV3Text());
  double read = touchedBytes(c, *findWeightFormat("fp8-block128"), 8);
  EXPECT_NEAR(decodeStep(read, 0, 1, 8 * mi300x).stepsPerSecond, 1125.6, 0.05);
  EXPECT_NEAR(decodeStep(read, kvBytes(c, 32768), 1, 8 * mi300x).stepsPerSecond,
              1060.8, 0.05);
}

TEST(Decode, SequencesThatFit) {
  ModelConfig c = model(llama70Text());
  double w = weights(c, "bf16");
  for (auto [context, full, share] : {std::tuple(2048, 75, 47),
                                      {4096, 37, 23},
                                      {8192, 18, 11},
                                      {32768, 4, 2}}) {
    EXPECT_EQ(sequencesThatFit(192e9, w, kvBytes(c, context)), full);
    EXPECT_EQ(sequencesThatFit(0.9 * 192e9, w, kvBytes(c, context)), share);
  }
  EXPECT_EQ(sequencesThatFit(192e9, w, kvBytes(c, 1)), 155311);
  ModelConfig mha = c;
  mha.kvHeads = 64;
  for (auto [context, fit] :
       {std::pair(2048, 9), {4096, 4}, {8192, 2}, {32768, 0}})
    EXPECT_EQ(sequencesThatFit(192e9, w, kvBytes(mha, context)), fit);
  EXPECT_EQ(sequencesThatFit(80e9, weights(c, "int8"), kvBytes(c, 1)), 28827);
  EXPECT_EQ(sequencesThatFit(80e9, w, kvBytes(c, 1)), 0);
}

TEST(Decode, TensorParallel) {
  ModelConfig c = model(llama70Text());
  Result<TensorShare> eight = tensorShare(c, 8);
  ASSERT_TRUE(eight);
  EXPECT_EQ(eight->kvHeads, 1);
  EXPECT_EQ(eight->kvCopies, 1);
  int64_t norms = (2 * 80 + 1) * 8192;
  EXPECT_EQ(eight->weightParams, (70553706496 - norms) / 8 + norms);
  EXPECT_EQ(eight->kvElementsPerToken, 2 * 80 * 128);
  // 16 devices and 8 KV heads: each head twice.
  Result<TensorShare> sixteen = tensorShare(c, 16);
  ASSERT_TRUE(sixteen);
  EXPECT_EQ(sixteen->kvCopies, 2);
  EXPECT_EQ(sixteen->kvElementsPerToken, 2 * 80 * 128);
  int64_t kv = 2 * 80 * 1024LL * 8192;
  EXPECT_EQ(sixteen->weightParams,
            (70553706496 - norms - kv) / 16 + kv / 8 + norms);
  EXPECT_FALSE(tensorShare(c, 3));
  // A latent is on every device whole.
  Result<TensorShare> mla = tensorShare(model(deepseekV3Text()), 8);
  ASSERT_TRUE(mla);
  EXPECT_EQ(mla->kvCopies, 8);
  EXPECT_EQ(mla->kvElementsPerToken, 61 * 576);
  EXPECT_EQ(tensorShare(c, 1)->weightParams, 70553706496);
}

TEST(Decode, SpeculativeTokens) {
  EXPECT_NEAR(speculativeTokens(0.8, 5), 3.689, 5e-4);
  EXPECT_NEAR(speculativeTokens(0.9, 3), 3.439, 5e-4);
  EXPECT_EQ(speculativeTokens(1, 4), 5);
  EXPECT_EQ(speculativeTokens(0, 4), 1);
}

} // namespace
