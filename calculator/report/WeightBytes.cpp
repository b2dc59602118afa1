// WeightBytes.cpp - the weight section: bytes in every format.
#include "calculator/report/Numbers.h"
#include "calculator/report/Report.h"

#include <cmath>

using namespace labgen;

Result<int64_t> labgen::requestedWeightBytes(const ModelRequest &request,
                                             const WeightFormat &format) {
  if (!request.nominalParams)
    return weightBytes(request.config, format);
  double bytes = double(*request.nominalParams) * format.bitsPerWeight() / 8;
  return int64_t(std::ceil(bytes));
}

Result<Section> labgen::weightSection(const ModelRequest &request) {
  const ModelConfig &c = request.config;
  Result<ParamCounts> counts = countParams(c);
  if (!counts)
    return counts.status();
  int64_t all = request.nominalParams.value_or(counts->total);
  Section section{"weights", "Weight bytes", {}, {}, {}, {}};
  section.steps.push_back(
      {"all parameters in one format", "bytes = parameters x bits / 8",
       grouped(all) + " x 16 bit / 8 (bf16)", gigabytes(2 * double(all)),
       "nothing: scales are billed where the format has them; the drill form "
       "leaves out embeddings, head and norms"});
  section.steps.push_back(
      {"linear layers only",
       "bytes = codes + one scale (and zero point) per "
       "group + 2 B for every other parameter",
       grouped(counts->linear - counts->parts[size_t(Part::Router)]) +
           " quantized, the other " +
           grouped(counts->total - counts->linear +
                   counts->parts[size_t(Part::Router)]) +
           " in bf16",
       "the columns 'linear'", "file headers and padding, far below 0.1%"});
  if (request.nominalParams)
    section.notes.push_back("the columns 'all' are for the given " +
                            grouped(all) + " parameters");

  ReportTable table{"1 GB = 10^9 B, 1 GiB = 2^30 B",
                    {"format", "what it is", "bits/weight", "all GB", "all GiB",
                     "linear GB", "linear GiB", "drill form GB"},
                    2,
                    {}};
  Json::Array formats;
  std::vector<WeightFormat> shown;
  for (const WeightFormat &format : request.weights)
    if (format.of)
      shown.push_back(format);
  shown.insert(shown.end(), weightFormats().begin(), weightFormats().end());
  for (const WeightFormat &format : shown) {
    Result<int64_t> linear = linearWeightBytes(c, format);
    if (!linear)
      return linear.status();
    // A checkpoint's format is of its own layers alone.
    std::optional<double> everywhere;
    if (!format.of)
      everywhere = double(all) * format.bitsPerWeight() / 8;
    double drill = double(counts->linear) * format.bitsPerWeight() / 8;

    table.lines.push_back(
        {std::string(format.name), std::string(format.summary),
         general(format.bitsPerWeight(), 7), orNa(everywhere, gb),
         orNa(everywhere, gib), gb(double(*linear)), gib(double(*linear)),
         gb(drill)});
    formats.push_back(Json::Object{{"format", format.name},
                                   {"bits_per_weight", format.bitsPerWeight()},
                                   {"all_bytes", Json::maybe(everywhere)},
                                   {"linear_bytes", *linear},
                                   {"drill_form_bytes", drill}});
  }
  section.tables.push_back(table);
  section.json = std::move(formats);
  return section;
}
