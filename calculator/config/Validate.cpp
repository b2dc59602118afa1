// Validate.cpp - ranges of fields and what must fit together.
#include "calculator/config/Config.h"

using namespace labgen;

namespace {

constexpr int64_t wide = 1 << 24;

constexpr FieldInfo fields[] = {
    {Field::Layers, &ModelConfig::layers, "--layers", "num_hidden_layers", 1,
     100000},
    {Field::Hidden, &ModelConfig::hidden, "--hidden", "hidden_size", 1, wide},
    {Field::Heads, &ModelConfig::heads, "--heads", "num_attention_heads", 1,
     65536},
    {Field::KvHeads, &ModelConfig::kvHeads, "--kv-heads", "num_key_value_heads",
     1, 65536},
    {Field::HeadDim, &ModelConfig::headDim, "--head-dim", "head_dim", 1, 65536},
    {Field::Ffn, &ModelConfig::ffn, "--ffn", "intermediate_size", 1, wide},
    {Field::Vocab, &ModelConfig::vocab, "--vocab", "vocab_size", 1, 1 << 28},
    {Field::Experts, &ModelConfig::experts, "--experts", "num_experts", 1,
     65536},
    {Field::TopK, &ModelConfig::topK, "--top-k", "num_experts_per_tok", 1,
     65536},
    {Field::ExpertFfn, &ModelConfig::expertFfn, "--expert-ffn",
     "moe_intermediate_size", 1, wide},
    {Field::SharedExperts, &ModelConfig::sharedExperts, "--shared-experts",
     "n_shared_experts", 0, 65536},
    {Field::SharedFfn, &ModelConfig::sharedFfn, "--shared-ffn",
     "shared_expert_intermediate_size", 1, wide},
    {Field::DenseLayers, &ModelConfig::denseLayers, "--dense-layers",
     "first_k_dense_replace", 0, 100000},
    {Field::QRank, &ModelConfig::qRank, "--q-rank", "q_lora_rank", 1, wide},
    {Field::KvRank, &ModelConfig::kvRank, "--kv-rank", "kv_lora_rank", 1, wide},
    {Field::NopeDim, &ModelConfig::nopeDim, "--nope-dim", "qk_nope_head_dim", 1,
     65536},
    {Field::RopeDim, &ModelConfig::ropeDim, "--rope-dim", "qk_rope_head_dim", 1,
     65536},
    {Field::VDim, &ModelConfig::vDim, "--v-dim", "v_head_dim", 1, 65536},
    {Field::Window, &ModelConfig::window, "--window", "sliding_window", 1,
     int64_t(1) << 40},
    {Field::WindowLayers, &ModelConfig::windowLayers, "--window-layers",
     "layer_types", 1, 100000},
    {Field::Positions, &ModelConfig::positions, nullptr, "n_positions", 1,
     int64_t(1) << 32},
    {Field::MtpLayers, &ModelConfig::mtpLayers, nullptr,
     "num_nextn_predict_layers", 0, 100},
};
static_assert(sizeof fields / sizeof *fields == numFields);

std::vector<std::string> names(const char *FieldInfo::*source) {
  std::vector<std::string> out;
  for (const FieldInfo &field : fields)
    out.push_back(field.*source ? field.*source : field.jsonKey);
  return out;
}

/// The checks between fields, in the words of their source.
class Checker {
public:
  Checker(const ModelConfig &c, const std::vector<std::string> &names)
      : c(c), names(names) {}

  Status all() const {
    if (Status s = ranges(); !s)
      return s;
    if (Status s = attention(); !s)
      return s;
    if (Status s = experts(); !s)
      return s;
    return window();
  }

private:
  const ModelConfig &c;
  const std::vector<std::string> &names;

  std::string is(Field field) const {
    return names[size_t(field)] + " is " +
           std::to_string(c.*info(field).member);
  }
  Status bad(const std::string &what, const std::string &advice) const {
    return Status::badInput(what + "; " + advice);
  }

