// ConfigJson.cpp - from a Hugging Face config.json to a ModelConfig.
//
// Keys that change no size are passed over; keys that are there have to have
// the right type and range. A missing key takes the default its family has in
// transformers, and a note says so; where there is none it is an error.
#include "lib/Roofline/model/Config.h"
#include "lib/Roofline/model/Families.h"
#include "lib/Spec/Text.h"

#include <algorithm>

using namespace labgen;

namespace {

class Reader {
public:
  Reader(const Json &json, const std::string &where, const Family &family)
      : json(json), where(where), family(family) {
    c.type = std::string(family.type);
  }

  Result<ModelConfig> read() {
    if (family.type == "gpt2")
      readGpt2();
    else
      readLlamaLike();
    if (json.find("quantization_config") &&
        !json.find("quantization_config")->isNull())
      c.notes.push_back("quantization_config is in the file; counts are of the "
                        "unquantized weights, choose --weights");
    if (!status)
      return status;
    if (Status valid = validate(c, jsonNames()); !valid)
      return Status::badInput(where + ": " + valid.message());
    return c;
  }

private:
  const Json &json;
  const std::string &where;
  const Family &family;
  ModelConfig c;
  Status status;

  void fail(const std::string &what, const std::string &advice) {
    if (status)
      status = Status::badInput(where + ": " + what + "; " + advice);
  }
  /// nullptr when absent or null.
  const Json *given(const char *key) const {
    const Json *value = json.find(key);
    return value && !value->isNull() ? value : nullptr;
  }
  /// Empty when absent or null; what is no whole number in range is an error.
  std::optional<int64_t> integer(const char *key, int64_t low, int64_t high) {
    const Json *value = given(key);
    if (!value)
      return std::nullopt;
    std::optional<int64_t> number = value->asInt();
    if (number && *number >= low && *number <= high)
      return number;
    fail(std::string(key) + " is " + quoted(value->dump()),
         "give a whole number from " + std::to_string(low) + " to " +
             std::to_string(high));
    return std::nullopt;
  }
  /// A field under its own key or another; without a default it must be there.
  int64_t field(Field f, std::optional<int64_t> otherwise = std::nullopt,
                const char *key = nullptr) {
    const FieldInfo &row = info(f);
    key = key ? key : row.jsonKey;
    std::optional<int64_t> number = integer(key, row.low, row.high);
    if (!number && !otherwise)
      fail(std::string(key) + " is missing",
           "give a whole number from " + std::to_string(row.low) + " to " +
               std::to_string(row.high));
    return number.value_or(otherwise.value_or(row.low));
  }
  bool flag(const char *key, bool otherwise) {
    const Json *value = given(key);
    if (value && !value->asBool())
      fail(std::string(key) + " is " + quoted(value->dump()),
           "give true or false");
    return value && value->asBool() ? *value->asBool() : otherwise;
  }

  void readTied() {
    c.tied = flag("tie_word_embeddings", family.tiedDefault);
    if (!given("tie_word_embeddings"))
      c.notes.push_back(std::string("tie_word_embeddings is not given; ") +
                        c.type + " models are " + (c.tied ? "tied" : "untied"));
  }

  void readLlamaLike() {
    c.layers = field(Field::Layers);
    c.hidden = field(Field::Hidden);
    c.heads = field(Field::Heads);
    c.vocab = field(Field::Vocab);
    readTied();
    if (family.mla)
      readMla();
    else
      readHeads();
    c.qkNorm = family.qkNorm;
    c.layerNorms = family.layerNorms;
    bool bias =
        family.hasAttentionBias && flag("attention_bias", family.biasDefault);
    c.qkvBias = family.qkvBias || bias;
    c.outBias = bias;
    c.ffnBias = family.type == "llama" && flag("mlp_bias", false);
    c.sinks = c.expertBias = family.type == "gpt_oss";
    if (status)
      readFfn();
    if (status)
      readWindow();
  }

