// MixedPrecision.cpp - what input, accumulator and output formats cost and
// gain, for a product and for axpy.
//
// Errors are of two kinds: against the f64 result of the operands as stored
// (the arithmetic), and against that of the operands before they were rounded
// (everything).
#include "lib/Support/Units.h"
#include "tools/labgen/labs/Lab.h"
#include "tools/labgen/labs/Numbers.h"

#include <cmath>

namespace labgen {

namespace {

struct Mix {
  Format input, accumulator, output;
};

std::string str(Format format) { return std::string(name(format)); }

/// The median in seconds; empty where the device tells no time.
LabCell timeCell(const Row &row) {
  if (!row.time)
    return {"", Json()};
  return {duration(row.time->median), Json(row.time->median)};
}

std::vector<LabColumn> columns() {
  return {{"input", Align::Left},  {"accumulate", Align::Left},
          {"output", Align::Left}, {"error of arithmetic"},
          {"error in all"},        {"time"}};
}

std::vector<LabCell> lineOf(const Mix &mix, double arithmetic, double total,
                            LabCell time) {
  return {name(mix.input),
          name(mix.accumulator),
          name(mix.output),
          LabCell::approximate(arithmetic, 2),
          LabCell::approximate(total, 2),
          std::move(time)};
}

Result<LabTable> gemmTable(LabRunner &runner, const std::vector<Mix> &mixes,
                           Values &totals) {
  constexpr int64_t m = 64, n = 64, k = 256;
  Values a = drawValues(Distribution::Normal, m * k, 0);
  Values b = drawValues(Distribution::Normal, n * k, 1);
  Values exact = productOf(a, b, m, n, k);
  std::vector<LabRun> runs;
  for (const Mix &mix : mixes)
    runs.push_back({"gemm:m=" + std::to_string(m) + ",n=" + std::to_string(n) +
                        ",k=" + std::to_string(k) + ",a=" + str(mix.input) +
                        ",b=" + str(mix.input) + ",out=" + str(mix.output),
                    {{"a", a}, {"b", b}}});
  Result<std::vector<LabResult>> results = runner.run(runs, /*timed=*/true);
  if (!results)
    return results.status();
  LabTable table;
  table.title = "C = A B, 64 x 64 x 256";
  table.columns = columns();
  for (size_t i = 0; i < mixes.size(); ++i) {
    Format input = mixes[i].input;
    const Values &c = (*results)[i].outputs.at("c");
    Values stored = productOf(rounded(input, a), rounded(input, b), m, n, k);
    totals.push_back(relativeError(c, exact));
    table.lines.push_back(lineOf(mixes[i], relativeError(c, stored),
                                 totals.back(), timeCell((*results)[i].row)));
  }
  return table;
}

Result<LabTable> axpyTable(LabRunner &runner, Values &totals) {
  constexpr int64_t n = 65536;
  const double alpha = 0.75; // exact in every format
  Values x = drawValues(Distribution::Normal, n, 2);
  Values y = drawValues(Distribution::Normal, n, 3);
  auto result = [&](Format format) {
    Values xs = rounded(format, x), ys = rounded(format, y);
    for (size_t i = 0; i < ys.size(); ++i)
      ys[i] += alpha * xs[i];
    return ys;
  };
  Values exact = result(Format::F64);
  LabTable table;
  table.title = "y <- a x + y, 65536 elements";
  table.columns = columns();
  const std::vector<Format> formats = {Format::F64, Format::F32, Format::F16,
                                       Format::BF16};
  std::vector<LabRun> runs;
  for (Format format : formats)
    runs.push_back({"axpy:n=" + std::to_string(n) + ",type=" + str(format),
                    {{"alpha", {alpha}}, {"x", x}, {"y", y}}});
  Result<std::vector<LabResult>> results = runner.run(runs, /*timed=*/true);
  if (!results)
    return results.status();
  for (size_t i = 0; i < formats.size(); ++i) {
    Format format = formats[i];
    Format wide = format == Format::F64 ? Format::F64 : Format::F32;
    const Values &got = (*results)[i].outputs.at("y");
    totals.push_back(relativeError(got, exact));
    table.lines.push_back(lineOf({format, wide, format},
                                 relativeError(got, result(format)),
                                 totals.back(), timeCell((*results)[i].row)));
  }
  return table;
}

} // namespace

Result<LabReport> mixedPrecisionLab(LabRunner &runner) {
  const std::vector<Mix> mixes = {
      {Format::F64, Format::F64, Format::F64},
      {Format::F32, Format::F32, Format::F32},
      {Format::TF32, Format::F32, Format::F32},
      {Format::F16, Format::F32, Format::F32},
      {Format::F16, Format::F32, Format::F16},
      {Format::BF16, Format::F32, Format::F32},
      {Format::BF16, Format::F32, Format::BF16},
      {Format::F8E4M3FN, Format::F32, Format::F32},
      {Format::F8E4M3FN, Format::F32, Format::BF16}};
  Values gemm, axpy;
  LabReport report;
  Result<LabTable> products = gemmTable(runner, mixes, gemm);
  if (!products)
    return products.status();
  Result<LabTable> sums = axpyTable(runner, axpy);
  if (!sums)
    return sums.status();
  report.tables = {std::move(*products), std::move(*sums)};
  report.notice = {
      "with f32 accumulators the arithmetic of 16-bit inputs is as good as "
      "that of f32; their error in all is the rounding of the inputs",
      "a 16-bit output adds one rounding, of the size of 16-bit inputs' own "
      "and "
      "far below that of f8 inputs",
      "axpy does one fused multiply-add per element: halving the bytes halves "
      "the time only where memory is the limit"};
  if (runner.device() == "emu")
    report.notice.push_back("the emulated device tells no time, so that column "
                            "is left out");
  auto ordered = [](const Values &e, std::vector<size_t> order) {
    for (size_t i = 1; i < order.size(); ++i)
      if (!(e[order[i - 1]] < e[order[i]]))
        return false;
    return true;
  };
  report.check("errors in all grow with the roundoff of the inputs: f64, f32, "
               "tf32, bf16, f8E4M3FN",
               ordered(gemm, {0, 1, 2, 5, 7}) && ordered(axpy, {0, 1, 2, 3}));
  report.check("f16 and tf32, with mantissas of equal length, lose the same",
               std::fabs(gemm[3] - gemm[2]) < 0.1 * gemm[2]);
  report.check("a 16-bit output costs a product of 16-bit inputs more error",
               gemm[3] < gemm[4] && gemm[5] < gemm[6]);
  return report;
}

} // namespace labgen
