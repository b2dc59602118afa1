// ParamsTest.cpp - parameter counts of public models, to the unit.
#include "calculator/model/Params.h"
#include "test/Unit/Roofline/Models.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

ParamCounts counts(const ModelConfig &config) {
  Result<ParamCounts> result = countParams(config);
  EXPECT_TRUE(result) << result.status().message();
  return result ? *result : ParamCounts();
}
ParamCounts counts(const std::string &text) { return counts(model(text)); }
int64_t part(const ParamCounts &c, Part p) { return c.parts[size_t(p)]; }

TEST(Params, PublishedTotals) {
  EXPECT_EQ(counts(llama2Text()).total, 6738415616);
  EXPECT_EQ(counts(llama3Text()).total, 8030261248);
  EXPECT_EQ(counts(llama70Text()).total, 70553706496);
  EXPECT_EQ(counts(qwen25Text()).total, 7615616512);
  EXPECT_EQ(counts(mixtralText()).total, 46702792704);
  EXPECT_EQ(counts(mixtralText()).active, 12879925248);
  EXPECT_EQ(counts(deepseekV3Text()).total, 671026419200);
  EXPECT_EQ(counts(deepseekV3Text()).active, 37552297472);
}

TEST(Params, DrillForm) {
  EXPECT_EQ(counts(llama2Text()).linear, 6476005376);
  EXPECT_EQ(counts(llama3Text()).linear, 6979321856);
  EXPECT_EQ(counts(llama70Text()).linear, 68451041280);
  EXPECT_EQ(counts(qwen25Text()).linear, 6525288448);
  EXPECT_EQ(counts(mixtralText()).linear, 46440382464);
  EXPECT_EQ(counts(mixtralText()).activeLinear, 12617515008);
}

TEST(Params, LayerCoefficients) {
  auto coefficient = [](const std::string &text) {
    ModelConfig c = model(text);
    return double(counts(c).activeLayer) / double(c.hidden * c.hidden);
  };
  EXPECT_DOUBLE_EQ(coefficient(llama2Text()), 12.0625);
  EXPECT_DOUBLE_EQ(coefficient(llama3Text()), 13);
  EXPECT_DOUBLE_EQ(coefficient(llama70Text()), 12.75);
  EXPECT_NEAR(coefficient(qwen25Text()), 18.142857, 1e-6);
}

TEST(Params, PartsAddUp) {
  ParamCounts c = counts(qwen25Text());
  EXPECT_EQ(part(c, Part::Biases), 28 * (3584 + 2 * 512));
  EXPECT_EQ(part(c, Part::Norms), 57 * 3584);
  // Published as 6.53B without embeddings.
  EXPECT_EQ(c.total - part(c, Part::Embedding) - part(c, Part::Head),
            6525621760);
  for (const std::string &text :
       {llama2Text(), qwen25Text(), mixtralText(), deepseekV3Text()}) {
    ParamCounts all = counts(text);
    int64_t sum = 0;
    for (int p = 0; p < numParts; ++p)
      if (Part(p) != Part::Mtp)
        sum += all.parts[p];
    EXPECT_EQ(sum, all.total);
  }
}

TEST(Params, DeepseekV3ByPart) {
  ParamCounts c = counts(deepseekV3Text());
  EXPECT_EQ(part(c, Part::Attention) + 61 * (1536 + 512), 61 * 187107328LL);
  EXPECT_EQ(part(c, Part::Ffn), 3 * 396361728LL);
  EXPECT_EQ(part(c, Part::Experts), 58 * 256 * 44040192LL);
  EXPECT_EQ(part(c, Part::SharedExperts), 58 * 44040192LL);
  EXPECT_EQ(part(c, Part::Router) + part(c, Part::Biases),
            58 * (256 * 7168 + 256));
  EXPECT_EQ(part(c, Part::Mtp), 11610068224);
  // The hub's 685B: model, MTP, embedding and head stored again with it,
  // scales.
  EXPECT_EQ(c.total + part(c, Part::Mtp) + 1853358080 + 41540496, 684531386000);
  // The README's 36.7B leaves out the input embedding.
  EXPECT_EQ(c.active - part(c, Part::Embedding), 36625618432);
}

