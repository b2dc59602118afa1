// Report.h - the model calculator's answer: sections of worked steps.
//
// Every result stands behind its formula, the numbers put in, and what was
// left out with the reason why that is safe. A section carries the same figures
// once as text and once, in full precision, as JSON. Layout is the tool's.
#ifndef LABGEN_CALCULATOR_REPORT_REPORT_H
#define LABGEN_CALCULATOR_REPORT_REPORT_H

#include "calculator/model/Decode.h"
#include "calculator/model/Flops.h"
#include "calculator/model/KvCache.h"
#include "lib/Roofline/chips/Chip.h"

namespace labgen {

/// What is asked about a valid model. Lists are not empty.
struct ModelRequest {
  ModelConfig config;
  /// In place of the exact count, for weights by a round number ("70e9").
  std::optional<int64_t> nominalParams;
  std::vector<int64_t> contexts = {4096};
  std::vector<int64_t> batches = {1};
  std::vector<Chip> chips;
  std::vector<WeightFormat> weights;
  KvFormat kv;
  KvPaging paging;
  Format compute = Format::BF16; ///< whose peak bounds arithmetic
  double utilization = 1;        ///< share of a device's memory that is used
  double reserveGb = 0;          ///< taken off that, 10^9 B
  int64_t devices = 1;           ///< tensor parallel
  std::optional<double> trainingTokens;
  int64_t trainingDevices = 0; ///< 0: days are not asked for
  double trainingShare = 0.4;  ///< of the dense peak that training reaches
  int64_t drafts = 0;          ///< speculative decoding; 0: none
  double accept = 0, draftCost = 0;
};

/// One worked step; empty parts are not printed.
struct Step {
  std::string what, formula, numbers, result, ignored;
};
struct ReportTable {
  std::string caption;
  std::vector<std::string> titles; ///< all but the first `left` right-aligned
  size_t left = 1;
  std::vector<std::vector<std::string>> lines;
};
struct Section {
  std::string key; ///< of its object in the JSON
  std::string title;
  std::vector<Step> steps;
  std::vector<ReportTable> tables;
  std::vector<std::string> notes;
  Json json;
};

/// In the order of the drills: parameters, weights, FLOPs, decode; KV cache and
/// sequences; crossover and ridge; experts; tensor parallelism.
Result<std::vector<Section>> modelReport(const ModelRequest &request);
Json toJson(const std::vector<Section> &sections);

// The sections, one function each.
Result<Section> parameterSection(const ModelRequest &request);
Result<Section> weightSection(const ModelRequest &request);
Result<Section> flopSection(const ModelRequest &request);
Result<Section> decodeSection(const ModelRequest &request);
Result<Section> kvSection(const ModelRequest &request);
Result<Section> sequenceSection(const ModelRequest &request);
Result<Section> regimeSection(const ModelRequest &request);
Result<Section> expertSection(const ModelRequest &request);
Result<Section> tensorSection(const ModelRequest &request);

/// Adds training to the FLOP section and its JSON: FLOPs per token and in all,
/// and the days they take where the request names devices.
Status addTraining(const ModelRequest &request, Section &section,
                   Json::Object &figures);

/// Devices that keep the same KV cache under the request's tensor parallelism;
/// all of them together hold that many copies of each sequence.
int64_t kvCopies(const ModelRequest &request);

/// Weight bytes of the request in a format, nominal parameters respected.
Result<int64_t> requestedWeightBytes(const ModelRequest &request,
                                     const WeightFormat &format);

} // namespace labgen

#endif // LABGEN_CALCULATOR_REPORT_REPORT_H
