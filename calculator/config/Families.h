// Families.h - what a model_type says that its config.json does not (internal).
//
// One row per family: the keys its files have, what transformers' configuration
// class makes of a key that is missing or null, and what the modelling code
// fixes: biases, norms, which layers have experts or windows. To add a family,
// add a row.
#ifndef LABGEN_CALCULATOR_CONFIG_FAMILIES_H
#define LABGEN_CALCULATOR_CONFIG_FAMILIES_H

#include "calculator/config/Config.h"

namespace labgen {

class ConfigReader;

/// What stands for a key that is missing, beside a number.
enum : int64_t {
  absent = 0,         ///< the model has no such part
  needed = -1,        ///< it is refused
  asHeads = -2,       ///< num_attention_heads
  hiddenPerHead = -3, ///< hidden_size / num_attention_heads
  fourHidden = -4,    ///< 4 x hidden_size
  asExpertFfn = -5    ///< the width of an expert
};

/// A number of the file.
struct Key {
  Field field;
  int64_t missing;   ///< its value, or one of the above
  std::string names; ///< alternatives, "n_embd|hidden_size"; a.b is b of a
  int64_t null;      ///< what an explicit null means
  bool perLayer;     ///< a list of equal numbers is one number
};
/// A yes or no of the file, and the parts of the model it switches.
struct Switch {
  std::string name;
  bool missing;
  std::vector<bool ModelConfig::*> sets;
};

enum class DenseRule {
  First, ///< the first DenseLayers ones
  Qwen,  ///< decoder_sparse_step and mlp_only_layers
  Llama, ///< moe_layers or interleave_moe_layer_step
  Ernie  ///< moe_layer_start_index, _end_index and _interval
};
enum class WindowRule {
  None,
  All,   ///< every layer
  From,  ///< from max_window_layers on
  Every, ///< all but every `windowEvery`-th
  Listed ///< only layer_types tells
};

struct Family {
  std::string type;
  std::string source; ///< the configuration class whose defaults these are
  std::vector<Key> keys;
  std::vector<Switch> switches;
  std::vector<bool ModelConfig::*> fixed; ///< on, whatever the file says
  bool gatedFfn = true, hasFinalNorm = true;
  int64_t norms = 2, scalars = 0;
  /// Layers and hidden size of a text_config that leaves them out; a whole
  /// file has to have them. 0: there too.
  int64_t nestedLayers = 0, nestedHidden = 0;
  DenseRule dense = DenseRule::First;
  WindowRule windowRule = WindowRule::None;
  int64_t windowEvery = 0;
  std::string windowEveryKey;
  std::string windowSwitch;    ///< "use_sliding_window" where that must be true
  int64_t maxWindowLayers = 0; ///< max_window_layers when missing
  /// What no row can say.
  void (*quirk)(ConfigReader &reader, ModelConfig &config) = nullptr;

  const Key *key(Field field) const;

  // How rows are written; each returns the row.
  Family &number(Field field, int64_t missing, const char *names = nullptr,
                 int64_t null = needed, bool perLayer = false);
  Family &nested(int64_t layers, int64_t hidden);
  Family &layers(const char *names);
  Family &hidden(const char *names);
  Family &heads(int64_t missing, const char *names = nullptr);
  /// `null`: asHeads where the class turns null into that.
  Family &kv(int64_t missing, int64_t null = needed,
             const char *names = nullptr);
  Family &headDim(int64_t missing, const char *names = nullptr);
  Family &ffn(int64_t missing, const char *names = nullptr);
  Family &vocab(int64_t missing, const char *names = nullptr);
  /// Their number, how many a token goes to, their width.
  Family &experts(int64_t missing, const char *names, int64_t topK,
                  const char *topKNames, int64_t width, const char *widthNames);
  Family &latent(int64_t qRank, int64_t kvRank, int64_t nope, int64_t rope,
                 int64_t v);
  Family &tied(bool missing);
  Family &flag(const char *name, bool missing,
               std::vector<bool ModelConfig::*> sets);
  Family &always(std::vector<bool ModelConfig::*> sets);
  Family &noFlags();
  Family &plainFfn();
  Family &activation(int64_t scalars);
  Family &layerNorms(int64_t count);
  Family &finalNorm(bool has);
  Family &layersOfExperts(DenseRule rule);
  Family &firstDense(int64_t missing,
                     const char *names = "first_k_dense_replace");
  /// `count` experts that every token goes to, of `width` each.
  Family &shared(int64_t missing, const char *names,
                 int64_t width = asExpertFfn, const char *widthNames = "");
  Family &window(WindowRule rule, int64_t missing, int64_t every = 0,
                 const char *everyKey = "sliding_window_pattern");
  Family &noWindow();
  /// Windows count only where `key` is true, from layer `from` on.
  Family &windowIf(const char *key, int64_t from);
  Family &finish(void (*function)(ConfigReader &, ModelConfig &));
};

/// Writes rows, in groups by the functions below.
class FamilyRows {
public:
  explicit FamilyRows(std::vector<Family> &all) : all(all) {}
  Family &row(const char *type, const char *source);
  /// A row that begins as a copy of another's.
  Family &like(const char *type, const char *source, std::string_view model);

private:
  std::vector<Family> &all;
};
void addDenseFamilies(FamilyRows &rows);
void addOlderFamilies(FamilyRows &rows);
void addExpertFamilies(FamilyRows &rows);

// The quirks, one a family.
void finishStablelm(ConfigReader &reader, ModelConfig &config);
void finishFalcon(ConfigReader &reader, ModelConfig &config);
void finishBigcode(ConfigReader &reader, ModelConfig &config);
void finishChatglm(ConfigReader &reader, ModelConfig &config);
void finishOpt(ConfigReader &reader, ModelConfig &config);
void finishMpt(ConfigReader &reader, ModelConfig &config);
void finishQwen(ConfigReader &reader, ModelConfig &config);

/// In the order they are listed to users.
const std::vector<Family> &families();
/// The row of a model_type; nullptr when there is none.
const Family *findFamily(std::string_view type);

/// Why a known model_type cannot be sized here; empty when it is not known.
std::string_view unsupported(std::string_view type);
/// The model_type of a wrapper's text model that does not say its own.
std::string_view innerType(std::string_view wrapper);

} // namespace labgen

#endif // LABGEN_CALCULATOR_CONFIG_FAMILIES_H
