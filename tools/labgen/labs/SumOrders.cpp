// SumOrders.cpp - one sum whose terms cancel, in many orders.
//
// Reversed and random orders are the sequential kernel on permuted input.
#include "runtime/core/Philox.h"
#include "tools/labgen/labs/Lab.h"
#include "tools/labgen/labs/Numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace labgen {

namespace {

constexpr int64_t length = 16384;
constexpr int shuffles = 6;

/// Normal values over 16 binades.
Values cancellingValues() {
  Values x = drawValues(Distribution::Normal, length, 0);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::ldexp(x[i], int(philox(1, i, 1).w0 % 17) - 8);
  return x;
}

Values shuffled(Values x, int number) {
  for (size_t i = x.size(); i > 1; --i)
    std::swap(x[i - 1], x[philox(2, i, uint64_t(number)).w0 % i]);
  return x;
}

LabRun sumOf(const std::string &order, Values x) {
  return {"reduce:n=" + std::to_string(length) +
              ",type=f32,kind=sum,order=" + order,
          {{"x", std::move(x)}}};
}

} // namespace

Result<LabReport> sumOrdersLab(LabRunner &runner) {
  Values x = cancellingValues();
  std::vector<std::string> labels = {"sequential", "reversed", "pairwise",
                                     "blocked", "compensated"};
  std::vector<LabRun> runs = {
      sumOf("sequential", x), sumOf("sequential", Values(x.rbegin(), x.rend())),
      sumOf("pairwise", x), sumOf("blocked", x), sumOf("compensated", x)};
  for (int i = 1; i <= shuffles; ++i) {
    labels.push_back("random " + std::to_string(i));
    runs.push_back(sumOf("sequential", shuffled(x, i)));
  }
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  LabReport report;
  LabTable table;
  table.columns = {
      {"order", Align::Left}, {"sum"}, {"error"}, {"bound"}, {"bits lost"}};
  bool within = true;
  Values errors;
  std::set<double> sums;
  for (size_t i = 0; i < labels.size(); ++i) {
    const LabResult &result = (*results)[i];
    double sum = result.outputs.at("r")[0], error = *result.row.error->maxAbs;
    // In units of half an ulp of the sum, what one rounding costs.
    double roundings = std::ldexp(error, 24 - std::ilogb(sum));
    within &= error <= *result.row.bound;
    errors.push_back(error);
    if (labels[i] != "pairwise" && labels[i] != "blocked" &&
        labels[i] != "compensated")
      sums.insert(sum);
    table.lines.push_back(
        {labels[i], LabCell::number(sum, 9), LabCell::number(error, 3),
         LabCell::number(*result.row.bound, 3),
         LabCell::number(std::max(0.0, std::log2(std::max(roundings, 1.0))),
                         2)});
  }
  report.tables.push_back(std::move(table));
  report.notice = {
      std::to_string(sums.size()) + " of " + std::to_string(shuffles + 2) +
          " one-by-one sums of the same numbers are different: a float sum is "
          "defined by its order",
      "bounds, in roundings of the sum of magnitudes: n - 1 one by one, about "
      "130 pairwise and blocked, 4 compensated",
      "each order gives these bits on every target; without a fixed order they "
      "would change with the number of threads"};
  report.check("every error is within its bound", within);
  report.check("orders disagree", sums.size() > 1);
  report.check("no order beats the compensated one",
               *std::min_element(errors.begin(), errors.end()) >= errors[4]);
  return report;
}

} // namespace labgen
