// ConfigTest.cpp - config files: what is read, and each way to be wrong.
#include "calculator/model/KvCache.h"
#include "calculator/model/Params.h"
#include "test/Unit/Roofline/Models.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

/// A config with one member replaced (or, with an empty value, left out).
std::string changed(std::string text, const std::string &key,
                    const std::string &value) {
  size_t at = text.find("\"" + key + "\"");
  EXPECT_NE(at, std::string::npos) << key;
  size_t end = text.find_first_of(",}", at);
  if (value.empty() && text[end] == ',')
    return text.erase(at, end + 2 - at);
  size_t colon = text.find(':', at);
  return text.replace(colon + 2, end - colon - 2, value);
}
std::string refusal(const std::string &text) {
  Result<ModelConfig> config = readConfig(text, "c.json");
  EXPECT_FALSE(config) << text;
  if (config)
    return "";
  EXPECT_EQ(config.status().exitCode(), ExitCode::BadInput);
  const std::string &message = config.status().message();
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_EQ(message.rfind("c.json", 0), 0u) << message;
  return message;
}

TEST(Config, ReadsPublishedFiles) {
  ModelConfig c = model(llama3Text());
  EXPECT_EQ(c.headDim, 128);
  EXPECT_EQ(c.kvHeads, 8);
  EXPECT_FALSE(c.tied || c.qkvBias || c.isMoe() || c.isMla());
  EXPECT_TRUE(model(qwen25Text()).qkvBias);
  EXPECT_EQ(model(qwen25Text()).windowLayers, 0);
  EXPECT_EQ(model(deepseekV3Text()).moeLayers(), 58);
  EXPECT_EQ(model(mixtralText()).expertFfn, 14336);
}

TEST(Config, DefaultsAreNoted) {
  ModelConfig c = model(changed(llama3Text(), "num_key_value_heads", ""));
  EXPECT_EQ(c.kvHeads, 32);
  ASSERT_EQ(c.notes.size(), 1u);
  EXPECT_EQ(c.notes[0],
            "not in the file, taken from LlamaConfig: num_key_value_heads = "
            "32, attention_bias = false, mlp_bias = false");
  c = model(changed(llama3Text(), "num_key_value_heads", "null"));
  EXPECT_EQ(c.kvHeads, 32);
  EXPECT_EQ(c.notes[0], "num_key_value_heads is null; every head has its own "
                        "keys and values (multi-head attention)");
}

/// What a file leaves out is what its configuration class says, not absent.
TEST(Config, MissingPartsAreNotAbsent) {
  auto minimal = [](const std::string &type, const std::string &more = "") {
    return model("{\"model_type\": \"" + type +
                 "\", \"num_hidden_layers\": 32, \"hidden_size\": 4096" + more +
                 "}");
  };
  ModelConfig mistral = minimal("mistral");
  EXPECT_EQ(mistral.window, 4096);
  EXPECT_EQ(mistral.windowLayers, 32);
  // 0.54 GB at 32768 tokens, where the whole cache would be 4.29 GB.
  EXPECT_EQ(KvCache(mistral, *findKvFormat("bf16", mistral)).ideal(32768).get(),
            536870912);
  EXPECT_EQ(minimal("gpt_oss").window, 128);
  EXPECT_EQ(minimal("gpt_oss").windowLayers, 16);
  EXPECT_EQ(minimal("gemma2").windowLayers, 16);
  EXPECT_EQ(minimal("qwen2", ", \"use_sliding_window\": true").windowLayers, 4);
  EXPECT_EQ(minimal("deepseek_v3").sharedExperts, 1);
  EXPECT_EQ(minimal("deepseek_v3").denseLayers, 3);
  // null says that there is none.
  EXPECT_EQ(minimal("mistral", ", \"sliding_window\": null").window, 0);
}

