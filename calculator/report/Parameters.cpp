// Parameters.cpp - the parameter section: one layer, the drill form, the exact
// count and what lies between them.
#include "calculator/report/Numbers.h"
#include "calculator/report/Report.h"

using namespace labgen;

namespace {

using Text = std::string;

Text times(std::initializer_list<int64_t> factors) {
  Text out;
  for (int64_t factor : factors)
    out += (out.empty() ? "" : " x ") + std::to_string(factor);
  return out;
}

/// Attention and FFN matrices of one layer, in symbols and in numbers.
void layerStep(const ModelRequest &request, const ParamCounts &counts,
               Section &section) {
  const ModelConfig &c = request.config;
  bool hasExperts = c.moeLayers() > 0;
  Step step;
  step.what =
      hasExperts ? "one layer with experts, as one token sees it" : "one layer";
  int64_t d = c.hidden, h = c.heads;
  if (c.isMla()) {
    Text q = c.qRank ? "d r_q + r_q H (d_n + d_r)" : "d H (d_n + d_r)";
    step.formula = q + " + d (r_kv + d_r) + r_kv H (d_n + d_v) + H d_v d";
    step.numbers =
        c.qRank ? times({d, c.qRank}) + " + " + times({c.qRank, h, c.qkDim()})
                : times({d, h, c.qkDim()});
    step.numbers += " + " + times({d, c.kvRank + c.ropeDim}) + " + " +
                    times({c.kvRank, h, c.nopeDim + c.vDim}) + " + " +
                    times({h, c.vDim, d});
  } else {
    step.formula = "2 d H d_h + 2 d H_kv d_h";
    step.numbers = times({2, d, h, c.headDim}) + " + " +
                   times({2, d, c.kvHeads, c.headDim});
  }
  int64_t matrices = c.gated ? 3 : 2;
  Text perMatrix = std::to_string(matrices) + " d f";
  if (hasExperts) {
    step.formula += " + k " + perMatrix + " + E d";
    step.numbers += " + " + times({c.topK, matrices, d, c.expertFfn}) + " + " +
                    times({c.experts, d});
    if (c.sharedExperts) {
      step.formula += " + shared " + perMatrix;
      step.numbers +=
          " + " + times({c.sharedExperts, matrices, d, c.sharedFfn});
    }
    if (c.sharedGate) {
      step.formula += " + d";
      step.numbers += " + " + std::to_string(d);
    }
  } else {
    step.formula += " + " + perMatrix;
    step.numbers += " + " + times({matrices, d, c.ffn});
  }
  step.result = grouped(counts.activeLayer) + " parameters";
  if (!hasExperts && !c.isMla() && h * c.headDim == d) {
    double m = double(matrices) * double(c.ffn) / (2 * double(d));
    double coefficient = double(counts.activeLayer) / (double(d) * double(d));
    step.formula += " = (2 + 2 d_kv/d + 2 m) d^2 with m = " +
                    Text(c.gated ? "3 f / 2 d" : "f / d");
    step.result +=
        " = " + general(coefficient, 8) + " d^2, m = " + general(m, 8);
  }
  step.ignored = "norms and biases: O(d) beside d^2, below 0.1%";
  section.steps.push_back(step);
}

Text percent(int64_t part, int64_t whole) {
  return fixed(100.0 * double(part) / double(whole), 2) + "%";
}

Json configJson(const ModelConfig &c) {
  Json::Object out = {{"model_type", c.type}};
  for (int i = 0; i < numFields; ++i) {
    const FieldInfo &field = info(Field(i));
    out.emplace_back(field.jsonKey, c.*field.member);
  }
  for (auto [key, value] :
       {std::pair("gated", c.gated), std::pair("tied", c.tied),
        std::pair("qkv_bias", c.qkvBias), std::pair("out_bias", c.outBias),
        std::pair("ffn_bias", c.ffnBias), std::pair("qk_norm", c.qkNorm)})
    out.emplace_back(key, value);
  Json::Array notes;
  for (const Text &note : c.notes)
    notes.push_back(note);
  out.emplace_back("notes", std::move(notes));
  return out;
}

Text shape(const ModelConfig &c) {
  Text out = "L = " + grouped(c.layers) + " layers, d = " + grouped(c.hidden) +
             ", H = " + grouped(c.heads) + " heads";
  if (c.isMla())
    out += ", MLA: r_q = " + grouped(c.qRank) +
           ", r_kv = " + grouped(c.kvRank) + ", d_n = " + grouped(c.nopeDim) +
           ", d_r = " + grouped(c.ropeDim) + ", d_v = " + grouped(c.vDim);
  else
    out += ", H_kv = " + grouped(c.kvHeads) +
           " KV heads, d_h = " + grouped(c.headDim);
  if (c.ffn)
    out += ", f = " + grouped(c.ffn) + (c.gated ? " gated" : " not gated");
  if (c.isMoe()) {
    out += ", E = " + grouped(c.experts) +
           " experts of f = " + grouped(c.expertFfn) +
           ", k = " + grouped(c.topK);
    if (c.sharedExperts)
      out += ", " + grouped(c.sharedExperts) +
             " shared of f = " + grouped(c.sharedFfn);
    if (c.denseLayers)
      out += ", " + grouped(c.denseLayers) + " dense layers";
  }
  out += ", V = " + grouped(c.vocab) + (c.tied ? " tied" : " untied");
  if (c.windowLayers)
    out += ", window of " + grouped(c.window) + " tokens in " +
           grouped(c.windowLayers) + " layers";
  return out;
}

} // namespace

