// Families.h - what a model_type says that its config.json does not (internal).
//
// One row per family of transformers models: which matrices have biases, how
// many norms a layer has, whether embeddings are tied when the file is silent.
#ifndef LABGEN_ROOFLINE_MODEL_FAMILIES_H
#define LABGEN_ROOFLINE_MODEL_FAMILIES_H

#include <string_view>
#include <vector>

namespace labgen {

enum class MoeKeys {
  None,
  Mixtral, ///< num_local_experts; intermediate_size is an expert's
  Qwen,    ///< num_experts, moe_intermediate_size, decoder_sparse_step
  Deepseek ///< n_routed_experts, first_k_dense_replace
};
enum class WindowRule {
  None,
  All,       ///< every layer, when sliding_window is a number
  Qwen,      ///< use_sliding_window, from max_window_layers on
  Alternate, ///< every other layer, beginning with the first
  FiveOfSix  ///< all but every sixth (sliding_window_pattern)
};

struct Family {
  std::string_view type;
  bool tiedDefault = false;
  bool kvDefaultsToHeads = false; ///< a missing num_key_value_heads is heads
  int headDimDefault = 0;         ///< 0: hidden_size / num_attention_heads
  bool qkvBias = false;           ///< always; else attention_bias says
  bool biasDefault = false;       ///< of attention_bias
  bool hasAttentionBias = false;  ///< reads attention_bias (q, k, v and o)
  bool qkNorm = false;
  int layerNorms = 2;
  MoeKeys moe = MoeKeys::None;
  WindowRule window = WindowRule::None;
  bool mla = false;
};

/// In the order they are listed to users.
const std::vector<Family> &families();

} // namespace labgen

#endif // LABGEN_ROOFLINE_MODEL_FAMILIES_H
