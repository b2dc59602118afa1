// Families.cpp - how a row is written, and how it is found.
#include "calculator/config/Families.h"

#include <algorithm>

namespace labgen {

const Key *Family::key(Field field) const {
  for (const Key &key : keys)
    if (key.field == field)
      return &key;
  return nullptr;
}

Family &Family::number(Field field, int64_t missing, const char *names,
                       int64_t null, bool perLayer) {
  Key row{field, missing, names ? names : info(field).jsonKey, null, perLayer};
  for (Key &key : keys)
    if (key.field == field) {
      key = row;
      return *this;
    }
  keys.push_back(row);
  return *this;
}

Family &Family::nested(int64_t layers, int64_t hidden) {
  nestedLayers = layers;
  nestedHidden = hidden;
  return *this;
}
Family &Family::layers(const char *names) {
  return number(Field::Layers, needed, names);
}
Family &Family::hidden(const char *names) {
  return number(Field::Hidden, needed, names);
}
Family &Family::heads(int64_t missing, const char *names) {
  return number(Field::Heads, missing, names);
}
Family &Family::kv(int64_t missing, int64_t null, const char *names) {
  return number(Field::KvHeads, missing, names,
                missing == asHeads ? asHeads : null);
}
Family &Family::headDim(int64_t missing, const char *names) {
  return number(Field::HeadDim, missing, names,
                missing == hiddenPerHead ? hiddenPerHead : needed);
}
Family &Family::ffn(int64_t missing, const char *names) {
  return number(Field::Ffn, missing, names,
                missing == fourHidden ? fourHidden : needed);
}
Family &Family::vocab(int64_t missing, const char *names) {
  return number(Field::Vocab, missing, names);
}
Family &Family::experts(int64_t missing, const char *names, int64_t topK,
                        const char *topKNames, int64_t width,
                        const char *widthNames) {
  number(Field::Experts, missing, names);
  number(Field::TopK, topK, topKNames, needed, true);
  return number(Field::ExpertFfn, width, widthNames, needed, true);
}
Family &Family::latent(int64_t qRank, int64_t kvRank, int64_t nope,
                       int64_t rope, int64_t v) {
  number(Field::QRank, qRank, nullptr, absent);
  number(Field::KvRank, kvRank).number(Field::NopeDim, nope);
  return number(Field::RopeDim, rope).number(Field::VDim, v);
}
Family &Family::tied(bool missing) {
  return flag("tie_word_embeddings", missing, {&ModelConfig::tied});
}
Family &Family::flag(const char *name, bool missing,
                     std::vector<bool ModelConfig::*> sets) {
  switches.erase(
      std::remove_if(switches.begin(), switches.end(),
                     [&](const Switch &old) { return old.name == name; }),
      switches.end());
  switches.push_back({name, missing, std::move(sets)});
  return *this;
}
Family &Family::always(std::vector<bool ModelConfig::*> sets) {
  fixed.insert(fixed.end(), sets.begin(), sets.end());
  return *this;
}
Family &Family::noFlags() {
  switches.clear();
  return *this;
}
Family &Family::activation(int64_t count) {
  scalars = count;
  return *this;
}
Family &Family::noWindow() {
  windowRule = WindowRule::None;
  windowSwitch.clear();
  keys.erase(
      std::remove_if(keys.begin(), keys.end(),
                     [](const Key &key) { return key.field == Field::Window; }),
      keys.end());
  return *this;
}
Family &Family::plainFfn() {
  gatedFfn = false;
  return *this;
}
Family &Family::layerNorms(int64_t count) {
  norms = count;
  return *this;
}
Family &Family::window(WindowRule rule, int64_t missing, int64_t every,
                       const char *everyKey) {
  windowRule = rule;
  windowEvery = every;
  windowEveryKey = everyKey;
  return number(Field::Window, missing, nullptr, absent);
}

Family &Family::finalNorm(bool has) {
  hasFinalNorm = has;
  return *this;
}
Family &Family::layersOfExperts(DenseRule rule) {
  dense = rule;
  return *this;
}
Family &Family::firstDense(int64_t missing, const char *names) {
  return number(Field::DenseLayers, missing, names);
}
Family &Family::shared(int64_t missing, const char *names, int64_t width,
                       const char *widthNames) {
  number(Field::SharedExperts, missing, names, absent, true);
  return number(Field::SharedFfn, width, widthNames);
}
Family &Family::windowIf(const char *key, int64_t from) {
  windowSwitch = key;
  maxWindowLayers = from;
  return *this;
}
Family &Family::finish(void (*function)(ConfigReader &, ModelConfig &)) {
  quirk = function;
  return *this;
}

Family &FamilyRows::row(const char *type, const char *source) {
  all.push_back({});
  all.back().type = type;
  all.back().source = source;
  return all.back().layers(nullptr).hidden(nullptr);
}

Family &FamilyRows::like(const char *type, const char *source,
                         std::string_view model) {
  Family copy;
  for (const Family &family : all)
    if (family.type == model)
      copy = family;
  copy.type = type;
  copy.source = source;
  all.push_back(std::move(copy));
  return all.back();
}

const std::vector<Family> &families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> families;
    FamilyRows rows(families);
    addDenseFamilies(rows);
    addExpertFamilies(rows);
    addOlderFamilies(rows);
    return families;
  }();
  return all;
}

