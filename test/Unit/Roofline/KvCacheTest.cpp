// KvCacheTest.cpp - KV bytes: heads, formats, latents, windows, pages.
#include "calculator/model/KvCache.h"
#include "test/Unit/Roofline/Models.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

int64_t perToken(const ModelConfig &config, const char *format) {
  Result<KvFormat> kv = findKvFormat(format, config);
  EXPECT_TRUE(kv) << kv.status().message();
  return kv ? KvCache(config, *kv).tokenBytes().get() : 0;
}

TEST(KvCache, BytesPerToken) {
  struct Case {
    std::string text;
    int64_t bf16, fp8;
  };
  for (const Case &c : {Case{llama2Text(), 524288, 262144},
                        {llama3Text(), 131072, 65536},
                        {mixtralText(), 131072, 65536},
                        {llama70Text(), 327680, 163840},
                        {qwen25Text(), 57344, 28672}}) {
    EXPECT_EQ(perToken(model(c.text), "bf16"), c.bf16);
    EXPECT_EQ(perToken(model(c.text), "fp8"), c.fp8);
  }
}

TEST(KvCache, LatentAttention) {
  ModelConfig c = model(deepseekV3Text());
  EXPECT_EQ(perToken(c, "bf16"), 70272);
  EXPECT_EQ(perToken(c, "fp8"), 35136);
  EXPECT_EQ(perToken(c, "fp8-mla"), 40016); // 656 B in each of 61 layers
  KvFormat bf16 = *findKvFormat("bf16", c);
  EXPECT_EQ(decompressedTokenBytes(c, bf16).get(), 4997120);
}

/// Query heads never decide: one KV head of 64 is 64 times less.
TEST(KvCache, KvHeadsDecide) {
  ModelConfig c = model(llama70Text());
  for (int64_t kv : {1, 2, 8, 64}) {
    c.kvHeads = kv;
    EXPECT_EQ(perToken(c, "bf16"), 80 * 2 * kv * 128 * 2);
  }
  EXPECT_EQ(perToken(c, "bf16"), 2621440); // multi-head
}

TEST(KvCache, BitsAreNotBytes) {
  ModelConfig c = model(llama3Text());
  EXPECT_EQ(perToken(c, "int8"), 65536);
  EXPECT_EQ(perToken(c, "int4"), 32768);
  EXPECT_EQ(perToken(c, "f32"), 262144);
  // d/2 + d/16 bytes a head; a scale of 4 B a head, K and V each.
  EXPECT_EQ(perToken(c, "nvfp4"), 32 * 2 * 8 * (64 + 8));
  EXPECT_EQ(perToken(c, "fp8-head"), 32 * 2 * 8 * (128 + 4));
}

TEST(KvCache, HeadDimNeedNotBeHiddenOverHeads) {
  ModelConfig c = model(llama3Text());
  c.headDim = 256;
  EXPECT_EQ(perToken(c, "bf16"), 262144);
  EXPECT_EQ(perToken(c, "int4"), 65536);
}

TEST(KvCache, PagesRoundUp) {
  ModelConfig c = model(llama3Text());
  KvCache kv(c, *findKvFormat("bf16", c));
  KvPaging paging{16, 2048};
  EXPECT_EQ(kv.ideal(1).get(), 131072);
  EXPECT_EQ(kv.paged(1, paging).get(), 16 * 131072);
  EXPECT_EQ(kv.paged(16, paging).get(), 16 * 131072);
  EXPECT_EQ(kv.paged(17, paging).get(), 32 * 131072);
  EXPECT_EQ(kv.pagedFull(17, paging).get(), 32 * 131072);
}

TEST(KvCache, Windows) {
  ModelConfig c = model(llama3Text());
  c.window = 1024;
  c.windowLayers = 24;
  KvCache kv(c, *findKvFormat("bf16", c));
  int64_t layer = 4096;
  EXPECT_EQ(kv.ideal(512).get(), 32 * 512 * layer);
  EXPECT_EQ(kv.ideal(8192).get(), (8 * 8192 + 24 * 1024) * layer);
  // ceil((1024 - 1 + 2048) / 16) + 1 = 193 pages in a windowed layer.
  KvPaging paging{16, 2048};
  EXPECT_EQ(kv.paged(8192, paging).get(), (8 * 512 + 24 * 193) * 16 * layer);
  EXPECT_EQ(kv.pagedFull(8192, paging).get(), 32 * 512 * 16 * layer);
  // Never more than the whole sequence.
  EXPECT_EQ(kv.paged(64, paging).get(), 32 * 4 * 16 * layer);
}

TEST(KvCache, FormatsThatDoNotFit) {
  ModelConfig dense = model(llama3Text()), mla = model(deepseekV3Text());
  EXPECT_FALSE(findKvFormat("fp8-mla", dense));
  EXPECT_FALSE(findKvFormat("fp8-head", mla));
  EXPECT_EQ(findKvFormat("fp9", dense).status().message().substr(0, 48),
            "unknown KV format 'fp9'; did you mean 'fp8'? (f3");
}

} // namespace
