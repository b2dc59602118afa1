// Regime.cpp - where attention and arithmetic take over: crossover, projection
// intensity, ridge points.
#include "calculator/report/Numbers.h"
#include "calculator/report/Report.h"

#include <cmath>

using namespace labgen;

Result<Section> labgen::regimeSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  Result<ParamCounts> counts = countParams(c);
  if (!counts)
    return counts.status();
  Section section{"regime", "Crossover, intensity and ridge", {}, {}, {}, {}};
  Crossover at = crossover(c, *counts);
  std::string denominator = c.isMla() ? "H (d_qk + d_v)" : "2 H d_h";
  std::string numbers =
      " / " + std::to_string(c.heads * (c.qkDim() + c.valueDim()));
  section.steps.push_back(
      {"attention FLOPs equal those of ALL linear layers",
       "N = matrix parameters of a layer / (" + denominator + ")" +
           (c.isMoe() || c.isMla() ? "" : " = (1 + d_kv/d + m) d"),
       std::to_string(counts->activeLayer) + numbers,
       "N = " + general(at.allLinear, 8) + " tokens (full square), " +
           general(2 * at.allLinear, 8) + " (causal)",
       "softmax and norms, O(N) and O(d) beside N d; windows, which only move "
       "the point further out"});
  section.steps.push_back(
      {"attention FLOPs equal those of the FFN ALONE",
       "N = FFN parameters of a layer / (" + denominator + ")" +
           (c.isMoe() || c.isMla() ? "" : " = m d"),
       std::to_string(counts->activeLayerFfn) + numbers,
       "N = " + general(at.ffnOnly, 8) + " tokens (full square), " +
           general(2 * at.ffnOnly, 8) + " (causal)",
       "the attention projections, which is what the first form adds"});
  double gqa = decodeIntensity(c);
  Step decode{"intensity of decode attention, 16-bit KV", "", "", "",
              "the query and the output, one token beside N; scores stay on "
              "chip"};
  if (c.isMla()) {
    decode.formula = "absorbed, every head meets the latent: 2 H N (2 r_kv + "
                     "d_r) FLOP / (2 N (r_kv + d_r) B)";
    decode.numbers =
        std::to_string(c.heads) + " x (2 x " + std::to_string(c.kvRank) +
        " + " + std::to_string(c.ropeDim) + ") / (" + std::to_string(c.kvRank) +
        " + " + std::to_string(c.ropeDim) + ")";
  } else {
    decode.formula = "4 H d_h N FLOP / (4 H_kv d_h N B) = H / H_kv";
    decode.numbers =
        std::to_string(c.heads) + " / " + std::to_string(c.kvHeads);
  }
  decode.result = general(gqa) + " FLOP/B; batch does not change it";
  section.steps.push_back(decode);

  section.steps.push_back(
      {"a d x d projection on T tokens, 2-byte elements",
       "2 T d^2 FLOP / (2 d^2 + 4 T d) B = T d / (d + 2 T)",
       "d = " + std::to_string(c.hidden),
       "about T for small T, at most d / 2 = " + general(double(c.hidden) / 2),
       "rereading of tiles, which a good kernel keeps in cache"});
  ReportTable intensity{"", {"T", "FLOP/B"}, 0, {}};
  Json::Array intensities;
  for (int64_t tokens : {1, 16, 64, 256, 1024, 4096}) {
    double value = projectionIntensity(c.hidden, double(tokens));
    intensity.lines.push_back({grouped(tokens), general(value, 6)});
    intensities.push_back(
        Json::Object{{"tokens", tokens}, {"flop_per_byte", value}});
  }
  section.tables.push_back(intensity);

  std::string peakName(name(request.compute));
  section.steps.push_back(
      {"ridge and the T where the projection turns compute bound",
       "R = peak / bandwidth; T = R d / (d - 2 R)",
       "dense " + peakName + " peak, f32 accumulation", "the last table",
       "that kernels reach 50-90% of either roof: both shift, T moves little"});
  ReportTable ridges{
      "", {"chip", "TFLOP/s", "TB/s", "ridge FLOP/B", "T at the ridge"}, 1, {}};
  Json::Array ridgeJson;
  for (const Chip &chip : request.chips) {
    const ChipPeak *peak = chip.peak(request.compute);
    std::optional<double> ridge = chip.ridge(request.compute), tokens;
    if (ridge)
      tokens = tokensToRidge(c.hidden, *ridge);
    auto sig = [](double v) { return general(v, 6); };
    ridges.lines.push_back({chip.name, peak ? general(peak->tera) : "n/a",
                            orNa(chip.bandwidthTbps.value, sig),
                            orNa(ridge, [](double v) { return fixed(v, 2); }),
                            !ridge   ? "n/a"
                            : tokens ? fixed(std::ceil(*tokens), 0)
                                     : "never: d <= 2 R"});
    ridgeJson.push_back(Json::Object{{"chip", chip.name},
                                     {"ridge", Json::maybe(ridge)},
                                     {"tokens_to_ridge", Json::maybe(tokens)}});
  }
  section.tables.push_back(ridges);
  section.json = Json::Object{{"crossover_all_linear", at.allLinear},
                              {"crossover_ffn_only", at.ffnOnly},
                              {"decode_attention_flop_per_byte", gqa},
                              {"projection", std::move(intensities)},
                              {"ridges", std::move(ridgeJson)}};
  return section;
}