  void readHeads() {
    if (family.kvDefaultsToHeads && !given("num_key_value_heads")) {
      c.kvHeads = c.heads;
      c.notes.push_back("num_key_value_heads is not given; every head has its "
                        "own (multi-head attention)");
    } else {
      c.kvHeads = field(Field::KvHeads);
    }
    if (given("head_dim")) {
      c.headDim = field(Field::HeadDim);
    } else if (family.headDimDefault) {
      c.headDim = family.headDimDefault;
      c.notes.push_back("head_dim is not given; " + c.type + " models have " +
                        std::to_string(c.headDim));
    } else if (c.hidden % c.heads != 0) {
      fail("num_attention_heads is " + std::to_string(c.heads) +
               " and does not divide hidden_size (" + std::to_string(c.hidden) +
               ")",
           "give a divisor, or head_dim");
    } else {
      c.headDim = c.hidden / c.heads;
    }
  }

  void readMla() {
    if (json.find("q_lora_rank") && !given("q_lora_rank"))
      c.qRank = 0;
    else
      c.qRank = field(Field::QRank);
    c.kvRank = field(Field::KvRank);
    c.nopeDim = field(Field::NopeDim);
    c.ropeDim = field(Field::RopeDim);
    c.vDim = field(Field::VDim);
  }

  void readFfn() {
    switch (family.moe) {
    case MoeKeys::None:
      c.ffn = field(Field::Ffn);
      return;
    case MoeKeys::Mixtral:
      c.experts = field(Field::Experts, {}, "num_local_experts");
      c.topK = field(Field::TopK);
      c.expertFfn = field(Field::ExpertFfn, {}, "intermediate_size");
      return;
    case MoeKeys::Qwen:
      c.experts = field(Field::Experts);
      c.topK = field(Field::TopK);
      c.expertFfn = field(Field::ExpertFfn);
      c.denseLayers = qwenDenseLayers();
      if (c.denseLayers)
        c.ffn = field(Field::Ffn);
      if (family.type == "qwen2_moe") {
        c.sharedExperts = 1;
        c.sharedFfn = field(Field::SharedFfn);
        c.sharedGate = true;
      }
      return;
    case MoeKeys::Deepseek:
      c.experts = field(Field::Experts, {}, "n_routed_experts");
      c.topK = field(Field::TopK);
      c.expertFfn = field(Field::ExpertFfn);
      c.sharedExperts = field(Field::SharedExperts, 0);
      c.sharedFfn = c.sharedExperts ? c.expertFfn : 0;
      c.denseLayers = field(Field::DenseLayers, 0);
      if (integer("moe_layer_freq", 1, 1000).value_or(1) != 1)
        fail("moe_layer_freq is not 1", "only 1 is known here");
      if (c.denseLayers)
        c.ffn = field(Field::Ffn);
      c.routerBias = family.type == "deepseek_v3";
      if (family.type == "deepseek_v3")
        c.mtpLayers = field(Field::MtpLayers, 0);
      return;
    }
  }

  /// A layer i has experts when (i + 1) is a multiple of decoder_sparse_step
  /// and it is not in mlp_only_layers.
  int64_t qwenDenseLayers() {
    int64_t step = integer("decoder_sparse_step", 1, 100000).value_or(1);
    std::vector<bool> dense(size_t(c.layers), false);
    for (int64_t i = 0; i < c.layers; ++i)
      dense[size_t(i)] = (i + 1) % step != 0;
    const Json *list = given("mlp_only_layers");
    if (list && !list->asArray())
      fail("mlp_only_layers is no list", "give layer numbers in [...]");
    else if (list)
      for (const Json &entry : *list->asArray()) {
        std::optional<int64_t> layer = entry.asInt();
        if (layer && *layer >= 0 && *layer < c.layers)
          dense[size_t(*layer)] = true;
        else
          fail("mlp_only_layers holds " + quoted(entry.dump()),
               "give layer numbers from 0 to " + std::to_string(c.layers - 1));
      }
    return std::count(dense.begin(), dense.end(), true);
  }

