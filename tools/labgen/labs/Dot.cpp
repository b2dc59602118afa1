// Dot.cpp - one dot product of 16384 terms, its vectors stored in four formats.
#include "tools/labgen/labs/Lab.h"
#include "tools/labgen/labs/Numbers.h"

#include <cmath>

namespace labgen {

static double exactDot(const Values &x, const Values &y) {
  long double sum = 0; // products of f32 values are exact in it
  for (size_t i = 0; i < x.size(); ++i)
    sum += (long double)x[i] * y[i];
  return double(sum);
}

Result<LabReport> dotLab(LabRunner &runner) {
  constexpr int64_t n = 16384;
  const std::vector<Format> formats = {Format::BF16, Format::F16, Format::F32,
                                       Format::F64};
  Values x = drawValues(Distribution::Uniform, n, 0);
  Values y = drawValues(Distribution::Uniform, n, 1);
  // All of one sign: nothing cancels, so what is lost is the format's fault.
  for (Values *values : {&x, &y})
    for (double &value : *values)
      value = std::fabs(value);
  std::vector<LabRun> runs;
  for (Format format : formats)
    runs.push_back({"reduce:n=" + std::to_string(n) +
                        ",type=" + std::string(name(format)) +
                        ",kind=dot,order=sequential",
                    {{"x", x}, {"y", y}}});
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  double exact = exactDot(x, y);
  LabReport report;
  LabTable table;
  table.columns = {
      {"stored in", Align::Left}, {"added in", Align::Left}, {"result"},
      {"error of storing"},       {"error of adding"},       {"bound on it"}};
  bool within = true;
  Values storing, adding;
  for (size_t i = 0; i < formats.size(); ++i) {
    const LabResult &result = (*results)[i];
    double stored = exactDot(rounded(formats[i], x), rounded(formats[i], y));
    storing.push_back(std::fabs(stored - exact));
    adding.push_back(*result.row.error->maxAbs);
    within &= adding.back() <= *result.row.bound;
    table.lines.push_back(
        {name(formats[i]), formats[i] == Format::F64 ? "f64" : "f32",
         LabCell::number(result.outputs.at("r")[0], 12),
         LabCell::number(storing.back(), 3), LabCell::number(adding.back(), 3),
         LabCell::number(*result.row.bound, 3)});
  }
  report.tables.push_back(std::move(table));
  report.notice = {
      "bf16 and f16 vectors are multiplied and added in f32 here, as matrix "
      "units do; what 16 bits cost is the rounding of what is stored",
      "bf16 rounds 8 times coarser than f16 and loses more here; values beyond "
      "65504 f16 would lose altogether",
      "the bound grows with n, the error with the luck of its roundings"};
  report.check("every error of adding is within its bound", within);
  report.check("storing 16 bits costs more than adding in f32, storing f32 "
               "values in 32 or 64 costs nothing, and f64 adds best",
               storing[0] > adding[0] && storing[1] > adding[1] &&
                   storing[2] == 0 && storing[3] == 0 && adding[3] < adding[2]);
  return report;
}

} // namespace labgen
