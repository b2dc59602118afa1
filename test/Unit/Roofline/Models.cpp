// Models.cpp - the sizes the published config.json files have.
#include "test/Unit/Roofline/Models.h"

#include <gtest/gtest.h>

namespace labgen::test {

static std::string llamaLike(const std::string &type, int layers, int hidden,
                             int heads, int kvHeads, int ffn, int vocab,
                             const std::string &more = "") {
  auto key = [](const char *name, int value) {
    return std::string(", \"") + name + "\": " + std::to_string(value);
  };
  return "{\"model_type\": \"" + type + "\"" +
         key("num_hidden_layers", layers) + key("hidden_size", hidden) +
         key("num_attention_heads", heads) +
         key("num_key_value_heads", kvHeads) + key("intermediate_size", ffn) +
         key("vocab_size", vocab) + ", \"tie_word_embeddings\": false" + more +
         "}";
}

std::string llama2Text() {
  return llamaLike("llama", 32, 4096, 32, 32, 11008, 32000);
}
std::string llama3Text() {
  return llamaLike("llama", 32, 4096, 32, 8, 14336, 128256);
}
std::string llama70Text() {
  return llamaLike("llama", 80, 8192, 64, 8, 28672, 128256);
}
std::string qwen25Text() {
  return llamaLike("qwen2", 28, 3584, 28, 4, 18944, 152064,
                   ", \"use_sliding_window\": false, \"sliding_window\": "
                   "131072, \"max_window_layers\": 28");
}
std::string mixtralText() {
  return llamaLike("mixtral", 32, 4096, 32, 8, 14336, 32000,
                   ", \"num_local_experts\": 8, \"num_experts_per_tok\": 2, "
                   "\"sliding_window\": null");
}
std::string deepseekV3Text() {
  return llamaLike(
      "deepseek_v3", 61, 7168, 128, 128, 18432, 129280,
      ", \"q_lora_rank\": 1536, \"kv_lora_rank\": 512, "
      "\"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64, "
      "\"v_head_dim\": 128, \"n_routed_experts\": 256, "
      "\"n_shared_experts\": 1, \"num_experts_per_tok\": 8, "
      "\"moe_intermediate_size\": 2048, \"first_k_dense_replace\": 3, "
      "\"moe_layer_freq\": 1, \"num_nextn_predict_layers\": 1");
}

ModelConfig model(const std::string &text) {
  Result<ModelConfig> config = readConfig(text, "config.json");
  EXPECT_TRUE(config) << config.status().message();
  return config ? *config : ModelConfig();
}

} // namespace labgen::test
