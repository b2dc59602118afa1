// Dot.cpp - one dot product of 16384 terms, its vectors stored in four formats
// and added in three.
#include "tools/labgen/labs/Lab.h"
#include "tools/labgen/labs/Numbers.h"

#include <cmath>

namespace labgen {

namespace {

struct Way {
  Format stored, added;
};
constexpr Way ways[] = {{Format::BF16, Format::F32},
                        {Format::F16, Format::F32},
                        {Format::F16, Format::F16},
                        {Format::F32, Format::F32},
                        {Format::F64, Format::F64}};
enum { Bf16, F16, AddedInF16, F32, F64 };

double exactDot(const Values &x, const Values &y) {
  long double sum = 0; // products of f32 values are exact in it
  for (size_t i = 0; i < x.size(); ++i)
    sum += (long double)x[i] * y[i];
  return double(sum);
}

/// In a format whose sums of this length can lose everything nothing is
/// promised.
LabCell boundCell(const std::optional<double> &bound) {
  return bound ? LabCell::number(*bound, 3) : LabCell("none");
}

} // namespace

Result<LabReport> dotLab(LabRunner &runner) {
  constexpr int64_t n = 16384;
  Values x = drawValues(Distribution::Uniform, n, 0);
  Values y = drawValues(Distribution::Uniform, n, 1);
  // All of one sign: nothing cancels, so what is lost is the format's fault.
  for (Values *values : {&x, &y})
    for (double &value : *values)
      value = std::fabs(value);
  std::vector<LabRun> runs;
  for (const Way &way : ways)
    runs.push_back(
        {"reduce:n=" + std::to_string(n) +
             ",type=" + std::string(name(way.stored)) +
             ",kind=dot,order=sequential,acc=" + std::string(name(way.added)),
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
  for (size_t i = 0; i < std::size(ways); ++i) {
    const LabResult &result = (*results)[i];
    Format format = ways[i].stored;
    double stored = exactDot(rounded(format, x), rounded(format, y));
    storing.push_back(std::fabs(stored - exact));
    adding.push_back(*result.row.error->maxAbs);
    within &= !result.row.bound || adding.back() <= *result.row.bound;
    table.lines.push_back({name(format), name(ways[i].added),
                           LabCell::number(result.outputs.at("r")[0], 12),
                           LabCell::number(storing.back(), 3),
                           LabCell::number(adding.back(), 3),
                           boundCell(result.row.bound)});
  }
  double stall = (*results)[AddedInF16].outputs.at("r")[0];
  report.tables.push_back(std::move(table));
  report.notice = {
      "bf16 and f16 vectors are multiplied and added in f32, as matrix units "
      "do; what 16 bits cost then is the rounding of what is stored",
      "the same f16 vectors with an f16 accumulator stop short at " +
          LabCell::number(stall).text +
          ": a term below half the gap at the sum no longer counts, and no "
          "bound is left to promise",
      "bf16 rounds 8 times coarser than f16 and loses more here; values beyond "
      "65504 f16 would lose altogether",
      "the bound grows with n, the error with the luck of its roundings"};
  report.check("every error of adding is within its bound, where there is one",
               within);
  report.check("storing 16 bits costs more than adding in f32, storing f32 "
               "values in 32 or 64 costs nothing, and f64 adds best",
               storing[Bf16] > adding[Bf16] && storing[F16] > adding[F16] &&
                   storing[F32] == 0 && storing[F64] == 0 &&
                   adding[F64] < adding[F32]);
  report.check(
      "adding in f16 loses more than half of the sum, and has no bound",
      adding[AddedInF16] > exact / 2 && !(*results)[AddedInF16].row.bound);
  return report;
}

} // namespace labgen
