// VanishingUpdate.cpp - w <- w + step where the step is half a unit in the last
// place of w, where a running count stops counting, and what stochastic
// rounding makes of an update that rounding to nearest loses.
#include "tools/labgen/labs/Lab.h"

#include "lib/Spec/Convert.h"

#include <cmath>

namespace labgen {

namespace {

const std::vector<Format> formats = {Format::F16, Format::BF16, Format::F32,
                                     Format::F64};

/// y <- 1 x + y, element by element, in `format`.
LabRun additions(Format format, Values x, Values y) {
  return {"axpy:n=" + std::to_string(x.size()) +
              ",type=" + std::string(name(format)),
          {{"alpha", {1}}, {"x", std::move(x)}, {"y", std::move(y)}}};
}

/// Half of the distance from 1 to the next value.
double halfStep(Format format) {
  return std::ldexp(1.0, -info(format).mantissaBits - 1);
}

/// The next value of `format` above a positive one.
double nextAbove(Format format, double value) {
  return decode(format, encode(format, value) + 1);
}

Result<LabTable> stepTable(LabRunner &runner, bool &right) {
  std::vector<LabRun> runs;
  for (Format format : formats) {
    double tie = halfStep(format);
    runs.push_back(additions(format, {tie, nextAbove(format, tie)}, {1, 1}));
  }
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  LabTable table;
  table.title = "w = 1, one update";
  table.columns = {{"format", Align::Left}, {"step"},
                   {"power of 2"},          {"w + step - 1"},
                   {"next step above"},     {"w + it - 1"}};
  for (size_t i = 0; i < formats.size(); ++i) {
    double tie = halfStep(formats[i]);
    const Values &w = (*results)[i].outputs.at("y");
    right &= w[0] == 1 && w[1] == 1 + 2 * tie;
    table.lines.push_back({name(formats[i]), LabCell::number(tie, 6),
                           LabCell::count(std::ilogb(tie)),
                           LabCell::number(w[0] - 1, 6),
                           LabCell::number(nextAbove(formats[i], tie)),
                           LabCell::number(w[1] - 1, 6)});
  }
  return table;
}

/// Every step that a sum of ones takes on its way to where it must end (f32
/// and f64: the last 2048 of them).
Result<LabTable> countTable(LabRunner &runner, bool &right) {
  std::vector<LabRun> runs;
  for (Format format : formats) {
    int64_t end = int64_t(1 / halfStep(format)); // 2^53 and below: exact
    Values sums;
    for (int64_t sum = std::max<int64_t>(0, end - 2048); sum <= end; ++sum)
      sums.push_back(double(sum));
    runs.push_back(additions(format, Values(sums.size(), 1), sums));
  }
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  LabTable table;
  table.title = "a sum of ones, one after the other";
  table.columns = {{"format", Align::Left}, {"stalls at"}, {"steps looked at"}};
  for (size_t i = 0; i < formats.size(); ++i) {
    const Values &before = runs[i].inputs["y"],
                 &after = (*results)[i].outputs.at("y");
    size_t stall = 0;
    while (stall < after.size() && after[stall] - before[stall] == 1)
      ++stall;
    bool stalls = stall < after.size() && after[stall] == before[stall];
    right &= stalls && before[stall] == 1 / halfStep(formats[i]);
    table.lines.push_back(
        {name(formats[i]),
         stalls ? LabCell::number(before[stall], 16) : LabCell("never"),
         LabCell::count(int64_t(after.size()))});
  }
  return table;
}

/// 65536 weights of 1 and an update of an eighth of their last place, computed
/// in f32 and rounded back, to nearest and stochastically.
Result<LabTable> roundingTable(LabRunner &runner, bool &right) {
  constexpr int64_t n = 65536;
  const std::vector<Format> narrow = {Format::F16, Format::BF16,
                                      Format::F8E4M3FN};
  std::vector<LabRun> runs;
  for (Format format : narrow)
    for (const char *rounding : {"even", "stochastic,seed=1"})
      runs.push_back({"cast:n=" + std::to_string(n) + ",in=f32,out=" +
                          std::string(name(format)) + ",round=" + rounding,
                      {{"x", Values(n, 1 + halfStep(format) / 4)}}});
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  // Of n draws with probability 1/8; 5 standard deviations are missed by one
  // seed in 1.7 million.
  const double expected = n / 8.0, deviation = std::sqrt(n / 8.0 * 7 / 8);
  LabTable table;
  table.title = "65536 weights of 1, one update of 1/8 unit in the last place";
  table.columns = {{"format", Align::Left}, {"update"},   {"moved, to nearest"},
                   {"moved, stochastic"},   {"expected"}, {"mean update"}};
  for (size_t i = 0; i < narrow.size(); ++i) {
    double step = 2 * halfStep(narrow[i]);
    int64_t moved[2] = {0, 0};
    for (int way : {0, 1})
      for (double w : (*results)[2 * i + size_t(way)].outputs.at("y")) {
        right &= w == 1 || w == 1 + step;
        moved[way] += w != 1;
      }
    right &=
        moved[0] == 0 && std::fabs(double(moved[1]) - expected) < 5 * deviation;
    table.lines.push_back({name(narrow[i]), LabCell::number(step / 8, 6),
                           LabCell::count(moved[0]), LabCell::count(moved[1]),
                           LabCell::number(expected),
                           LabCell::number(step * double(moved[1]) / n, 4)});
  }
  return table;
}

} // namespace

Result<LabReport> vanishingUpdateLab(LabRunner &runner) {
  LabReport report;
  bool steps = true, counts = true, draws = true;
  Result<LabTable> table = stepTable(runner, steps);
  if (!table)
    return table.status();
  report.tables.push_back(std::move(*table));
  Result<LabTable> count = countTable(runner, counts);
  if (!count)
    return count.status();
  report.tables.push_back(std::move(*count));
  Result<LabTable> draw = roundingTable(runner, draws);
  if (!draw)
    return draw.status();
  report.tables.push_back(std::move(*draw));
  report.notice = {
      "half a step is a tie and goes to the even neighbour, which is the old "
      "weight: the update is lost, however often it is repeated",
      "with bf16 weights that is a relative step of 2^-8 = 0.4%: master "
      "weights "
      "are kept in f32 for it",
      "the same rounding ends a count of ones: at 256 in bf16, at 2048 in f16, "
      "so long sums are accumulated in f32",
      "stochastic rounding moves one weight in eight by a whole step: wrong "
      "for "
      "each, right on average, and the same weights on every target"};
  report.check("half a step vanishes in every format, the next one above it "
               "does not",
               steps);
  report.check("every count is exact up to where it stalls, 1 / half a step",
               counts);
  report.check(
      "to nearest no weight moves; stochastically an eighth do, within "
      "5 standard deviations",
      draws);
  return report;
}

} // namespace labgen
