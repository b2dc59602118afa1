// CheckpointTest.cpp - quantization_config: bytes of each method, and refusals.
#include "calculator/model/Checkpoint.h"
#include "test/Unit/Roofline/Models.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

ModelConfig quantized(std::string text, const std::string &quantization) {
  text.insert(text.size() - 1, ", \"quantization_config\": " + quantization);
  return model(text);
}
int64_t bytes(const ModelConfig &c) {
  Result<WeightFormat> format = checkpointFormat(c);
  EXPECT_TRUE(format) << format.status().message();
  return format ? *weightBytes(c, *format) : 0;
}
std::string refusal(const std::string &quantization) {
  Result<WeightFormat> format =
      checkpointFormat(quantized(llama3Text(), quantization));
  EXPECT_FALSE(format) << quantization;
  return format ? "" : format.status().message();
}

constexpr int64_t linear = 6979321856, all = 8030261248;
/// Llama-3-8B: bits of all linear layers, the rest in 16.
int64_t llama(double bitsPerWeight, int64_t more = 0) {
  return int64_t(double(linear) / 8 * bitsPerWeight) + 2 * (all - linear) +
         more;
}
// Rows, columns and matrices of its linear layers.
constexpr int64_t rows = 32 * (4096 + 1024 + 1024 + 4096 + 14336 * 2 + 4096),
                  columns = 32 * (6 * 4096 + 14336), matrices = 32 * 7;

std::string gptOss(int layers, int experts) {
  return "{\"model_type\": \"gpt_oss\", \"num_hidden_layers\": " +
         std::to_string(layers) +
         ", \"hidden_size\": 2880, \"num_local_experts\": " +
         std::to_string(experts) + "}";
}

/// The checkpoints' published sizes: 13.8 and 65.2 GB.
TEST(Checkpoint, GptOss) {
  const char *config = R"({"quant_method": "mxfp4", "modules_to_not_convert": [
      "model.layers.*.self_attn", "model.layers.*.mlp.router",
      "model.embed_tokens", "lm_head"]})";
  // 12 GB of experts at 4.25 bits; attention, router, embedding, head in 16.
  int64_t experts = 24 * 32 * 3LL * 2880 * 2880;
  EXPECT_EQ(bytes(quantized(gptOss(24, 32), config)),
            experts / 32 * 17 + 2 * (20914757184 - experts));
  EXPECT_NEAR(double(bytes(quantized(gptOss(24, 32), config))) / 1e9, 13.76,
              5e-3);
  EXPECT_NEAR(double(bytes(quantized(gptOss(36, 128), config))) / 1e9, 65.25,
              5e-3);
}

TEST(Checkpoint, BlocksOfFp8) {
  ModelConfig c = quantized(deepseekV3Text(), R"({"quant_method": "fp8",
      "weight_block_size": [128, 128], "fmt": "e4m3",
      "activation_scheme": "dynamic"})");
  EXPECT_EQ(bytes(c), *weightBytes(c, *findWeightFormat("fp8-block128")));
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "fp8"})")),
            llama(8, 4 * matrices));
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "fbgemm_fp8"})")),
            llama(8, 4 * rows));
}

TEST(Checkpoint, ScalesZerosAndIndices) {
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "gptq",
      "bits": 4, "group_size": 128, "desc_act": false, "sym": true})")),
            llama(4 + 20.0 / 128, 4 * columns));
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "gptq",
      "bits": 8, "group_size": -1})")),
            llama(8, rows * 3 + 4 * columns));
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "awq", "bits": 4,
      "group_size": 128, "zero_point": true, "version": "gemm"})")),
            llama(4 + 20.0 / 128));
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "bitsandbytes",
      "load_in_4bit": true, "bnb_4bit_use_double_quant": false})")),
            llama(4.5));
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "bitsandbytes",
      "load_in_8bit": true})")),
            llama(8, 4 * rows));
  // 8 bits per 64, and 32 per 256 of those.
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "bitsandbytes",
      "load_in_4bit": true, "bnb_4bit_use_double_quant": true})")),
            llama(4.125 + 32.0 / 64 / 256));
}

TEST(Checkpoint, CompressedTensors) {
  auto config = [](const std::string &weights, const std::string &more = "") {
    return quantized(llama3Text(),
                     "{\"quant_method\": \"compressed-tensors\", \"format\": "
                     "\"pack-quantized\", \"ignore\": [\"lm_head\"" +
                         more +
                         "], \"config_groups\": {\"group_0\": {\"targets\": "
                         "[\"Linear\"], \"weights\": " +
                         weights + "}}}");
  };
  EXPECT_EQ(bytes(config(R"({"num_bits": 4, "type": "int", "strategy": "group",
                             "group_size": 32, "symmetric": true})")),
            llama(4.5, 16 * matrices));
  EXPECT_EQ(bytes(config(R"({"num_bits": 8, "type": "float",
                             "strategy": "channel"})")),
            llama(8, 2 * rows + 16 * matrices));
  EXPECT_EQ(bytes(config(R"({"num_bits": 4, "type": "float",
                             "strategy": "tensor_group", "group_size": 16})")),
            llama(4.5, 8 * matrices));
  // One layer's attention by a pattern, one module by its name.
  int64_t attention = 2 * 4096 * (4096 + 1024), down = 4096 * 14336;
  EXPECT_EQ(bytes(config(R"({"num_bits": 8, "type": "int",
                             "strategy": "tensor"})",
                         R"(, "re:.*layers\\.31\\.self_attn.*",
                             "model.layers.3.mlp.down_proj")")),
            llama(8, 2 * (matrices - 5)) + attention + down);
}

