// ExpOverflow.cpp - exp() of every positive value of a format, and where the
// results end.
#include "tools/labgen/labs/Lab.h"

#include "lib/Spec/Convert.h"

#include <cmath>

namespace labgen {

namespace {

/// The finite values of a format from +0 up.
Values positives(Format format) {
  Values values;
  for (uint64_t bits = 0;; ++bits) {
    double value = decode(format, bits);
    values.push_back(value);
    if (value == info(format).max)
      return values;
  }
}

} // namespace

Result<LabReport> expOverflowLab(LabRunner &runner) {
  const std::vector<Format> formats = {Format::F16, Format::BF16,
                                       Format::F8E4M3FN, Format::F8E5M2};
  std::vector<LabRun> runs;
  for (Format format : formats) {
    Values x = positives(format);
    std::string type(name(format));
    runs.push_back(
        {"exp:n=" + std::to_string(x.size()) + ",in=" + type + ",out=" + type,
         {{"x", std::move(x)}}});
  }
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  LabReport report;
  LabTable table;
  table.columns = {{"format", Align::Left},
                   {"last x"},
                   {"exp(x)"},
                   {"next x"},
                   {"exp(x) "},
                   {"largest"}};
  bool right = true, ends = true;
  for (size_t i = 0; i < formats.size(); ++i) {
    Format format = formats[i];
    const Values &x = runs[i].inputs["x"], &y = (*results)[i].outputs.at("y");
    size_t next = 0;
    while (next < y.size() && std::isfinite(y[next]))
      ++next;
    if (next == 0 || next == y.size()) {
      ends = false;
      continue;
    }
    for (size_t j = next; j < y.size(); ++j)
      ends &= !std::isfinite(y[j]);
    // By libm and one rounding, which no exp of these arguments is near a tie
    // enough to disagree with.
    right &= y[next - 1] == roundTo(format, std::exp(x[next - 1])) &&
             !std::isfinite(roundTo(format, std::exp(x[next])));
    table.lines.push_back(
        {name(format), LabCell::number(x[next - 1]),
         LabCell::number(y[next - 1], 5), LabCell::number(x[next]),
         LabCell::number(y[next], 5), LabCell::number(info(format).max, 5)});
  }
  report.tables.push_back(std::move(table));
  report.notice = {
      "f16 is out of range from 11.09375 on: a softmax that does not subtract "
      "the maximum first breaks on a logit of 12",
      "bf16 reaches as far as f32, in steps of 0.5; f8E4M3FN has no Inf, so "
      "its first casualty is a NaN"};
  report.check("once exp(x) is out of range it stays out", ends);
  report.check("the last result in range and the first beyond are those of an "
               "exact exp rounded once",
               right);
  return report;
}

} // namespace labgen