const Family *findFamily(std::string_view type) {
  for (const Family &family : families())
    if (family.type == type)
      return &family;
  return nullptr;
}

std::vector<std::string_view> modelTypes() {
  std::vector<std::string_view> types;
  for (const Family &family : families())
    types.push_back(family.type);
  return types;
}

std::string_view unsupported(std::string_view type) {
  constexpr std::string_view linear = "layers of linear attention",
                             state = "state-space layers",
                             convolution = "convolution layers",
                             index = "an index for sparse attention",
                             perLayer = "embeddings in every layer",
                             encoder = "an encoder";
  static constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"qwen3_next", linear},
      {"qwen3_5_text", linear},
      {"qwen3_5_moe_text", linear},
      {"kimi_linear", linear},
      {"minimax", linear},
      {"minimax_text_01", linear},
      {"olmo_hybrid", linear},
      {"bailing_hybrid", linear},
      {"rwkv", linear},
      {"mamba", state},
      {"mamba2", state},
      {"falcon_mamba", state},
      {"jamba", state},
      {"bamba", state},
      {"zamba", state},
      {"zamba2", state},
      {"nemotron_h", state},
      {"falcon_h1", state},
      {"granitemoehybrid", state},
      {"recurrent_gemma", "recurrent layers"},
      {"xlstm", "recurrent layers"},
      {"lfm2", convolution},
      {"lfm2_moe", convolution},
      {"deepseek_v32", index},
      {"glm_moe_dsa", index},
      {"gemma3n_text", perLayer},
      {"gemma4_text", perLayer},
      {"bert", encoder},
      {"roberta", encoder},
      {"t5", encoder},
      {"whisper", encoder},
      {"bart", encoder},
  };
  for (const auto &[name, why] : known)
    if (name == type)
      return why;
  return {};
}

std::string_view innerType(std::string_view wrapper) {
  // Each configuration class names its text model's as a default.
  static constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"gemma3", "gemma3_text"},
      {"gemma3n", "gemma3n_text"},
      {"llama4", "llama4_text"},
      {"mistral3", "mistral"},
      {"llava", "llama"},
      {"llava_next", "llama"},
      {"paligemma", "gemma"},
      {"idefics3", "llama"},
      {"smolvlm", "llama"},
      {"internvl", "qwen2"},
      {"qwen2_5_omni_thinker", "qwen2_5_vl_text"},
      {"qwen2_vl", "qwen2_vl_text"},
      {"qwen2_5_vl", "qwen2_5_vl_text"},
      {"qwen3_vl", "qwen3_vl_text"},
      {"qwen3_vl_moe", "qwen3_vl_moe_text"},
      {"aya_vision", "cohere2"},
      {"kimi_k25", "deepseek_v3"},
  };
  for (const auto &[outer, inner] : known)
    if (outer == wrapper)
      return inner;
  return {};
}

} // namespace labgen
