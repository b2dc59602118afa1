// FamiliesExperts.cpp - the rows of models with experts; sources as in
// FamiliesDense.cpp.
#include "calculator/config/Families.h"

namespace labgen {

using C = ModelConfig;

static void addQwenExperts(FamilyRows &rows) {
  rows.row("qwen2_moe", "Qwen2MoeConfig")
      .heads(16)
      .kv(16)
      .headDim(hiddenPerHead)
      .ffn(5632)
      .vocab(151936)
      .tied(false)
      .experts(60, "num_experts|num_local_experts", 4, "num_experts_per_tok",
               1408, "moe_intermediate_size")
      .shared(1, "", 5632, "shared_expert_intermediate_size")
      .layersOfExperts(DenseRule::Qwen)
      .always({&C::sharedGate})
      .flag("qkv_bias", true, {&C::qkvBias})
      .window(WindowRule::Listed, 4096)
      .windowIf("use_sliding_window", 28);
  rows.row("qwen3_moe", "Qwen3MoeConfig")
      .nested(24, 2048)
      .heads(32)
      .kv(4)
      .headDim(hiddenPerHead)
      .ffn(6144)
      .vocab(151936)
      .tied(false)
      .experts(128, "num_experts|num_local_experts", 8, "num_experts_per_tok",
               768, "moe_intermediate_size")
      .layersOfExperts(DenseRule::Qwen)
      .always({&C::qkNorm})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .window(WindowRule::All, 4096)
      .windowIf("use_sliding_window", 0);
  rows.like("qwen3_vl_moe_text", "Qwen3VLMoeTextConfig", "qwen3_moe")
      .heads(16)
      .kv(16)
      .headDim(128)
      .ffn(5632)
      .experts(60, "num_experts|num_local_experts", 4, "num_experts_per_tok",
               1408, "moe_intermediate_size")
      .tied(true)
      .noWindow();
}

static void addDeepseeks(FamilyRows &rows) {
  rows.row("deepseek_v2", "DeepseekV2Config")
      .heads(32)
      .latent(1536, 512, 128, 64, 128)
      .ffn(11008)
      .vocab(102400)
      .tied(false)
      .experts(64, "n_routed_experts", needed, "num_experts_per_tok", 1407,
               "moe_intermediate_size")
      .shared(2, "n_shared_experts")
      .firstDense(0)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .flag("mlp_bias", false, {&C::ffnBias, &C::sharedBias});
  rows.row("deepseek_v3", "DeepseekV3Config")
      .nested(61, 7168)
      .heads(128)
      .latent(1536, 512, 128, 64, 128)
      .ffn(18432)
      .vocab(129280)
      .tied(false)
      .experts(256, "n_routed_experts|num_local_experts", 8,
               "num_experts_per_tok", 2048, "moe_intermediate_size")
      .shared(1, "n_shared_experts")
      .firstDense(3)
      .number(Field::MtpLayers, 1)
      .always({&C::routerBias})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  // The files of Kimi K2 are DeepSeek-V3's with other numbers.
  rows.like("kimi_k2", "DeepseekV3Config (remote)", "deepseek_v3")
      .number(Field::MtpLayers, absent);
  rows.row("deepseek", "DeepseekConfig (remote)")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(11008)
      .vocab(102400)
      .tied(false)
      .experts(needed, "n_routed_experts", needed, "num_experts_per_tok", 1407,
               "moe_intermediate_size")
      .shared(absent, "n_shared_experts")
      .firstDense(0)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
}

static void addGlms(FamilyRows &rows) {
  rows.row("glm4_moe", "Glm4MoeConfig")
      .heads(96)
      .kv(8)
      .headDim(hiddenPerHead)
      .ffn(10944)
      .vocab(151552)
      .tied(false)
      .experts(128, "n_routed_experts|num_local_experts", 8,
               "num_experts_per_tok", 1408, "moe_intermediate_size")
      .shared(1, "n_shared_experts")
      .firstDense(1)
      .number(Field::MtpLayers, 1)
      .always({&C::routerBias})
      .flag("attention_bias", false, {&C::qkvBias})
      .flag("use_qk_norm", false, {&C::qkNorm});
  rows.like("glm4v_moe_text", "Glm4vMoeTextConfig", "glm4_moe")
      .vocab(151424)
      .number(Field::MtpLayers, absent)
      .noFlags()
      .tied(false)
      .flag("attention_bias", true, {&C::qkvBias});
  rows.row("glm4_moe_lite", "Glm4MoeLiteConfig")
      .heads(20)
      .latent(768, 512, 192, 64, 256)
      .ffn(10240)
      .vocab(154880)
      .tied(false)
      .experts(64, "n_routed_experts|num_local_experts", 4,
               "num_experts_per_tok", 1536, "moe_intermediate_size")
      .shared(1, "n_shared_experts")
      .firstDense(1)
      .number(Field::MtpLayers, absent)
      .always({&C::routerBias})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.row("dots1", "Dots1Config")
      .heads(32)
      .kv(32, asHeads)
      .headDim(hiddenPerHead)
      .ffn(10944)
      .vocab(152064)
      .tied(false)
      .experts(needed, "n_routed_experts|num_local_experts", needed,
               "num_experts_per_tok", 1408, "moe_intermediate_size")
      .shared(absent, "n_shared_experts")
      .firstDense(0)
      .always({&C::routerBias, &C::qkNorm})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .window(WindowRule::From, 4096)
      .windowIf("", 62);
  rows.row("solar_open", "SolarOpenConfig")
      .heads(64)
      .kv(8)
      .headDim(128)
      .vocab(196608)
      .tied(false)
      .experts(128, "n_routed_experts|num_local_experts", 8,
               "num_experts_per_tok", 1280, "moe_intermediate_size")
      .shared(1, "n_shared_experts")
      .always({&C::routerBias})
      .flag("attention_bias", false, {&C::qkvBias});
}

static void addMixtrals(FamilyRows &rows) {
  rows.row("mixtral", "MixtralConfig")
      .nested(32, 4096)
      .heads(32)
      .kv(8)
      .headDim(hiddenPerHead)
      .vocab(32000)
      .tied(false)
      .experts(8, "num_local_experts|num_experts", 2, "num_experts_per_tok",
               14336, "intermediate_size")
      .window(WindowRule::All, absent);
  rows.like("phimoe", "PhimoeConfig", "mixtral")
      .vocab(32064)
      .experts(16, "num_local_experts|num_experts", 2, "num_experts_per_tok",
               6400, "intermediate_size")
      .always({&C::normBias})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .flag("lm_head_bias", false, {&C::headBias});
  rows.row("granitemoe", "GraniteMoeConfig")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .vocab(32000)
      .tied(false)
      .experts(8, "num_local_experts|num_experts", 2, "num_experts_per_tok",
               11008, "intermediate_size")
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.like("granitemoeshared", "GraniteMoeSharedConfig", "granitemoe")
      .shared(1, "", absent, "shared_intermediate_size");
  rows.row("olmoe", "OlmoeConfig")
      .heads(16)
      .kv(16, asHeads)
      .headDim(hiddenPerHead)
      .vocab(50304)
      .tied(false)
      .experts(64, "num_experts|num_local_experts", 8, "num_experts_per_tok",
               2048, "intermediate_size")
      .always({&C::wideQkNorm})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.like("flex_olmo", "FlexOlmoConfig", "olmoe")
      .heads(32)
      .kv(asHeads)
      .vocab(100352)
      .experts(7, "num_experts|num_local_experts", 5, "num_experts_per_tok",
               11008, "intermediate_size");
  rows.row("minimax_m2", "MiniMaxM2Config")
      .heads(48)
      .kv(8)
      .headDim(128)
      .vocab(200064)
      .tied(false)
      .experts(256, "num_local_experts|num_experts", 8, "num_experts_per_tok",
               1536, "intermediate_size")
      .always({&C::wideQkNorm, &C::routerBias});
  rows.row("gpt_oss", "GptOssConfig")
      .heads(64)
      .kv(8)
      .headDim(64)
      .vocab(201088)
      .tied(false)
      .experts(128, "num_local_experts|num_experts", 4,
               "num_experts_per_tok|experts_per_token", 2880,
               "intermediate_size")
      .always({&C::sinks, &C::expertBias})
      .flag("attention_bias", true, {&C::qkvBias, &C::outBias})
      .window(WindowRule::Every, 128, 2, "");
}

void addExpertFamilies(FamilyRows &rows) {
  addMixtrals(rows);
  addQwenExperts(rows);
  addDeepseeks(rows);
  addGlms(rows);
  rows.row("llama4_text", "Llama4TextConfig")
      .nested(48, 5120)
      .heads(40)
      .kv(8, asHeads)
      .headDim(128)
      .ffn(16384, "intermediate_size_mlp")
      .vocab(202048)
      .tied(false)
      .experts(16, "num_local_experts", 1, "num_experts_per_tok", 8192,
               "intermediate_size")
      .shared(1, "")
      .layersOfExperts(DenseRule::Llama)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .window(WindowRule::Every, 8192, 4, "no_rope_layer_interval")
      .number(Field::Window, 8192, "attention_chunk_size", absent);
  rows.row("afmoe", "AfmoeConfig")
      .heads(16)
      .kv(16, asHeads)
      .headDim(128)
      .ffn(6144)
      .vocab(200192)
      .tied(false)
      .experts(64, "num_experts|num_local_experts", 6, "num_experts_per_tok",
               1408, "moe_intermediate_size")
      .shared(2, "num_shared_experts")
      .firstDense(1, "num_dense_layers")
      .layerNorms(4)
      .always({&C::qkNorm, &C::routerBias, &C::attentionGate})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .window(WindowRule::Every, 1024, 4, "global_attn_every_n_layers");
  rows.row("exaone_moe", "ExaoneMoeConfig")
      .heads(32)
      .kv(32)
      .headDim(hiddenPerHead)
      .ffn(16384)
      .vocab(102400)
      .tied(false)
      .experts(64, "num_experts|num_local_experts", 8, "num_experts_per_tok",
               1024, "moe_intermediate_size")
      .shared(1, "num_shared_experts")
      .firstDense(1)
      .always({&C::qkNorm, &C::routerBias})
      .window(WindowRule::Every, 4096, 4);
  rows.row("hy_v3", "HYV3Config")
      .heads(64)
      .kv(8)
      .headDim(128)
      .ffn(13312)
      .vocab(120832)
      .tied(false)
      .experts(192, "num_experts|num_local_experts", 8, "num_experts_per_tok",
               1536, "moe_intermediate_size")
      .shared(1, "num_shared_experts")
      .firstDense(1)
      .always({&C::qkNorm, &C::routerBias})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias})
      .flag("mlp_bias", false, {&C::ffnBias, &C::sharedBias});
  rows.row("ernie4_5_moe", "Ernie4_5_MoeConfig")
      .heads(20)
      .kv(4)
      .headDim(hiddenPerHead)
      .ffn(12288)
      .vocab(103424)
      .tied(true)
      .experts(64, "moe_num_experts|num_experts", 6,
               "moe_k|num_experts_per_tok", 1536, "moe_intermediate_size")
      .shared(2, "moe_num_shared_experts")
      .layersOfExperts(DenseRule::Ernie)
      .always({&C::routerBias})
      .flag("use_bias", false,
            {&C::qkvBias, &C::outBias, &C::ffnBias, &C::sharedBias,
             &C::headBias});
  rows.row("hunyuan_v1_moe", "HunYuanMoEV1Config")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .vocab(290943)
      .tied(false)
      .experts(1, "num_experts", 1, "moe_topk", 11008, "intermediate_size")
      .shared(1, "num_shared_expert")
      .always({&C::qkNorm})
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
  rows.row("dbrx", "DbrxConfig")
      .layers("n_layers|num_hidden_layers")
      .hidden("d_model|hidden_size")
      .heads(16, "n_heads|num_attention_heads")
      .kv(1, needed, "attn_config.kv_n_heads")
      .headDim(hiddenPerHead)
      .vocab(32000)
      .tied(false)
      .experts(4, "ffn_config.moe_num_experts", 1, "ffn_config.moe_top_k", 3584,
               "ffn_config.ffn_hidden_size");
}

} // namespace labgen
