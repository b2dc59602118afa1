// Flops.h - floating-point operations of prefill, decode and training, and
// where they begin to matter.
//
// A multiply-add is two. Linear layers: 2 x parameters a token. Scores and
// their product with the values: 2 N^2 (d_qk + d_v) per head and layer, the
// full square; a causal kernel does N (N + 1) / 2 of the N^2 pairs.
//
// Latent attention decodes with the projection of keys and values absorbed into
// those of queries and outputs (the same FLOPs there): every head meets the
// latent itself, d_qk = r_kv + d_r and d_v = r_kv. Prefill writes keys and
// values out.
#ifndef LABGEN_CALCULATOR_MODEL_FLOPS_H
#define LABGEN_CALCULATOR_MODEL_FLOPS_H

#include "calculator/model/Params.h"

namespace labgen {

struct PrefillFlops {
  int64_t linear = 0, head = 0; ///< head: one row of logits
  int64_t attentionFull = 0;    ///< all N^2 pairs in every layer
  int64_t attentionCausal = 0;  ///< visible pairs, windows respected
  int64_t full() const { return linear + head + attentionFull; }
  int64_t causal() const { return linear + head + attentionCausal; }
};
/// One sequence of `tokens`. Status when a count does not fit 64 bits.
Result<PrefillFlops> prefillFlops(const ModelConfig &config, int64_t tokens);

struct DecodeFlops {
  int64_t linear = 0, head = 0, attention = 0;
  int64_t total() const { return linear + head + attention; }
};
/// One token behind `context` others.
Result<DecodeFlops> decodeFlops(const ModelConfig &config, int64_t context);

/// FLOP per byte of decode attention, keys and values in 16 bits.
double decodeIntensity(const ModelConfig &config);

/// Training, per token: three times the forward FLOPs. A token's embedding is
/// looked up and costs none, forward or backward.
struct TrainingFlops {
  double linear = 0;    ///< 6 x active matrix parameters of all layers
  double head = 0;      ///< 6 V d: a row of logits for every token
  double attention = 0; ///< causal, sequences of the context's length
  double matrices() const { return linear + head; }
  double total() const { return matrices() + attention; }
};
Result<TrainingFlops> trainingFlops(const ModelConfig &config, int64_t context);

/// The sequence length at which attention FLOPs (full square) of a layer equal
/// the FLOPs of its linear layers, or of its FFN alone; a causal kernel gets
/// there at twice that length.
struct Crossover {
  double allLinear = 0, ffnOnly = 0;
};
Crossover crossover(const ModelConfig &config, const ParamCounts &counts);

/// FLOP per byte of a d x d projection on `tokens` tokens, 2-byte elements,
/// activations read and written once: T d / (d + 2 T).
double projectionIntensity(int64_t d, double tokens);
/// The token count at which that reaches a ridge; empty when it never does.
std::optional<double> tokensToRidge(int64_t d, double ridge);

} // namespace labgen

#endif // LABGEN_CALCULATOR_MODEL_FLOPS_H
