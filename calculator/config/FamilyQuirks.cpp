// FamilyQuirks.cpp - what a row of the table of families cannot say.
#include "calculator/config/ConfigReader.h"

using namespace labgen;

/// One norm before both branches where they are parallel.
void labgen::finishStablelm(ConfigReader &reader, ModelConfig &c) {
  c.layerNorms = reader.flag("use_parallel_residual", false) ? 1 : 2;
}

/// The newer architecture has KV heads and, when parallel, two norms; the older
/// one shares one KV head unless multi_query is false.
void labgen::finishFalcon(ConfigReader &reader, ModelConfig &c) {
  bool newer = reader.flag("new_decoder_architecture", false);
  if (!newer)
    c.kvHeads = reader.flag("multi_query", true) ? 1 : c.heads;
  bool parallel = newer || reader.flag("parallel_attn", true);
  c.layerNorms = !parallel ? 2 : newer ? 2 : 1;
  if (newer && reader.find("num_ln_in_parallel_attn"))
    c.layerNorms = reader.numberOrNull("num_ln_in_parallel_attn", 2, 2, 1, 2);
}

void labgen::finishBigcode(ConfigReader &reader, ModelConfig &c) {
  if (reader.flag("multi_query", true))
    c.kvHeads = 1;
}

void labgen::finishChatglm(ConfigReader &reader, ModelConfig &c) {
  if (reader.find("inner_hidden_size"))
    reader.fail("inner_hidden_size is of the first ChatGLM, whose layers are "
                "others",
                "give the sizes as options");
  if (reader.flag("multi_query_attention", false))
    c.kvHeads = reader.number("multi_query_group_num", 1, 1, 65536);
}

/// Two positions stand before the first token's.
void labgen::finishOpt(ConfigReader &reader, ModelConfig &c) {
  c.positions += 2;
  if (!reader.flag("do_layer_norm_before", true) ||
      (reader.find("word_embed_proj_dim") &&
       reader.number("word_embed_proj_dim", c.hidden, 1, 1 << 24) != c.hidden))
    reader.fail("norms behind each layer or embeddings narrower than "
                "hidden_size",
                "neither can be sized here; give the sizes as options");
}

/// expansion_ratio is in units of d_model.
void labgen::finishMpt(ConfigReader &reader, ModelConfig &c) {
  c.ffn = c.hidden * reader.number("expansion_ratio", 4, 1, 1024);
  if (!reader.flag("no_bias", true))
    reader.fail("no_bias is false", "the modelling code has no biases to "
                                    "count; leave it out");
}

/// intermediate_size counts gate and up together.
void labgen::finishQwen(ConfigReader &reader, ModelConfig &c) {
  if (!reader.flag("no_bias", true))
    reader.fail("no_bias is false", "its other biases are not counted here; "
                                    "give the sizes as options");
  if (c.ffn % 2 != 0)
    reader.fail("intermediate_size is " + std::to_string(c.ffn) +
                    " and counts two matrices",
                "give an even number");
  c.ffn /= 2;
}
