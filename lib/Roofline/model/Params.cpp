// Params.cpp - the list of weights, and its sums.
#include "lib/Roofline/model/Params.h"

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
    Part norms = partOr(Part::Norms, isMtp);
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
    } else {
      int64_t q = h * c.headDim, kv = c.kvHeads * c.headDim;
      matrix(part, "q", q, d, layers);
      matrix(part, "k", kv, d, layers, {}, true, Cut::KvHeads);
      matrix(part, "v", kv, d, layers, {}, true, Cut::KvHeads);
      matrix(part, "o", d, q, layers);
      if (c.qkvBias)
        vector(Part::Biases, Count(q + 2 * kv) * layers);
      if (c.qkNorm)
        vector(norms, Count(2 * c.headDim) * layers);
    }
    if (c.outBias)
      vector(Part::Biases, Count(d) * layers);
    if (c.sinks)
      vector(Part::Biases, Count(h) * layers);
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

  void ffn(int64_t layers) {
    threeMatrices(Part::Ffn, c.ffn, layers);
    if (c.ffnBias)
      vector(Part::Biases,
             Count((c.gated ? 2 : 1) * c.ffn + c.hidden) * layers);
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
    if (c.expertBias) {
      int64_t each = (c.gated ? 2 : 1) * c.expertFfn + c.hidden;
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
    vector(Part::Norms, c.hidden * (c.normBias ? 2 : 1));
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

bool isLinearPart(Part part) {
  return part == Part::Attention || part == Part::Ffn ||
         part == Part::Experts || part == Part::SharedExperts ||
         part == Part::Router;
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
    bool ofMoe = m.part != Part::Attention && m.part != Part::Ffn;
    bool inLayer =
        m.part == Part::Attention || ofMoe == (config.moeLayers() > 0);
    if (!inLayer)
      continue;
    int64_t layers = ofMoe                 ? config.moeLayers()
                     : m.part == Part::Ffn ? config.layers - config.moeLayers()
                                           : config.layers;
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
