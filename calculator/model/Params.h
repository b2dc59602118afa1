// Params.h - every weight of a model, by part.
//
// A model is a list of matrices and a list of vectors; parameter counts, weight
// bytes, FLOPs per token and tensor-parallel shares are sums over them, so they
// cannot disagree.
#ifndef LABGEN_CALCULATOR_MODEL_PARAMS_H
#define LABGEN_CALCULATOR_MODEL_PARAMS_H

#include "calculator/config/Config.h"
#include "calculator/model/Count.h"

namespace labgen {

enum class Part {
  Attention,
  Ffn,
  Experts,
  SharedExperts,
  Router,
  Embedding,
  Positions,
  Head,
  Norms,
  Biases,
  Mtp ///< multi-token prediction, whatever is in it
};
constexpr int numParts = int(Part::Mtp) + 1;
std::string_view name(Part part);

/// How tensor parallelism cuts a matrix.
enum class Cut { Even, KvHeads, Copied };

/// `stored` equal matrices of rows x cols (outputs x inputs).
struct Matrix {
  Part part;
  std::string name;
  int64_t rows, cols;
  Count stored;           ///< in the checkpoint
  Count used;             ///< multiplied per token
  bool quantized = false; ///< a linear layer that weight formats shrink
  Cut cut = Cut::Even;

  Count parameters() const { return stored * rows * cols; }
};
struct Vector {
  Part part;
  Count length;     ///< parameters, all of them
  Count used;       ///< of the experts a token goes to, else length
  bool f32 = false; ///< stays in f32 in checkpoints
};

struct Weights {
  std::vector<Matrix> matrices;
  std::vector<Vector> vectors;
};
/// All of `config`, the part Mtp included.
Weights weightsOf(const ModelConfig &config);

/// Layers of the model that have matrices of a part; 0 for parts outside them.
int64_t layersWith(const ModelConfig &config, Part part);
bool isInLayer(const ModelConfig &config, Part part, int64_t layer);

struct ParamCounts {
  int64_t parts[numParts] = {}; ///< stored, by part
  int64_t total = 0;            ///< of the model proper, without Mtp
  int64_t active = 0;           ///< total without the experts a token skips
  /// Matrix parameters of all layers, router included: what the drills call
  /// the parameters. No embeddings, head, norms or biases.
  int64_t linear = 0, activeLinear = 0;
  /// Of one layer, one with experts where the model has such: all, active, and
  /// the active ones of its FFN.
  int64_t activeLayer = 0, activeLayerFfn = 0;
};
/// Status when a count does not fit 64 bits.
Result<ParamCounts> countParams(const ModelConfig &config);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_PARAMS_H
