// Config.h - the shape of a language model.
//
// Filled from a Hugging Face config.json (data only: nothing in it is loaded
// or run) or from flags, and valid from then on: every function behind it may
// rely on the checks here.
#ifndef LABGEN_CALCULATOR_CONFIG_CONFIG_H
#define LABGEN_CALCULATOR_CONFIG_CONFIG_H

#include "lib/Support/Json.h"

#include <optional>
#include <string>
#include <vector>

namespace labgen {

/// Sizes are in elements. A model has experts when experts > 0, latent
/// attention (MLA) when kvRank > 0, windowed layers when windowLayers > 0.
struct ModelConfig {
  std::string type = "flags"; ///< model_type of the file
  int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, headDim = 0;
  int64_t ffn = 0, vocab = 0;
  bool gated = true; ///< three FFN matrices, else two
  bool tied = false; ///< embedding and head share one matrix
  bool qkvBias = false, outBias = false, ffnBias = false;
  bool headBias = false;
  bool qkNorm = false;     ///< two norm gains of head_dim per layer
  bool wideQkNorm = false; ///< instead: a gain for each row of q and of k
  int64_t layerNorms = 2;  ///< norms of d per layer
  bool finalNorm = true, embeddingNorm = false, normBias = false;
  int64_t positions = 0;         ///< learned position embeddings
  bool sinks = false;            ///< one learned logit per head and layer
  bool attentionGate = false;    ///< one more matrix, as large as q's
  int64_t activationScalars = 0; ///< learned numbers of a layer's activation

  int64_t experts = 0, topK = 0, expertFfn = 0;
  int64_t sharedExperts = 0, sharedFfn = 0; ///< sharedFfn: of each of them
  int64_t denseLayers = 0;                  ///< layers with the plain FFN
  std::vector<bool> denseAt; ///< which they are; empty: the first ones
  bool routerBias = false, sharedGate = false;
  bool expertBias = false, sharedBias = false;

  int64_t qRank = 0, kvRank = 0, nopeDim = 0, ropeDim = 0, vDim = 0;
  int64_t mtpLayers = 0; ///< multi-token prediction, beside the model proper

  int64_t window = 0, windowLayers = 0;
  std::optional<Json> quantization; ///< quantization_config, as it stands
  /// What was assumed because the source does not say it, one sentence each.
  std::vector<std::string> notes;

  bool isMoe() const { return experts > 0; }
  bool isMla() const { return kvRank > 0; }
  int64_t moeLayers() const { return isMoe() ? layers - denseLayers : 0; }
  bool hasExpertsIn(int64_t layer) const {
    if (!isMoe())
      return false;
    return denseAt.empty() ? layer >= denseLayers : !denseAt[size_t(layer)];
  }
  /// Elements per head of a query (and key), and of a value.
  int64_t qkDim() const { return isMla() ? nopeDim + ropeDim : headDim; }
  int64_t valueDim() const { return isMla() ? vDim : headDim; }
};

/// The members of ModelConfig that hold numbers a user gives.
enum class Field {
  Layers,
  Hidden,
  Heads,
  KvHeads,
  HeadDim,
  Ffn,
  Vocab,
  Experts,
  TopK,
  ExpertFfn,
  SharedExperts,
  SharedFfn,
  DenseLayers,
  QRank,
  KvRank,
  NopeDim,
  RopeDim,
  VDim,
  Window,
  WindowLayers,
  Positions,
  MtpLayers
};
constexpr int numFields = int(Field::MtpLayers) + 1;

/// The legal range of a field, and where it is kept.
struct FieldInfo {
  Field field;
  int64_t ModelConfig::*member;
  const char *flag;    ///< "--layers"; nullptr where flags don't give it
  const char *jsonKey; ///< the usual key of config.json, for messages
  int64_t low, high;
};
const FieldInfo &info(Field field);

/// Status naming the field and what would be legal. `spell` gives the name the
/// user knows a field by.
Status validate(const ModelConfig &config,
                const std::vector<std::string> &names);
/// The names for validate(): flags, or keys of config.json.
std::vector<std::string> flagNames();
std::vector<std::string> jsonNames();

/// Sizes that a user gives beside a config.json: each fills a gap of the file
/// or replaces what it says.
struct GivenSizes {
  std::optional<int64_t> numbers[numFields];
  std::optional<bool> gated, tied, qkvBias;
};

/// A config.json. `where` names it in messages.
Result<ModelConfig> readConfig(std::string_view text, const std::string &where,
                               const GivenSizes &given = {});

/// The model types readConfig() knows.
std::vector<std::string_view> modelTypes();

} // namespace labgen

#endif // LABGEN_CALCULATOR_CONFIG_CONFIG_H