TEST(Config, OptionsFillGapsAndReplace) {
  GivenSizes given;
  given.numbers[size_t(Field::Vocab)] = 262144;
  Result<ModelConfig> c = readConfig(
      R"({"model_type": "gemma3_text", "num_hidden_layers": 34,
          "hidden_size": 2560, "intermediate_size": 10240})",
      "c.json", given);
  ASSERT_TRUE(c) << c.status().message();
  EXPECT_EQ(c->vocab, 262144);
  EXPECT_EQ(c->heads, 8);
  ASSERT_EQ(c->notes.size(), 1u); // a gap that is filled needs no note
  EXPECT_EQ(c->notes[0].find("vocab_size"), std::string::npos);
  given = {};
  given.numbers[size_t(Field::Layers)] = 4;
  given.numbers[size_t(Field::Heads)] = 16;
  c = readConfig(changed(llama3Text(), "num_hidden_layers", ""), "c.json",
                 given);
  ASSERT_TRUE(c) << c.status().message();
  EXPECT_EQ(c->layers, 4);
  EXPECT_EQ(c->headDim, 256); // follows the option
  EXPECT_EQ(c->notes[0], "--heads 16 replaces 32");
  given = {};
  given.numbers[size_t(Field::KvHeads)] = 4;
  EXPECT_TRUE(readConfig(changed(qwen25Text(), "num_key_value_heads", "null"),
                         "c.json", given));
}

/// A variant of a family is not sized as the family.
TEST(ConfigErrors, PartsThatAFamilyHasNot) {
  auto with = [](const std::string &more) {
    std::string text = llama3Text();
    return text.insert(1, more + ", ");
  };
  EXPECT_EQ(refusal(with("\"num_experts\": 8")),
            "c.json: num_experts is '8', and llama models have no such part "
            "here; leave it out, or give the sizes as options");
  refusal(with("\"n_routed_experts\": [8]"));
  refusal(with("\"kv_lora_rank\": 512"));
  for (const char *harmless :
       {"\"num_experts\": 1", "\"num_experts\": 0", "\"num_experts\": null",
        "\"kv_lora_rank\": null"})
    EXPECT_TRUE(readConfig(with(harmless), "c.json")) << harmless;
  refusal(R"({"model_type": "chatglm", "num_layers": 28, "hidden_size": 4096,
              "inner_hidden_size": 16384})");
  refusal(R"({"model_type": "qwen", "num_hidden_layers": 32,
              "hidden_size": 4096, "no_bias": false})");
}

TEST(Config, DenseLayersByAnOption) {
  GivenSizes given;
  given.numbers[size_t(Field::DenseLayers)] = 2;
  Result<ModelConfig> c = readConfig(
      R"({"model_type": "qwen3_moe", "num_hidden_layers": 8,
          "hidden_size": 2048})",
      "c.json", given);
  ASSERT_TRUE(c) << c.status().message();
  EXPECT_EQ(c->moeLayers(), 6);
  EXPECT_EQ(c->ffn, 6144); // what they are made of is read then
}

TEST(Config, TextModelsOfLargerOnes) {
  ModelConfig c = model(R"({"model_type": "gemma3", "text_config": {
      "model_type": "gemma3_text", "num_hidden_layers": 34,
      "hidden_size": 2560, "intermediate_size": 10240, "sliding_window": 1024},
      "vision_config": {"hidden_size": 1152}})");
  EXPECT_EQ(c.type, "gemma3_text");
  EXPECT_EQ(c.windowLayers, 29);
  EXPECT_NE(c.notes[0].find("text_config of 'gemma3'"), std::string::npos);
  // The type that the wrapper's class says, and keys that stand beside it.
  c = model(R"({"model_type": "gemma3", "tie_word_embeddings": false,
      "quantization_config": {"quant_method": "fp8"}, "text_config": {
      "num_hidden_layers": 34, "hidden_size": 2560}})");
  EXPECT_EQ(c.type, "gemma3_text");
  EXPECT_FALSE(c.tied);
  EXPECT_TRUE(c.quantization);
  // Such a file leaves out what its class has by default, sizes too; others
  // are parts of parts.
  c = model(R"({"model_type": "llava", "text_config": {"vocab_size": 32064}})");
  EXPECT_EQ(c.layers, 32);
  EXPECT_NE(c.notes.back().find("num_hidden_layers = 32, hidden_size = 4096"),
            std::string::npos);
  c = model(R"({"model_type": "qwen2_5_omni", "thinker_config": {
      "model_type": "qwen2_5_omni_thinker", "text_config": {
      "model_type": "qwen2_5_vl_text", "num_hidden_layers": 28,
      "hidden_size": 3584}}})");
  EXPECT_EQ(c.layers, 28);
  EXPECT_NE(refusal(R"({"model_type": "gemma3", "text_config": {
      "num_hidden_layers": -1, "hidden_size": 2560}})")
                .find("c.json: text_config: num_hidden_layers is '-1'"),
            std::string::npos);
}

