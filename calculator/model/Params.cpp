// Params.cpp - the list of weights, and its sums.
#include "calculator/model/Params.h"

using namespace labgen;

namespace {

class Lister {
public:
  explicit Lister(const ModelConfig &c) : c(c) {}

  Weights all() {
    // Multi-token prediction is a layer with experts like the last one.
    bool withMtp = c.mtpLayers > 0;
    attention(c.layers, Part::Attention);
    int64_t moe = c.moeLayers(), dense = c.layers - moe;
    if (dense)
      ffn(dense);
    if (moe)
      experts(moe, false);
    embeddings();
    if (withMtp)
      mtp();
    return std::move(out);
  }

private:
  const ModelConfig &c;
  Weights out;

  void matrix(Part part, const char *name, int64_t rows, int64_t cols,
              Count stored, std::optional<Count> used = std::nullopt,
              bool quantized = true, Cut cut = Cut::Even) {
    out.matrices.push_back({part, name, rows, cols, stored,
                            used.value_or(stored), quantized, cut});
  }
  void vector(Part part, Count length, std::optional<Count> used = std::nullopt,
              bool f32 = false) {
    out.vectors.push_back({part, length, used.value_or(length), f32});
  }
  Part partOr(Part part, bool isMtp) const { return isMtp ? Part::Mtp : part; }

  void attention(int64_t layers, Part part) {
    bool isMtp = part == Part::Mtp;
    Part norms = partOr(Part::Norms, isMtp),
         biases = partOr(Part::Biases, isMtp);
    int64_t d = c.hidden, h = c.heads;
    if (c.isMla()) {
      if (c.qRank) {
        matrix(part, "q_a", c.qRank, d, layers, {}, true, Cut::Copied);
        matrix(part, "q_b", h * c.qkDim(), c.qRank, layers);
        vector(norms, Count(c.qRank) * layers);
      } else {
        matrix(part, "q", h * c.qkDim(), d, layers);
      }
      matrix(part, "kv_a", c.kvRank + c.ropeDim, d, layers, {}, true,
             Cut::Copied);
      matrix(part, "kv_b", h * (c.nopeDim + c.vDim), c.kvRank, layers);
      vector(norms, Count(c.kvRank) * layers);
      matrix(part, "o", d, h * c.vDim, layers);
      if (c.qkvBias) // of the projections down to the latents
        vector(biases, Count(c.qRank + c.kvRank + c.ropeDim) * layers);
    } else {
      int64_t q = h * c.headDim, kv = c.kvHeads * c.headDim;
      matrix(part, "q", q, d, layers);
      matrix(part, "k", kv, d, layers, {}, true, Cut::KvHeads);
      matrix(part, "v", kv, d, layers, {}, true, Cut::KvHeads);
      matrix(part, "o", d, q, layers);
      if (c.attentionGate)
        matrix(part, "attention gate", q, d, layers);
      if (c.qkvBias)
        vector(biases, Count(q + 2 * kv) * layers);
      if (c.wideQkNorm)
        vector(norms, Count(q + kv) * layers);
      else if (c.qkNorm)
        vector(norms, Count(2 * c.headDim * (c.normBias ? 2 : 1)) * layers);
    }
    if (c.outBias)
      vector(biases, Count(d) * layers);
    if (c.sinks)
      vector(biases, Count(h) * layers);
    if (c.activationScalars)
      vector(biases, Count(c.activationScalars) * layers);
    int64_t gains = d * (c.normBias ? 2 : 1);
    vector(norms, Count(c.layerNorms * gains) * layers);
  }

  void threeMatrices(Part part, int64_t width, Count stored,
                     std::optional<Count> used = std::nullopt) {
    if (c.gated)
      matrix(part, "gate", width, c.hidden, stored, used);
    matrix(part, "up", width, c.hidden, stored, used);
    matrix(part, "down", c.hidden, width, stored, used);
  }

  /// Biases of one FFN of `width`.
  Count ffnBiases(int64_t width) const {
    return Count(c.gated ? 2 : 1) * width + c.hidden;
  }

  void ffn(int64_t layers) {
    threeMatrices(Part::Ffn, c.ffn, layers);
    if (c.ffnBias)
      vector(Part::Biases, ffnBiases(c.ffn) * layers);
  }