  void readWindow() {
    if (family.window == WindowRule::None)
      return;
    if (family.window == WindowRule::Qwen && !flag("use_sliding_window", false))
      return;
    std::optional<int64_t> window = integer(
        "sliding_window", info(Field::Window).low, info(Field::Window).high);
    if (!window)
      return;
    c.windowLayers =
        given("layer_types") ? listedWindowLayers() : windowLayersByRule();
    if (c.windowLayers)
      c.window = *window;
  }

  int64_t listedWindowLayers() {
    const Json::Array *list = given("layer_types")->asArray();
    if (!list || int64_t(list->size()) != c.layers) {
      fail("layer_types has not one entry for each of " +
               std::to_string(c.layers) + " layers",
           "give a list of full_attention and sliding_attention");
      return 0;
    }
    int64_t count = 0;
    for (const Json &entry : *list) {
      const std::string *type = entry.asString();
      if (!type || (*type != "sliding_attention" && *type != "full_attention"))
        fail("layer_types holds " + quoted(entry.dump()),
             "only full_attention and sliding_attention are known here");
      else
        count += *type == "sliding_attention";
    }
    return count;
  }

  int64_t windowLayersByRule() {
    switch (family.window) {
    case WindowRule::All:
      return c.layers;
    case WindowRule::Qwen:
      return c.layers - integer("max_window_layers", 0, c.layers).value_or(0);
    case WindowRule::Alternate:
      return (c.layers + 1) / 2;
    case WindowRule::FiveOfSix:
      return c.layers -
             c.layers /
                 integer("sliding_window_pattern", 1, 100000).value_or(6);
    case WindowRule::None:
      return 0;
    }
    return 0;
  }

  void readGpt2() {
    c.layers = field(Field::Layers, {}, "n_layer");
    c.hidden = field(Field::Hidden, {}, "n_embd");
    c.heads = field(Field::Heads, {}, "n_head");
    c.vocab = field(Field::Vocab);
    c.positions = field(Field::Positions);
    if (status)
      c.ffn = field(Field::Ffn, 4 * c.hidden, "n_inner");
    readTied();
    c.kvHeads = c.heads;
    if (c.hidden % c.heads != 0)
      fail("n_head is " + std::to_string(c.heads) +
               " and does not divide n_embd (" + std::to_string(c.hidden) + ")",
           "give a divisor");
    c.headDim = c.hidden / c.heads;
    c.gated = false;
    c.qkvBias = c.outBias = c.ffnBias = c.normBias = true;
  }
};

} // namespace

std::vector<std::string_view> labgen::modelTypes() {
  std::vector<std::string_view> types;
  for (const Family &family : families())
    types.push_back(family.type);
  return types;
}

Result<ModelConfig> labgen::readConfig(std::string_view text,
                                       const std::string &where) {
  Result<Json> json = Json::parse(text);
  if (!json)
    return Status::badInput(where + ": " + json.status().message());
  if (!json->asObject())
    return Status::badInput(where + " is no JSON object; give a model's "
                                    "config.json");
  const Json *type = json->find("model_type");
  if (!type || !type->asString())
    return Status::badInput(where + ": model_type is " +
                            (type ? "no text" : "missing") + "; give one of " +
                            orList(modelTypes()));
  for (const Family &family : families())
    if (family.type == *type->asString())
      return Reader(*json, where, family).read();
  if (const Json *inner = json->find("text_config"); inner && inner->asObject())
    return Status::badInput(where + ": model_type " +
                            quoted(*type->asString()) +
                            " wraps a text model; give its text_config alone");
  return Status::badInput(
      where + ": unknown model_type " + quoted(*type->asString()) +
      "; did you mean " + quoted(nearest(*type->asString(), modelTypes())) +
      "? (" + orList(modelTypes()) + ", or give the sizes as flags)");
}