/// What Python writes beside JSON, and what editors put in front of it.
TEST(Config, WhatPythonReads) {
  std::string text = llama3Text();
  text.insert(1, "\"rope_theta\": Infinity, \"x\": \"a \\\" NaN\", ");
  EXPECT_EQ(model(text).layers, 32);
  EXPECT_NE(refusal(changed(llama3Text(), "hidden_size", "Infinity"))
                .find("hidden_size is '\"Infinity\"'; give a whole number"),
            std::string::npos);
  ModelConfig c = model("\xEF\xBB\xBF" + llama3Text());
  EXPECT_EQ(c.notes.back(), "the file begins with a byte-order mark, which "
                            "Python's json refuses");
}

TEST(Config, BiasesOfLatents) {
  std::string text = deepseekV3Text();
  ModelConfig plain = model(text);
  text.insert(1, "\"attention_bias\": true, ");
  ModelConfig c = model(text);
  // Of the projections down to both latents, and of the output's.
  EXPECT_EQ(countParams(c)->total - countParams(plain)->total,
            61 * (1536 + 576 + 7168));
}

TEST(Config, UnknownFamilies) {
  EXPECT_TRUE(readConfig(changed(deepseekV3Text(), "model_type", "\"kimi_k2\""),
                         "c.json"));
  auto named = [](const char *type) {
    return refusal(
        changed(llama3Text(), "model_type", std::string("\"") + type + "\""));
  };
  EXPECT_NE(named("qwen3_next")
                .find("has layers of linear attention, which is "
                      "not sized here"),
            std::string::npos);
  EXPECT_NE(named("qwen4").find("did you mean 'qwen2'?"), std::string::npos);
  EXPECT_EQ(named("zebra").find("did you mean"), std::string::npos);
  // A layer of another kind is refused in any family.
  std::string text = llama3Text();
  std::string types;
  for (int i = 0; i < 32; ++i)
    types += std::string(i ? ", " : "") + "\"linear_attention\"";
  text.insert(1, "\"layer_types\": [" + types + "], ");
  EXPECT_NE(refusal(text).find("layer_types holds '\"linear_attention\"'"),
            std::string::npos);
}

TEST(Config, Windows) {
  auto layers = [](const std::string &type, const std::string &more) {
    std::string text = changed(llama3Text(), "model_type", "\"" + type + "\"");
    text.insert(text.size() - 1, ", \"sliding_window\": 4096" + more);
    ModelConfig c = model(text);
    EXPECT_EQ(c.window, c.windowLayers ? 4096 : 0);
    return c.windowLayers;
  };
  EXPECT_EQ(layers("mistral", ""), 32);
  EXPECT_EQ(layers("llama", ""), 0);
  EXPECT_EQ(layers("gemma2", ""), 16);
  EXPECT_EQ(layers("gemma3_text", ""), 27);
  EXPECT_EQ(layers("qwen2", ""), 0);
  EXPECT_EQ(layers("qwen2", ", \"use_sliding_window\": true, "
                            "\"max_window_layers\": 20"),
            12);
}

