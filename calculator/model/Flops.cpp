// Flops.cpp - FLOPs in closed form.
#include "calculator/model/Flops.h"

#include <algorithm>

using namespace labgen;

namespace {

Status tooLarge() {
  return Status::badInput("the FLOPs of this model at this context do not fit "
                          "64 bits; use a smaller context");
}

/// FLOPs of one query against one key, all heads of a layer.
Count pairFlops(const ModelConfig &config) {
  return Count(2 * config.heads) * (config.qkDim() + config.valueDim());
}

/// The same in decode, the latent met by every head.
Count decodePairFlops(const ModelConfig &config) {
  if (!config.isMla())
    return pairFlops(config);
  return Count(2 * config.heads) *
         (Count(2) * config.kvRank + Count(config.ropeDim));
}

/// Pairs a causal mask leaves of tokens x tokens; with a window each query sees
/// at most that many keys, itself among them.
Count causalPairs(int64_t tokens, int64_t window) {
  int64_t w = std::min(tokens, window);
  // One of two neighbours is even.
  Count triangle =
      w % 2 == 0 ? Count(w / 2) * (Count(w) + 1) : Count(w) * (w / 2 + 1);
  return triangle + Count(tokens - w) * w;
}

int64_t fullLayers(const ModelConfig &config) {
  return config.layers - config.windowLayers;
}

} // namespace

Result<PrefillFlops> labgen::prefillFlops(const ModelConfig &config,
                                          int64_t tokens) {
  Result<ParamCounts> counts = countParams(config);
  if (!counts)
    return counts.status();
  Count linear = Count(2) * counts->activeLinear * tokens;
  Count head = Count(2) * config.vocab * config.hidden;
  Count full = pairFlops(config) * tokens * tokens * config.layers;
  Count causal =
      pairFlops(config) *
      (Count(fullLayers(config)) * causalPairs(tokens, tokens) +
       Count(config.windowLayers) * causalPairs(tokens, config.window));
  if ((linear + head + full + causal).overflowed())
    return tooLarge();
  return PrefillFlops{linear.get(), head.get(), full.get(), causal.get()};
}

Result<DecodeFlops> labgen::decodeFlops(const ModelConfig &config,
                                        int64_t context) {
  Result<ParamCounts> counts = countParams(config);
  if (!counts)
    return counts.status();
  Count linear = Count(2) * counts->activeLinear;
  Count head = Count(2) * config.vocab * config.hidden;
  int64_t seen = config.windowLayers ? std::min(context, config.window) : 0;
  Count attention =
      decodePairFlops(config) *
      (Count(fullLayers(config)) * context + Count(config.windowLayers) * seen);
  if ((linear + head + attention).overflowed())
    return tooLarge();
  return DecodeFlops{linear.get(), head.get(), attention.get()};
}

Result<TrainingFlops> labgen::trainingFlops(const ModelConfig &config,
                                            int64_t context) {
  Result<ParamCounts> counts = countParams(config);
  Result<PrefillFlops> forward = prefillFlops(config, context);
  if (!counts || !forward)
    return counts ? forward.status() : counts.status();
  return TrainingFlops{
      6.0 * double(counts->activeLinear), 3.0 * double(forward->head),
      3.0 * double(forward->attentionCausal) / double(context)};
}

double labgen::decodeIntensity(const ModelConfig &config) {
  int64_t elements = config.isMla() ? config.kvRank + config.ropeDim
                                    : 2 * config.kvHeads * config.headDim;
  return double(decodePairFlops(config).get()) / (2 * double(elements));
}

Crossover labgen::crossover(const ModelConfig &config,
                            const ParamCounts &counts) {
  double perToken =
      double(config.heads) * double(config.qkDim() + config.valueDim());
  return {double(counts.activeLayer) / perToken,
          double(counts.activeLayerFfn) / perToken};
}

double labgen::projectionIntensity(int64_t d, double tokens) {
  return tokens * double(d) / (double(d) + 2 * tokens);
}

std::optional<double> labgen::tokensToRidge(int64_t d, double ridge) {
  double rest = double(d) - 2 * ridge;
  if (rest <= 0)
    return std::nullopt;
  return ridge * double(d) / rest;
}
