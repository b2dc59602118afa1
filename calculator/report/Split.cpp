// Split.cpp - what a token touches of the experts, and what a device keeps
// under tensor parallelism.
#include "calculator/report/Numbers.h"
#include "calculator/report/Report.h"

using namespace labgen;

Result<Section> labgen::expertSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  Section section{"experts", "Experts touched", {}, {}, {}, {}};
  section.steps.push_back(
      {"different experts of a layer that a batch reaches",
       "E (1 - (1 - k/E)^B)",
       "E = " + std::to_string(c.experts) + ", k = " + std::to_string(c.topK),
       "the table",
       "that routers prefer some experts and tokens resemble each other: both "
       "touch fewer"});
  ReportTable table{
      "read per step without KV: embeddings looked up, those experts read",
      {"batch", "experts"},
      0,
      {}};
  for (const WeightFormat &format : request.weights)
    table.titles.push_back(std::string(format.name) + " GB");
  Json::Array lines;
  std::vector<int64_t> batches = {1, 8, 32, 128};
  for (int64_t batch : request.batches)
    if (batch != 1 && batch != 8 && batch != 32 && batch != 128)
      batches.push_back(batch);
  for (int64_t batch : batches) {
    double touched = expectedExperts(c, double(batch));
    table.lines.push_back({grouped(batch), general(touched, 6)});
    Json::Object bytes;
    for (const WeightFormat &format : request.weights) {
      double read = touchedBytes(c, format, touched);
      table.lines.back().push_back(gb(read));
      bytes.emplace_back(std::string(format.name), read);
    }
    lines.push_back(Json::Object{
        {"batch", batch}, {"experts", touched}, {"bytes", std::move(bytes)}});
  }
  section.tables.push_back(table);
  section.json = std::move(lines);
  return section;
}

int64_t labgen::kvCopies(const ModelRequest &request) {
  Result<TensorShare> share = tensorShare(request.config, request.devices);
  return share ? share->kvCopies : 1;
}

Result<Section> labgen::tensorSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  Result<TensorShare> share = tensorShare(c, request.devices);
  Result<ParamCounts> counts = countParams(c);
  if (!share || !counts)
    return share ? counts.status() : share.status();
  Section section{"tensor_parallel", "Tensor parallelism", {}, {}, {}, {}};
  std::string devices = std::to_string(request.devices);
  section.steps.push_back(
      {"one of " + devices + " devices: weights",
       "matrices / devices; norms, biases, routers and latent projections on "
       "every device; K and V projections by KV head",
       grouped(counts->total) + " / " + devices + " and the copies",
       grouped(share->weightParams) + " parameters, " +
           gigabytes(2 * double(share->weightParams)) + " in bf16",
       "buffers for communication"});
  section.steps.push_back(
      {"one of " + devices + " devices: KV cache",
       c.isMla() ? "the latent has no heads to divide: every device keeps all"
                 : "max(1, H_kv / devices) KV heads",
       c.isMla() ? ""
                 : std::to_string(c.kvHeads) + " / " + devices + ", each on " +
                       std::to_string(share->kvCopies) +
                       (share->kvCopies == 1 ? " device" : " devices"),
       grouped(share->kvElementsPerToken) + " elements per token, " +
           general(double(share->kvCopies), 4) + " times an even share",
       "scales, which are divided likewise"});
  section.notes.push_back("steps per second, what fits and the sequences above "
                          "are of one device with these shares; communication "
                          "is not counted");
  section.json = Json::Object{
      {"devices", request.devices},
      {"kv_heads_per_device", share->kvHeads},
      {"kv_copies", share->kvCopies},
      {"weight_parameters_per_device", share->weightParams},
      {"kv_elements_per_token_per_device", share->kvElementsPerToken}};
  return section;
}

Result<std::vector<Section>> labgen::modelReport(const ModelRequest &request) {
  using Make = Result<Section> (*)(const ModelRequest &);
  std::vector<Make> makers = {parameterSection, weightSection, flopSection,
                              decodeSection,    kvSection,     sequenceSection,
                              regimeSection};
  if (request.config.isMoe())
    makers.push_back(expertSection);
  if (request.devices > 1)
    makers.push_back(tensorSection);
  std::vector<Section> sections;
  for (Make make : makers) {
    Result<Section> section = make(request);
    if (!section)
      return section.status();
    sections.push_back(std::move(*section));
  }
  return sections;
}

Json labgen::toJson(const std::vector<Section> &sections) {
  Json::Object out;
  for (const Section &section : sections)
    out.emplace_back(section.key, section.json);
  return out;
}