/// Totals the hub shows for other families.
TEST(Params, OtherFamilies) {
  EXPECT_EQ(counts(R"({"model_type": "gpt2", "n_layer": 12, "n_embd": 768,
    "n_head": 12, "n_positions": 1024, "vocab_size": 50257})")
                .total,
            124439808);
  EXPECT_EQ(counts(R"({"model_type": "gemma2", "num_hidden_layers": 42,
    "hidden_size": 3584, "num_attention_heads": 16, "num_key_value_heads": 8,
    "head_dim": 256, "intermediate_size": 14336, "vocab_size": 256000,
    "sliding_window": 4096})")
                .total,
            9241705984);
  EXPECT_EQ(counts(R"({"model_type": "gemma3_text", "num_hidden_layers": 26,
    "hidden_size": 1152, "num_attention_heads": 4, "num_key_value_heads": 1,
    "head_dim": 256, "intermediate_size": 6912, "vocab_size": 262144,
    "sliding_window": 512})")
                .total,
            999885952);
  EXPECT_EQ(counts(R"({"model_type": "phi3", "num_hidden_layers": 32,
    "hidden_size": 3072, "num_attention_heads": 32, "num_key_value_heads": 32,
    "intermediate_size": 8192, "vocab_size": 32064})")
                .total,
            3821079552);
  EXPECT_EQ(counts(R"({"model_type": "qwen3_moe", "num_hidden_layers": 48,
    "hidden_size": 2048, "num_attention_heads": 32, "num_key_value_heads": 4,
    "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768,
    "num_experts": 128, "num_experts_per_tok": 8, "vocab_size": 151936,
    "tie_word_embeddings": false})")
                .total,
            30532122624);
  EXPECT_EQ(counts(R"({"model_type": "qwen2_moe", "num_hidden_layers": 24,
    "hidden_size": 2048, "num_attention_heads": 16, "num_key_value_heads": 16,
    "intermediate_size": 5632, "moe_intermediate_size": 1408,
    "shared_expert_intermediate_size": 5632, "num_experts": 60,
    "num_experts_per_tok": 4, "vocab_size": 151936})")
                .total,
            14315784192);
  EXPECT_EQ(counts(R"({"model_type": "deepseek_v2", "num_hidden_layers": 27,
    "hidden_size": 2048, "num_attention_heads": 16, "kv_lora_rank": 512,
    "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "v_head_dim": 128, "intermediate_size": 10944,
    "moe_intermediate_size": 1408, "n_routed_experts": 64,
    "n_shared_experts": 2, "num_experts_per_tok": 6,
    "first_k_dense_replace": 1, "vocab_size": 102400})")
                .total,
            15706484224);
  EXPECT_EQ(counts(R"({"model_type": "gpt_oss", "num_hidden_layers": 24,
    "hidden_size": 2880, "num_attention_heads": 64, "num_key_value_heads": 8,
    "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 32,
    "num_experts_per_tok": 4, "vocab_size": 201088, "sliding_window": 128})")
                .total,
            20914757184);
}

/// What another calculator makes of Llama-2-7B: plain FFN, tied embeddings.
TEST(Params, GatedAndTiedAreSaidNotGuessed) {
  ModelConfig c = model(llama2Text());
  EXPECT_EQ(counts(c).total, 6738415616);
  c.gated = false;
  EXPECT_EQ(counts(c).total, 6738415616 - 32 * 4096LL * 11008);
  c.tied = true;
  EXPECT_EQ(counts(c).total, 6738415616 - 32 * 4096LL * 11008 - 32000LL * 4096);
  // An FFN of exactly 3.5 d is no more gated than any other.
  ModelConfig wide = c;
  wide.ffn = 14336;
  EXPECT_EQ(part(counts(wide), Part::Ffn), 32 * 2 * 4096LL * 14336);
}

TEST(Params, OverflowIsRefused) {
  ModelConfig c = model(llama2Text());
  c.layers = 100000;
  c.hidden = c.ffn = 1 << 24;
  Result<ParamCounts> result = countParams(c);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.status().message(), "the parameters of this model do not "
                                       "fit 64 bits; use smaller sizes");
}

} // namespace