  Status ranges() const {
    // What stays 0 when a model has no such part.
    auto isOptional = [&](Field field) {
      switch (field) {
      case Field::Layers:
      case Field::Hidden:
      case Field::Heads:
      case Field::Vocab:
        return false;
      case Field::KvHeads:
      case Field::HeadDim:
        return c.isMla();
      case Field::Ffn:
        return c.isMoe() && c.denseLayers == 0;
      default:
        return true;
      }
    };
    for (const FieldInfo &field : fields) {
      int64_t value = c.*field.member;
      if (value == 0 && isOptional(field.field))
        continue;
      if (value < field.low || value > field.high)
        return bad(is(field.field), "give a whole number from " +
                                        std::to_string(field.low) + " to " +
                                        std::to_string(field.high));
    }
    return Status::ok();
  }

  Status attention() const {
    if (!c.isMla()) {
      if (c.heads % c.kvHeads != 0)
        return bad(is(Field::KvHeads) + " and does not divide " +
                       names[size_t(Field::Heads)] + " (" +
                       std::to_string(c.heads) + ")",
                   "every KV head serves the same number of query heads; give "
                   "a divisor");
      for (Field f :
           {Field::QRank, Field::NopeDim, Field::RopeDim, Field::VDim})
        if (c.*info(f).member)
          return bad(is(f) + " without " + names[size_t(Field::KvRank)],
                     "give all MLA sizes or none");
      return Status::ok();
    }
    for (Field f : {Field::NopeDim, Field::RopeDim, Field::VDim})
      if (c.*info(f).member == 0)
        return bad(names[size_t(f)] + " is missing beside " +
                       names[size_t(Field::KvRank)],
                   "give all MLA sizes");
    return Status::ok();
  }

  Status experts() const {
    if (!c.isMoe()) {
      for (Field f : {Field::TopK, Field::ExpertFfn, Field::SharedExperts,
                      Field::DenseLayers})
        if (c.*info(f).member)
          return bad(is(f) + " without " + names[size_t(Field::Experts)],
                     "give the number of experts too");
      return Status::ok();
    }
    for (Field f : {Field::TopK, Field::ExpertFfn})
      if (c.*info(f).member == 0)
        return bad(names[size_t(f)] + " is missing beside " +
                       names[size_t(Field::Experts)],
                   "give it");
    if (c.topK > c.experts)
      return bad(is(Field::TopK) + " of " + std::to_string(c.experts) + " " +
                     names[size_t(Field::Experts)],
                 "give 1 to " + std::to_string(c.experts));
    if (c.sharedExperts && c.sharedFfn == 0)
      return bad(names[size_t(Field::SharedFfn)] + " is missing beside " +
                     names[size_t(Field::SharedExperts)],
                 "give it");
    if (c.denseLayers > c.layers)
      return bad(is(Field::DenseLayers) + " of " + std::to_string(c.layers) +
                     " layers",
                 "give 0 to " + std::to_string(c.layers));
    return Status::ok();
  }

  Status window() const {
    if (c.windowLayers > c.layers)
      return bad(is(Field::WindowLayers) + " of " + std::to_string(c.layers) +
                     " layers",
                 "give 1 to " + std::to_string(c.layers));
    if (c.windowLayers && c.window == 0)
      return bad(is(Field::WindowLayers) + " without " +
                     names[size_t(Field::Window)],
                 "give the window in tokens");
    if (c.isMla() && c.window)
      return bad(is(Field::Window) + " with latent attention",
                 "leave one of them out");
    return Status::ok();
  }
};

} // namespace

const FieldInfo &labgen::info(Field field) { return fields[size_t(field)]; }

std::vector<std::string> labgen::flagNames() { return names(&FieldInfo::flag); }

std::vector<std::string> labgen::jsonNames() {
  return names(&FieldInfo::jsonKey);
}

Status labgen::validate(const ModelConfig &config,
                        const std::vector<std::string> &names) {
  return Checker(config, names).all();
}