  void experts(int64_t layers, bool isMtp) {
    Count used = Count(c.topK) * layers;
    threeMatrices(partOr(Part::Experts, isMtp), c.expertFfn,
                  Count(c.experts) * layers, used);
    if (c.sharedExperts)
      threeMatrices(partOr(Part::SharedExperts, isMtp), c.sharedFfn,
                    Count(c.sharedExperts) * layers);
    Part router = partOr(Part::Router, isMtp);
    matrix(router, "router", c.experts, c.hidden, layers, {}, false,
           Cut::Copied);
    if (c.sharedGate)
      matrix(router, "shared gate", 1, c.hidden, layers, {}, false,
             Cut::Copied);
    Part biases = partOr(Part::Biases, isMtp);
    if (c.routerBias)
      vector(biases, Count(c.experts) * layers, {}, true);
    // Shared experts are one FFN as wide as all of them.
    if (c.sharedBias && c.sharedExperts)
      vector(biases, ffnBiases(c.sharedExperts * c.sharedFfn) * layers);
    if (c.expertBias) {
      Count each = ffnBiases(c.expertFfn);
      vector(biases, Count(c.experts) * layers);
      vector(biases, Count(c.experts) * each * layers,
             Count(c.topK) * each * layers);
    }
  }

  void embeddings() {
    matrix(Part::Embedding, "embedding", c.vocab, c.hidden, 1, 0, false);
    matrix(Part::Head, "head", c.vocab, c.hidden, c.tied ? 0 : 1, 1, false);
    if (c.positions)
      matrix(Part::Positions, "positions", c.positions, c.hidden, 1, 0, false);
    int64_t norms = int64_t(c.finalNorm) + int64_t(c.embeddingNorm);
    vector(Part::Norms, norms * c.hidden * (c.normBias ? 2 : 1));
    if (c.headBias)
      vector(Part::Biases, c.vocab);
  }

  void mtp() {
    attention(c.mtpLayers, Part::Mtp);
    if (c.isMoe())
      experts(c.mtpLayers, true);
    // Joins the embedding of the next token to the hidden state.
    matrix(Part::Mtp, "eh_proj", c.hidden, 2 * c.hidden, c.mtpLayers, {}, false,
           Cut::Copied);
    vector(Part::Mtp, Count(3 * c.hidden) * c.mtpLayers);
  }
};

bool isOfExperts(Part part) {
  return part == Part::Experts || part == Part::SharedExperts ||
         part == Part::Router;
}

bool isLinearPart(Part part) {
  return part == Part::Attention || part == Part::Ffn || isOfExperts(part);
}

} // namespace

std::string_view labgen::name(Part part) {
  static constexpr std::string_view names[] = {
      "attention", "ffn",  "experts", "shared_experts", "router", "embedding",
      "positions", "head", "norms",   "biases",         "mtp"};
  return names[size_t(part)];
}

Weights labgen::weightsOf(const ModelConfig &config) {
  return Lister(config).all();
}

int64_t labgen::layersWith(const ModelConfig &config, Part part) {
  if (part == Part::Attention)
    return config.layers;
  if (part == Part::Ffn)
    return config.layers - config.moeLayers();
  return isOfExperts(part) ? config.moeLayers() : 0;
}

bool labgen::isInLayer(const ModelConfig &config, Part part, int64_t layer) {
  if (part == Part::Attention)
    return true;
  if (part == Part::Ffn)
    return !config.hasExpertsIn(layer);
  return isOfExperts(part) && config.hasExpertsIn(layer);
}

Result<ParamCounts> labgen::countParams(const ModelConfig &config) {
  Weights weights = weightsOf(config);
  Count parts[numParts], total, active, linear, activeLinear, layer, layerFfn;
  for (const Matrix &m : weights.matrices) {
    Count each = Count(m.rows) * m.cols, used = m.used * each;
    parts[size_t(m.part)] += m.parameters();
    if (m.part == Part::Mtp)
      continue;
    total += m.parameters();
    // An embedding is looked up, not multiplied, and counts as active still.
    active += m.part == Part::Experts ? used : m.parameters();
    if (!isLinearPart(m.part))
      continue;
    linear += m.parameters();
    activeLinear += used;
    bool ofMoe = isOfExperts(m.part);
    bool inLayer =
        m.part == Part::Attention || ofMoe == (config.moeLayers() > 0);
    if (!inLayer)
      continue;
    int64_t layers = layersWith(config, m.part);
    Count one = each * Count(layers ? m.used.get() / layers : 0);
    layer += one;
    if (m.part != Part::Attention)
      layerFfn += one;
  }
  for (const Vector &v : weights.vectors) {
    parts[size_t(v.part)] += v.length;
    if (v.part == Part::Mtp)
      continue;
    total += v.length;
    active += v.used;
  }

  ParamCounts counts;
  Count everything = total + parts[size_t(Part::Mtp)];
  for (int part = 0; part < numParts; ++part) {
    counts.parts[part] = parts[part].get();
    everything += Count(0) * parts[part];
  }
  if ((everything + layer + activeLinear + active + linear).overflowed())
    return Status::badInput(
        "the parameters of this model do not fit 64 bits; use smaller sizes");
  counts.total = total.get();
  counts.active = active.get();
  counts.linear = linear.get();
  counts.activeLinear = activeLinear.get();
  counts.activeLayer = layer.get();
  counts.activeLayerFfn = layerFfn.get();
  return counts;
}
