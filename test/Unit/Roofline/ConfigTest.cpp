// ConfigTest.cpp - config files: what is read, and each way to be wrong.
#include "lib/Roofline/model/Config.h"
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
  c = model(changed(llama3Text(), "num_key_value_heads", "null"));
  EXPECT_EQ(c.kvHeads, 32);
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
  EXPECT_NE(refusal("{}").find("model_type is missing; give one of llama"),
            std::string::npos);
  EXPECT_NE(refusal("{\"model_type\": 3}").find("model_type is no text"),
            std::string::npos);
  EXPECT_NE(refusal("{\"model_type\": \"lama\"}")
                .find("unknown model_type 'lama'; did you mean 'llama'?"),
            std::string::npos);
  EXPECT_NE(refusal("{\"model_type\": \"gemma3\", \"text_config\": {}}")
                .find("give its text_config alone"),
            std::string::npos);
  std::string twice = llama3Text();
  twice.insert(1, "\"vocab_size\": 5, ");
  EXPECT_NE(refusal(twice).find("'vocab_size' stands twice"),
            std::string::npos);
}

TEST(ConfigErrors, MissingFields) {
  for (const char *key : {"num_hidden_layers", "hidden_size", "vocab_size",
                          "num_attention_heads", "intermediate_size"})
    EXPECT_NE(refusal(changed(llama3Text(), key, ""))
                  .find(std::string(key) + " is missing; give a whole number"),
              std::string::npos);
  for (const char *key : {"num_local_experts", "num_experts_per_tok"})
    EXPECT_NE(refusal(changed(mixtralText(), key, "")).find(key),
              std::string::npos);
  for (const char *key :
       {"kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim",
        "n_routed_experts", "moe_intermediate_size", "q_lora_rank"})
    EXPECT_NE(refusal(changed(deepseekV3Text(), key, "")).find(key),
              std::string::npos);
  EXPECT_NE(refusal(changed(qwen25Text(), "num_key_value_heads", ""))
                .find("num_key_value_heads is missing"),
            std::string::npos);
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
  EXPECT_EQ(refusal(changed(mixtralText(), "num_experts_per_tok", "9")),
            "c.json: num_experts_per_tok is 9 of 8 num_experts; give 1 to 8");
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
