// FlopCounts.cpp - the FLOP section: prefill and decode; Training.cpp adds to
// it.
#include "calculator/report/Numbers.h"
#include "calculator/report/Report.h"

using namespace labgen;

namespace {

std::string milliseconds(double seconds) {
  return fixed(seconds * 1e3, 2) + " ms";
}

} // namespace

Result<Section> labgen::flopSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  int64_t n = request.contexts.front();
  Result<ParamCounts> counts = countParams(c);
  Result<PrefillFlops> prefill = prefillFlops(c, n);
  Result<DecodeFlops> decode = decodeFlops(c, n);
  if (!counts)
    return counts.status();
  if (!prefill || !decode)
    return prefill ? decode.status() : prefill.status();
  bool sameDims = c.qkDim() == c.valueDim();
  std::string N = std::to_string(n), tail = " x " + std::to_string(c.layers);
  std::string dims = std::to_string(c.heads) + " x " +
                     (sameDims ? std::to_string(c.valueDim())
                               : "(" + std::to_string(c.qkDim()) + " + " +
                                     std::to_string(c.valueDim()) + ")");
  std::string symbols = sameDims ? "H d_h L" : "H (d_qk + d_v) L";
  std::string two = sameDims ? "4" : "2";

  Section section{"flops", "FLOPs", {}, {}, {}, {}};
  section.steps.push_back(
      {"prefill of one sequence, N = " + N + " tokens",
       "2 P N + " + two + " N^2 " + symbols + " + 2 V d, P the " +
           (c.isMoe() ? "active " : "") + "matrix parameters of all layers",
       "2 x " + std::to_string(counts->activeLinear) + " x " + N + " + " + two +
           " x " + N + "^2 x " + dims + tail + " + 2 x " +
           std::to_string(c.vocab) + " x " + std::to_string(c.hidden),
       grouped(prefill->linear) + " + " + grouped(prefill->attentionFull) +
           " + " + grouped(prefill->head) + " = " +
           power(double(prefill->full())) + " FLOP, attention " +
           fixed(100 * double(prefill->attentionFull) / double(prefill->full()),
                 1) +
           "%",
       "softmax, norms, rotary embedding: O(N d) beside O(N d^2), under 1%"});
  section.steps.push_back(
      {"the same with a causal kernel",
       "N (N + 1) / 2 of the N^2 pairs" +
           std::string(c.windowLayers ? ", and a window's worth of them in "
                                        "windowed layers"
                                      : ""),
       grouped(prefill->attentionCausal) + " FLOP of attention",
       power(double(prefill->causal())) + " FLOP",
       "masked pairs on the diagonal tiles, which kernels compute and drop: a "
       "tile's width beside N"});
  std::string pairs =
      c.isMla() ? "2 N H (2 r_kv + d_r) L" : two + " N " + symbols;
  section.steps.push_back(
      {"decode of one token behind N = " + N +
           (c.isMla() ? ", keys and values absorbed into the projections" : ""),
       "2 P + " + pairs + " + 2 V d",
       grouped(decode->linear) + " + " + grouped(decode->attention) + " + " +
           grouped(decode->head),
       power(double(decode->total())) +
           " FLOP (drill form 2 P: " + power(double(decode->linear)) + ")",
       "the drill form leaves out attention and head, " +
           fixed(100 - 100 * double(decode->linear) / double(decode->total()),
                 1) +
           "% here and less at shorter contexts"});
  std::string peakName(name(request.compute));
  ReportTable table{
      "time of the prefill at the dense " + peakName + " peak",
      {"chip", "N", "FLOP", "attention", "TFLOP/s", "time", "causal"},
      1,
      {}};
  Json::Array times, contexts;
  for (int64_t context : request.contexts) {
    Result<PrefillFlops> at = prefillFlops(c, context);
    Result<DecodeFlops> next = decodeFlops(c, context);
    if (!at || !next)
      return at ? next.status() : at.status();
    contexts.push_back(
        Json::Object{{"context", context},
                     {"prefill_linear", at->linear},
                     {"prefill_attention", at->attentionFull},
                     {"prefill_attention_causal", at->attentionCausal},
                     {"prefill_head", at->head},
                     {"prefill", at->full()},
                     {"prefill_causal", at->causal()},
                     {"decode_linear", next->linear},
                     {"decode_attention", next->attention},
                     {"decode_head", next->head},
                     {"decode", next->total()}});
    for (const Chip &chip : request.chips) {
      const ChipPeak *peak = chip.peak(request.compute);
      double rate = peak ? peak->tera * 1e12 : 0;
      auto time = [&](double flops) {
        return peak ? milliseconds(flops / rate) : std::string("n/a");
      };
      table.lines.push_back(
          {chip.name, grouped(context), power(double(at->full())),
           fixed(100 * double(at->attentionFull) / double(at->full()), 1) + "%",
           peak ? general(peak->tera, 6) : "n/a", time(double(at->full())),
           time(double(at->causal()))});
      times.push_back(Json::Object{
          {"chip", chip.name},
          {"context", context},
          {"prefill_s", peak ? Json(double(at->full()) / rate) : Json()},
          {"prefill_causal_s",
           peak ? Json(double(at->causal()) / rate) : Json()}});
    }
  }
  section.tables.push_back(table);
  Json::Object figures{{"contexts", std::move(contexts)},
                       {"times", std::move(times)}};
  if (Status status = addTraining(request, section, figures); !status)
    return status;
  section.json = std::move(figures);
  return section;
}
