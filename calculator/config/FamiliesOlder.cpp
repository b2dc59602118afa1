// FamiliesOlder.cpp - the rows of older models, and of those whose code is in
// their own repository; sources as in FamiliesDense.cpp.
#include "calculator/config/Families.h"

namespace labgen {

using C = ModelConfig;

static void addGpts(FamilyRows &rows) {
  rows.row("gpt2", "GPT2Config")
      .layers("n_layer|num_hidden_layers")
      .hidden("n_embd|hidden_size")
      .heads(12, "n_head|num_attention_heads")
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(fourHidden, "n_inner")
      .vocab(50257)
      .number(Field::Positions, 1024, "n_positions|max_position_embeddings")
      .tied(true)
      .plainFfn()
      .always({&C::qkvBias, &C::outBias, &C::ffnBias, &C::normBias});
  rows.like("gpt_bigcode", "GPTBigCodeConfig", "gpt2").finish(finishBigcode);
  rows.row("gptj", "GPTJConfig")
      .layers("n_layer|num_hidden_layers")
      .hidden("n_embd|hidden_size")
      .heads(16, "n_head|num_attention_heads")
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(fourHidden, "n_inner")
      .vocab(50400)
      .tied(false)
      .plainFfn()
      .layerNorms(1)
      .always({&C::ffnBias, &C::normBias, &C::headBias});
  rows.like("codegen", "CodeGenConfig", "gptj");
  rows.row("gpt_neox", "GPTNeoXConfig")
      .heads(64)
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(24576)
      .vocab(50432)
      .tied(false)
      .plainFfn()
      .always({&C::ffnBias, &C::normBias})
      .flag("attention_bias", true, {&C::qkvBias, &C::outBias});
  rows.row("opt", "OPTConfig")
      .heads(12)
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(3072, "ffn_dim")
      .vocab(50272)
      .number(Field::Positions, 2048, "max_position_embeddings")
      .tied(true)
      .plainFfn()
      .always({&C::normBias})
      .flag("enable_bias", true, {&C::qkvBias, &C::outBias, &C::ffnBias})
      .finish(finishOpt);
  rows.row("bloom", "BloomConfig")
      .layers("n_layer|num_hidden_layers")
      .hidden("hidden_size|n_embed")
      .heads(8, "n_head|num_attention_heads")
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(fourHidden, "")
      .vocab(250880)
      .tied(true)
      .plainFfn()
      .always({&C::qkvBias, &C::outBias, &C::ffnBias, &C::normBias,
               &C::embeddingNorm});
  rows.row("falcon", "FalconConfig")
      .heads(71)
      .kv(asHeads, asHeads, "num_kv_heads")
      .headDim(hiddenPerHead, "")
      .ffn(fourHidden, "ffn_hidden_size")
      .vocab(65024)
      .tied(true)
      .plainFfn()
      .always({&C::normBias})
      .flag("bias", false, {&C::qkvBias, &C::outBias, &C::ffnBias})
      .finish(finishFalcon);
  rows.row("mpt", "MptConfig")
      .layers("n_layers|num_hidden_layers")
      .hidden("d_model|hidden_size")
      .heads(16, "n_heads|num_attention_heads")
      .kv(asHeads, asHeads, "attn_config.kv_n_heads")
      .headDim(hiddenPerHead, "")
      .ffn(fourHidden, "")
      .vocab(50368)
      .tied(true)
      .plainFfn()
      .finish(finishMpt);
}

static void addRemote(FamilyRows &rows) {
  rows.row("internlm", "InternLMConfig (remote)")
      .heads(32)
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(11008)
      .vocab(103168)
      .tied(false)
      .flag("bias", true, {&C::qkvBias, &C::outBias});
  rows.row("internlm2", "InternLM2Config (remote)")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(11008)
      .vocab(103168)
      .tied(false)
      .flag("bias", true, {&C::qkvBias, &C::outBias});
  rows.row("baichuan", "BaichuanConfig (remote)")
      .heads(32)
      .kv(asHeads, asHeads, "")
      .headDim(hiddenPerHead, "")
      .ffn(11008)
      .vocab(125696)
      .tied(false);
  rows.row("chatglm", "ChatGLMConfig (remote)")
      .layers("num_layers|num_hidden_layers")
      .heads(32)
      .kv(asHeads, asHeads, "")
      .headDim(128, "kv_channels")
      .ffn(13696, "ffn_hidden_size")
      .vocab(65024, "padded_vocab_size")
      .tied(false)
      .flag("add_qkv_bias", false, {&C::qkvBias})
      .flag("add_bias_linear", false, {&C::outBias, &C::ffnBias})
      .finish(finishChatglm);
  rows.row("qwen", "QWenConfig (remote)")
      .heads(32)
      .kv(asHeads, asHeads, "")
      .headDim(128, "kv_channels")
      .ffn(22016)
      .vocab(151936)
      .tied(false)
      .always({&C::qkvBias})
      .finish(finishQwen);
  rows.row("minicpm", "MiniCPMConfig (remote)")
      .heads(32)
      .kv(asHeads)
      .headDim(hiddenPerHead)
      .ffn(11008)
      .vocab(32000)
      .tied(true)
      .flag("attention_bias", false, {&C::qkvBias, &C::outBias});
}

void addOlderFamilies(FamilyRows &rows) {
  addGpts(rows);
  addRemote(rows);
}

} // namespace labgen