TEST(Checkpoint, LayersThatStay) {
  auto kept = [](const std::string &list) {
    return 8 * (bytes(quantized(llama3Text(),
                                "{\"quant_method\": \"awq\", \"bits\": 8, "
                                "\"group_size\": 128, \"zero_point\": false, "
                                "\"modules_to_not_convert\": [" +
                                    list + "]}")) -
                llama(8.125));
  };
  // Each weight kept costs 16 bits for 8.125.
  auto extra = [](int64_t weights) { return weights * 63 / 8; };
  int64_t attention = 2 * 4096 * (4096 + 1024), down = 4096 * 14336;
  EXPECT_EQ(kept(""), 0);
  EXPECT_EQ(kept("\"lm_head\""), 0);
  EXPECT_EQ(kept("\"self_attn\""), extra(32 * attention));
  EXPECT_EQ(kept("\"model.layers.1.self_attn\""), extra(attention));
  EXPECT_EQ(kept("\"model.layers.1\""), extra(attention + 3 * down));
  EXPECT_EQ(kept("\"down_proj\""), extra(32 * down));
  EXPECT_EQ(kept("\"model.layers.2*.mlp.down_proj\""), extra(11 * down));
  EXPECT_EQ(kept("\"gate\""), 0); // no part of gate_proj
}

TEST(Checkpoint, Modelopt) {
  EXPECT_EQ(bytes(quantized(llama3Text(), R"({"quant_method": "modelopt",
      "quant_algo": "NVFP4", "group_size": 16, "ignore": ["lm_head"]})")),
            llama(4.5, 8 * matrices));
  // A head that is not named is a linear layer too.
  EXPECT_LT(bytes(quantized(llama3Text(), R"({"quant_method": "modelopt",
      "quant_algo": "FP8"})")),
            llama(8, 8 * matrices));
}

/// Every way to be unreadable is one line that says what to do.
TEST(Checkpoint, Refusals) {
  for (const char *config :
       {"[]",
        "3",
        "{}",
        R"({"quant_method": "aqlm"})",
        R"({"quant_method": 4})",
        R"({"quant_method": "gptq"})",
        R"({"quant_method": "gptq", "bits": "4"})",
        R"({"quant_method": "gptq", "bits": 4.5})",
        R"({"quant_method": "gptq", "bits": -4})",
        R"({"quant_method": "gptq", "bits": 99999999999})",
        R"({"quant_method": "gptq", "bits": 4, "group_size": 0})",
        R"({"quant_method": "gptq", "bits": 4, "group_size": -2})",
        R"({"quant_method": "gptq", "bits": 4, "dynamic": {"+:x": {}}})",
        R"({"quant_method": "fp8", "weight_block_size": [128, 64]})",
        R"({"quant_method": "fp8", "weight_block_size": 128})",
        R"({"quant_method": "fp8", "weight_block_size": [0, 0]})",
        R"({"quant_method": "fp8", "modules_to_not_convert": "lm_head"})",
        R"({"quant_method": "fp8", "modules_to_not_convert": [3]})",
        R"({"quant_method": "fp8", "modules_to_not_convert": ["re:("]})",
        R"j({"quant_method": "fp8", "modules_to_not_convert": ["re:(?!x)"]})j",
        R"({"quant_method": "fp8", "modules_to_not_convert": ["re:a{9}"]})",
        R"({"quant_method": "fp8", "modules_to_not_convert": ["*"]})",
        R"({"quant_method": "mxfp4"})",
        R"({"quant_method": "bitsandbytes"})",
        R"({"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"})",
        R"({"quant_method": "compressed-tensors"})",
        R"({"quant_method": "compressed-tensors", "config_groups": {"g": {
            "weights": {"num_bits": 4, "strategy": "spiral"}}}})",
        R"({"quant_method": "compressed-tensors", "config_groups": {"g": {
            "weights": {"num_bits": 4, "strategy": "group"},
            "targets": ["FusedMoE"]}}})",
        R"({"quant_method": "compressed-tensors", "sparsity_config": {
            "format": "sparse-24-bitmask"}, "config_groups": {"g": {}}})"}) {
    std::string message = refusal(config);
    EXPECT_EQ(message.rfind("quantization_config", 0), 0u) << message;
    EXPECT_NE(message.find("; "), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_EQ(refusal(R"({"quant_method": "aqlm"})"),
            "quantization_config: quant_method is 'aqlm'; only mxfp4, fp8, "
            "fbgemm_fp8, gptq, awq, compressed-tensors, bitsandbytes or "
            "modelopt are known here; say the format with --weights");
  std::string patterns;
  for (int i = 0; i < 65; ++i)
    patterns += std::string(i ? ", " : "") + "\"a*" + std::to_string(i) + "\"";
  EXPECT_NE(
      refusal("{\"quant_method\": \"fp8\", \"modules_to_not_convert\": [" +
              patterns + "]}")
          .find("more than 64 patterns"),
      std::string::npos);
}

/// A tied or interleaved model keeps its sums.
TEST(Checkpoint, LayersOfExpertsByTheirPlace) {
  ModelConfig c = quantized(R"({"model_type": "llama4_text",
      "num_hidden_layers": 8, "hidden_size": 5120, "num_local_experts": 16,
      "interleave_moe_layer_step": 2})",
                            R"({"quant_method": "fp8",
      "modules_to_not_convert": ["model.layers.1.feed_forward.experts",
                                 "model.layers.2.feed_forward"]})");
  int64_t experts = 16 * 3LL * 5120 * 8192, dense = 3LL * 5120 * 16384;
  ModelConfig all = c;
  all.quantization = *Json::parse(R"({"quant_method": "fp8"})");
  // One byte more for each weight that stays, 4 less for each scale.
  EXPECT_EQ(bytes(c) - bytes(all), experts - 16 * 3 * 4 + dense - 3 * 4);
}

} // namespace