TEST(ConfigErrors, NotAConfig) {
  EXPECT_EQ(refusal(""), "c.json: invalid JSON at byte 1; correct the JSON "
                         "text");
  refusal("{\"model_type\": \"llama\"");
  refusal("null");
  EXPECT_EQ(refusal("[]"),
            "c.json is no JSON object; give a model's config.json");
  EXPECT_NE(refusal("{}").find("model_type is missing; give one that docs"),
            std::string::npos);
  EXPECT_NE(refusal("{\"model_type\": 3}").find("model_type is no text"),
            std::string::npos);
  EXPECT_NE(refusal("{\"model_type\": \"llamas\"}")
                .find("unknown model_type 'llamas'; did you mean 'llama'?"),
            std::string::npos);
  EXPECT_EQ(refusal("{\"model_type\": \"aya_vision\", \"text_config\": "
                    "{\"model_type\": \"glm\"}}"),
            "c.json: text_config: num_hidden_layers is missing; give a whole "
            "number from 1 to 100000, or --layers");
  std::string twice = llama3Text();
  twice.insert(1, "\"vocab_size\": 5, ");
  EXPECT_NE(refusal(twice).find("'vocab_size' stands twice"),
            std::string::npos);
}

/// Without its layers and width a file describes no model.
TEST(ConfigErrors, MissingFields) {
  for (const char *key : {"num_hidden_layers", "hidden_size"})
    EXPECT_NE(refusal(changed(llama3Text(), key, ""))
                  .find(std::string(key) + " is missing; give a whole number"),
              std::string::npos);
  EXPECT_NE(refusal(R"({"model_type": "deepseek_v2", "num_hidden_layers": 2,
                        "hidden_size": 64})")
                .find("num_experts_per_tok is missing"),
            std::string::npos);
  EXPECT_EQ(refusal(changed(mixtralText(), "num_key_value_heads", "null")),
            "c.json: num_key_value_heads is null; give a whole number from 1 "
            "to 65536");
}

TEST(ConfigErrors, ValuesOutOfRange) {
  for (const char *value : {"0", "-1", "1.5", "1e3", "\"32\"", "true", "[]",
                            "99999999999", "100001"})
    EXPECT_NE(refusal(changed(llama3Text(), "num_hidden_layers", value))
                  .find("num_hidden_layers is '"),
              std::string::npos)
        << value;
  EXPECT_EQ(refusal(changed(llama3Text(), "hidden_size", "-4096")),
            "c.json: hidden_size is '-4096'; give a whole number from 1 to "
            "16777216");
  EXPECT_NE(refusal(changed(llama3Text(), "vocab_size", "99999999999999999999"))
                .find("is out of range"),
            std::string::npos);
  EXPECT_EQ(refusal(changed(llama3Text(), "tie_word_embeddings", "\"no\"")),
            "c.json: tie_word_embeddings is '\"no\"'; give true or false");
  // -1 is no way to say that there is no window.
  EXPECT_NE(refusal(changed(mixtralText(), "sliding_window", "-1"))
                .find("sliding_window is '-1'"),
            std::string::npos);
}

TEST(ConfigErrors, Contradictions) {
  EXPECT_EQ(refusal(changed(llama3Text(), "num_attention_heads", "24")),
            "c.json: num_attention_heads is 24 and does not divide hidden_size "
            "(4096); give a divisor, or head_dim");
  EXPECT_EQ(refusal(changed(llama3Text(), "num_key_value_heads", "5")),
            "c.json: num_key_value_heads is 5 and does not divide "
            "num_attention_heads (32); every KV head serves the same number of "
            "query heads; give a divisor");
  EXPECT_EQ(
      refusal(changed(mixtralText(), "num_experts_per_tok", "9")),
      "c.json: num_experts_per_tok is 9 of 8 num_local_experts; give 1 to "
      "8");
  EXPECT_EQ(refusal(changed(deepseekV3Text(), "first_k_dense_replace", "62")),
            "c.json: first_k_dense_replace is 62 of 61 layers; give 0 to 61");
  EXPECT_NE(refusal(changed(deepseekV3Text(), "moe_layer_freq", "2"))
                .find("moe_layer_freq"),
            std::string::npos);
}

TEST(Config, HeadDimMakesOddHeadsLegal) {
  std::string text = changed(llama3Text(), "num_attention_heads", "24");
  text.insert(text.size() - 1, ", \"head_dim\": 128");
  EXPECT_EQ(model(text).headDim, 128);
}

} // namespace
