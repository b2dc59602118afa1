// Training.cpp - the part of the FLOP section about training.
#include "calculator/report/Numbers.h"
#include "calculator/report/Report.h"

using namespace labgen;

namespace {

void addSteps(const ModelRequest &request, const ParamCounts &counts,
              const TrainingFlops &flops, Section &section) {
  const ModelConfig &c = request.config;
  section.steps.push_back(
      {"training, per token",
       "6 P + 6 V d (2 forward, 4 backward), P the " +
           std::string(c.isMoe() ? "active " : "") +
           "matrix parameters of all layers",
       "6 x " + std::to_string(counts.activeLinear) + " + 6 x " +
           std::to_string(c.vocab) + " x " + std::to_string(c.hidden),
       power(flops.matrices()) +
           " FLOP (drill form 6 P: " + power(flops.linear) + ")",
       "the embedding, which is looked up and not multiplied; attention, " +
           power(flops.attention) +
           " FLOP more per token at this length (causal); recomputation"});
  if (request.trainingTokens)
    section.steps.push_back(
        {"training in all", "tokens x (6 P + 6 V d + attention)",
         power(*request.trainingTokens) + " x (" + power(flops.matrices()) +
             " + " + power(flops.attention) + ")",
         power(*request.trainingTokens * flops.total()) +
             " FLOP (drill form: " +
             power(*request.trainingTokens * flops.linear) + ")",
         "recomputation of activations"});
}

/// The table of days; its JSON.
Json::Array addDays(const ModelRequest &request, const TrainingFlops &flops,
                    Section &section) {
  ReportTable table{
      "days of the training on " + grouped(request.trainingDevices) +
          " devices, at " + general(100 * request.trainingShare) +
          "% of the dense " + std::string(name(request.compute)) + " peak",
      {"chip", "TFLOP/s", "days, drill form 6 P", "days in all"},
      1,
      {}};
  Json::Array lines;
  for (const Chip &chip : request.chips) {
    const ChipPeak *peak = chip.peak(request.compute);
    auto days = [&](double perToken) -> std::optional<double> {
      if (!peak)
        return std::nullopt;
      double rate = peak->tera * 1e12 * request.trainingShare *
                    double(request.trainingDevices);
      return perToken * *request.trainingTokens / rate / 86400;
    };
    auto print = [](double value) { return fixed(value, 1); };
    table.lines.push_back({chip.name, peak ? general(peak->tera, 6) : "n/a",
                           orNa(days(flops.linear), print),
                           orNa(days(flops.total()), print)});
    lines.push_back(
        Json::Object{{"chip", chip.name},
                     {"devices", request.trainingDevices},
                     {"share", request.trainingShare},
                     {"drill_form_days", Json::maybe(days(flops.linear))},
                     {"days", Json::maybe(days(flops.total()))}});
  }
  section.tables.push_back(std::move(table));
  return lines;
}

} // namespace

Status labgen::addTraining(const ModelRequest &request, Section &section,
                           Json::Object &figures) {
  Result<ParamCounts> counts = countParams(request.config);
  Result<TrainingFlops> flops =
      trainingFlops(request.config, request.contexts.front());
  if (!counts || !flops)
    return counts ? flops.status() : counts.status();
  addSteps(request, *counts, *flops, section);
  std::optional<double> total;
  if (request.trainingTokens)
    total = *request.trainingTokens * flops->total();
  figures.emplace_back("training_per_token", flops->matrices());
  figures.emplace_back("training_drill_form_per_token", flops->linear);
  figures.emplace_back("training_attention_per_token", flops->attention);
  figures.emplace_back("training_total", Json::maybe(total));
  if (request.trainingDevices)
    figures.emplace_back("training_days", addDays(request, *flops, section));
  return Status();
}