Result<Section> labgen::parameterSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  Result<ParamCounts> counts = countParams(c);
  if (!counts)
    return counts.status();
  Section section{"parameters", "Parameters", {}, {}, {}, {}};
  section.notes.push_back("model: " + shape(c));
  for (const Text &note : c.notes)
    section.notes.push_back(note);
  layerStep(request, *counts, section);

  int64_t outside = counts->total - counts->linear;
  section.steps.push_back(
      {"drill form: all layers", "L x layer, every expert counted",
       "the matrices of " + grouped(c.layers) + " layers",
       grouped(counts->linear) +
           " parameters = " + power(double(counts->linear)),
       "embeddings, head, norms, biases: " + grouped(outside) + ", " +
           percent(outside, counts->total) + " of the total"});
  auto part = [&](Part p) { return counts->parts[size_t(p)]; };
  section.steps.push_back(
      {"total", "drill form + embedding + head + norms + biases",
       grouped(counts->linear) + " + " +
           grouped(part(Part::Embedding) + part(Part::Positions)) + " + " +
           grouped(part(Part::Head)) + " + " + grouped(part(Part::Norms)) +
           " + " + grouped(part(Part::Biases)),
       grouped(counts->total) + " parameters = " + power(double(counts->total)),
       "rotary tables and masks: computed, not stored"});
  if (c.isMoe())
    section.steps.push_back(
        {"active per token", "total - experts a token does not go to",
         "of each layer's " + grouped(c.experts) + " experts " +
             grouped(c.topK) + " count",
         grouped(counts->active) + " parameters, " +
             grouped(counts->activeLinear) + " in the layers",
         "the uneven choice of routers: each token goes to k of them whatever "
         "they choose"});
  if (part(Part::Mtp))
    section.steps.push_back(
        {"multi-token prediction",
         "a layer with experts, a 2 d x d projection, "
         "three norms",
         grouped(c.mtpLayers) + " more of them in the checkpoint",
         grouped(part(Part::Mtp)) + " parameters",
         "not in the figures below: plain decoding does not load it"});

  ReportTable table{"", {"part", "parameters", "share"}, 1, {}};
  Json::Object parts;
  for (int p = 0; p < numParts; ++p) {
    int64_t count = counts->parts[p];
    parts.emplace_back(std::string(name(Part(p))), count);
    if (count && Part(p) != Part::Mtp)
      table.lines.push_back(
          {Text(name(Part(p))), grouped(count), percent(count, counts->total)});
  }
  section.tables.push_back(table);
  section.json = Json::Object{{"config", configJson(c)},
                              {"total", counts->total},
                              {"active", counts->active},
                              {"drill_form", counts->linear},
                              {"active_drill_form", counts->activeLinear},
                              {"layer", counts->activeLayer},
                              {"layer_ffn", counts->activeLayerFfn},
                              {"parts", std::move(parts)}};
  return section;
}
