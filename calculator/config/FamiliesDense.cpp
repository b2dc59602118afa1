// FamiliesDense.cpp - the rows of dense models.
//
// Defaults are those of the configuration class named in each row, as of
// transformers 5.24 (src/transformers/models/*/configuration_*.py); norms,
// biases and window patterns are from the modelling code beside it. Classes
// marked "(remote)" are in the model's own repository.
#include "calculator/config/Families.h"

namespace labgen {

using C = ModelConfig;

static void addLlamas(FamilyRows &rows) {
  rows.row("llama", "LlamaConfig")
      .nested(32, 4096)
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(11008)
      .vocab(32000)
      .tied(false)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .flag("mlp_bias", false, {&C::ffnBias});
  rows.like("granite", "GraniteConfig", "llama");
  rows.like("arcee", "ArceeConfig", "llama")
      .nested(32, 2560)
      .ffn(18432)
      .plainFfn();
  rows.like("exaone", "ExaoneConfig", "llama")
      .nested(32, 4096)
      .layers("num_layers|num_hidden_layers")
      .kv(8, asHeads)
      .ffn(14336)
      .vocab(102400);
  rows.like("helium", "HeliumConfig", "llama")
      .nested(24, 2560)
      .heads(20)
      .kv(20)
      .headDim(128)
      .ffn(7040)
      .vocab(48000)
      .flag("attention_bias", false, {&C::qkvBias});
  rows.like("seed_oss", "SeedOssConfig", "llama")
      .nested(64, 4096)
      .heads(80)
      .kv(8, asHeads)
      .headDim(128)
      .ffn(27648)
      .vocab(155136)
      .flag("attention_bias", true, {&C::qkvBias})
      .flag("attention_out_bias", false, {&C::outBias});
  rows.like("smollm3", "SmolLM3Config", "llama")
      .nested(36, 2048)
      .heads(16)
      .kv(4, asHeads)
      .vocab(128256)
      .tied(true)
      .window(WindowRule::Listed, absent)
      .windowIf("use_sliding_window", 0);
  rows.like("ernie4_5", "Ernie4_5Config", "llama")
      .nested(18, 1024)
      .heads(16)
      .kv(2, asHeads)
      .headDim(128)
      .ffn(3072)
      .vocab(103424)
      .tied(true)
      .noFlags()
      .tied(true)
      .flag("use_bias", false, {&C::qkvBias, &C::outBias, &C::ffnBias});
  rows.like("hunyuan_v1_dense", "HunYuanDenseV1Config", "llama")
      .nested(32, 4096)
      .vocab(290943)
      .noFlags()
      .tied(false)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .always({&C::qkNorm});
  rows.like("nemotron", "NemotronConfig", "llama")
      .nested(32, 6144)
      .heads(48)
      .ffn(24576)
      .vocab(256000)
      .plainFfn()
      .always({&C::normBias});
  rows.like("internlm3", "InternLM3Config", "llama")
      .nested(48, 4096)
      .kv(2, asHeads)
      .headDim(128)
      .ffn(10240)
      .vocab(128512)
      .noFlags()
      .tied(false)
      .flag("qkv_bias|attention_bias", false, {&C::qkvBias})
      .flag("bias|mlp_bias", false, {&C::outBias, &C::ffnBias});
  rows.like("cwm", "CwmConfig", "llama")
      .nested(64, 6144)
      .heads(48)
      .kv(8)
      .headDim(128)
      .ffn(21504)
      .vocab(128256)
      .noFlags()
      .tied(false)
      .window(WindowRule::Listed, 8192);
}

static void addMistrals(FamilyRows &rows) {
  rows.row("mistral", "MistralConfig")
      .nested(32, 4096)
      .heads(32)
      .kv(8)
      .headDim(hiddenPerHead)
      .ffn(14336)
      .vocab(32000)
      .tied(false)
      .window(WindowRule::All, 4096);
  rows.like("ministral", "MinistralConfig", "mistral");
  rows.like("ministral3", "Ministral3Config", "mistral")
      .nested(34, 4096)
      .headDim(128)
      .vocab(131072)
      .window(WindowRule::All, absent);
}

static void addQwens(FamilyRows &rows) {
  rows.row("qwen2", "Qwen2Config")
      .nested(32, 4096)
      .heads(32)
      .kv(32, asHeads)
      .headDim(hiddenPerHead)
      .ffn(22016)
      .vocab(151936)
      .tied(false)
      .always({&C::qkvBias})
      .window(WindowRule::From, 4096)
      .windowIf("use_sliding_window", 28);
  rows.like("qwen2_5_vl_text", "Qwen2_5_VLTextConfig", "qwen2")
      .nested(80, 8192)
      .heads(64)
      .kv(8, asHeads)
      .ffn(29568)
      .vocab(152064)
      .windowIf("use_sliding_window", 80);
  rows.like("qwen2_vl_text", "Qwen2VLTextConfig", "qwen2_5_vl_text");
  // Their files hold the text model's keys at the top.
  rows.like("qwen2_vl", "Qwen2VLTextConfig", "qwen2_5_vl_text");
  rows.like("qwen2_5_vl", "Qwen2_5_VLTextConfig", "qwen2_5_vl_text");
  rows.row("qwen3", "Qwen3Config")
      .nested(32, 4096)
      .heads(32)
      .kv(32, asHeads)
      .headDim(128)
      .ffn(22016)
      .vocab(151936)
      .tied(false)
      .always({&C::qkNorm})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .window(WindowRule::From, 4096)
      .windowIf("use_sliding_window", 28);
  rows.like("qwen3_vl_text", "Qwen3VLTextConfig", "qwen3").noWindow();
}

static void addGemmas(FamilyRows &rows) {
  rows.row("gemma", "GemmaConfig")
      .nested(28, 3072)
      .heads(16)
      .kv(16)
      .headDim(256)
      .ffn(24576)
      .vocab(256000)
      .tied(true)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.like("gemma2", "Gemma2Config", "gemma")
      .nested(26, 2304)
      .heads(8)
      .kv(4)
      .ffn(9216)
      .layerNorms(4)
      .window(WindowRule::Every, 4096, 2, "");
  rows.like("gemma3_text", "Gemma3TextConfig", "gemma2")
      .vocab(262208)
      .always({&C::qkNorm})
      .window(WindowRule::Every, 4096, 6,
              "sliding_window_pattern|_sliding_window_pattern");
  rows.like("vaultgemma", "VaultGemmaConfig", "gemma2").layerNorms(2);
}

static void addOlmos(FamilyRows &rows) {
  rows.row("olmo", "OlmoConfig")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(11008)
      .vocab(50304)
      .tied(false)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .layerNorms(0)
      .finalNorm(false);
  rows.like("olmo2", "Olmo2Config", "olmo")
      .layerNorms(2)
      .finalNorm(true)
      .always({&C::wideQkNorm});
  rows.like("olmo3", "Olmo3Config", "olmo2")
      .window(WindowRule::Every, 4096, 4, "");
}

static void addCoheres(FamilyRows &rows) {
  rows.row("cohere", "CohereConfig")
      .nested(40, 8192)
      .heads(64)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(22528)
      .vocab(256000)
      .tied(true)
      .layerNorms(1)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .flag("use_qk_norm", false, {&C::wideQkNorm});
  rows.row("cohere2", "Cohere2Config")
      .nested(40, 8192)
      .heads(64)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(22528)
      .vocab(256000)
      .tied(true)
      .layerNorms(1)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .window(WindowRule::Every, 4096, 4);
}

void addDenseFamilies(FamilyRows &rows) {
  addLlamas(rows);
  addMistrals(rows);
  addQwens(rows);
  addGemmas(rows);
  addOlmos(rows);
  addCoheres(rows);
  rows.row("phi", "PhiConfig")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(8192)
      .vocab(51200)
      .tied(false)
      .plainFfn()
      .layerNorms(1)
      .always(
          {&C::qkvBias, &C::outBias, &C::ffnBias, &C::normBias, &C::headBias})
      .flag("qk_layernorm", false, {&C::qkNorm});
  rows.row("phi3", "Phi3Config")
      .nested(32, 3072)
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(8192)
      .vocab(32064)
      .tied(false)
      .window(WindowRule::All, absent);
  rows.row("glm", "GlmConfig")
      .heads(32)
      .kv(2)
      .headDim(128)
      .ffn(13696)
      .vocab(151552)
      .tied(false)
      .flag("attention_bias", true, {&C::qkvBias});
  rows.like("glm4", "Glm4Config", "glm").layerNorms(4);
  rows.row("starcoder2", "Starcoder2Config")
      .heads(24)
      .kv(2)
      .headDim(hiddenPerHead)
      .ffn(12288)
      .vocab(49152)
      .tied(true)
      .plainFfn()
      .always({&C::normBias})
      .flag("use_bias", true, {&C::qkvBias, &C::outBias, &C::ffnBias})
      .window(WindowRule::All, absent);
  rows.row("stablelm", "StableLmConfig")
      .heads(32)
      .kv(32)
      .headDim(hiddenPerHead)
      .ffn(6912)
      .vocab(50304)
      .tied(false)
      .always({&C::normBias})
      .flag("use_qkv_bias", false, {&C::qkvBias})
      .flag("qk_layernorm", false, {&C::wideQkNorm})
      .finish(finishStablelm);
  rows.row("exaone4", "Exaone4Config")
      .heads(32)
      .kv(32)
      .headDim(hiddenPerHead)
      .ffn(16384)
      .vocab(102400)
      .tied(false)
      .always({&C::qkNorm})
      .window(WindowRule::Every, 4096, 4);
  rows.row("apertus", "ApertusConfig")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(14336)
      .vocab(131072)
      .tied(false)
      .plainFfn()
      .activation(2)
      .always({&C::qkNorm})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.row("persimmon", "PersimmonConfig")
      .heads(64)
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(16384)
      .vocab(262144)
      .tied(false)
      .plainFfn()
      .always({&C::qkvBias, &C::outBias, &C::ffnBias, &C::normBias})
      .flag("qk_layernorm", true, {&C::qkNorm});
  rows.row("jais2", "Jais2Config")
      .heads(26)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(26624)
      .vocab(150272)
      .tied(false)
      .plainFfn()
      .always({&C::normBias})
      .flag("attention_bias", true, {&C::qkvBias, &C::outBias})
      .flag("mlp_bias", true, {&C::ffnBias});
  rows.row("youtu", "YoutuConfig")
      .heads(16)
      .latent(1536, 512, 128, 64, 128)
      .ffn(6144)
      .vocab(128256)
      .tied(true)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.row("minicpm3", "MiniCPM3Config")
      .heads(40)
      .latent(768, 256, 64, 32, hiddenPerHead)
      .ffn(6400)
      .vocab(73448)
      .tied(true)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .flag("mlp_bias", false, {&C::ffnBias});
}

} // namespace labgen
