// MixedPrecision.cpp - what input, accumulator and output formats cost and
// gain, for a product and for axpy.
//
// Errors are of two kinds: against the f64 result of the operands as stored
// (the arithmetic), and against that of the operands before they were rounded
// (everything).
#include "runtime/report/Units.h"
#include "tools/labgen/labs/Lab.h"
#include "tools/labgen/labs/Numbers.h"

#include <cmath>

namespace labgen {

namespace {

struct Mix {
  Format input, accumulator, output;
};

std::string str(Format format) { return std::string(name(format)); }

/// Seconds of one or two kernels; empty where the device tells no time.
LabCell timeCell(const Row &row, const Row *second = nullptr) {
  if (!row.time || (second && !second->time))
    return {"", Json()};
  double seconds = row.time->median + (second ? second->time->median : 0);
  return {duration(seconds), Json(seconds)};
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

/// The product is made in its accumulator's format; an output of another one is
/// a cast kernel behind it.
Result<LabTable> gemmTable(LabRunner &runner, Values &totals) {
  constexpr int64_t m = 64, n = 64, k = 256;
  const std::vector<Mix> mixes = {{Format::F64, Format::F64, Format::F64},
                                  {Format::F32, Format::F32, Format::F32},
                                  {Format::F16, Format::F32, Format::F32},
                                  {Format::F16, Format::F32, Format::F16},
                                  {Format::BF16, Format::F32, Format::F32},
                                  {Format::BF16, Format::F32, Format::BF16}};
  Values a = drawValues(Distribution::Normal, m * k, 0);
  Values b = drawValues(Distribution::Normal, n * k, 1);
  Values exact = productOf(a, b, m, n, k);
  LabTable table;
  table.title = "C = A B, 64 x 64 x 256";
  table.columns = columns();
  for (const Mix &mix : mixes) {
    Result<std::vector<LabResult>> product =
        runner.run({{"gemm:m=" + std::to_string(m) + ",n=" + std::to_string(n) +
                         ",k=" + std::to_string(k) + ",a=" + str(mix.input) +
                         ",b=" + str(mix.input),
                     {{"a", a}, {"b", b}}}},
                   /*timed=*/true);
    if (!product)
      return product.status();
    const LabResult &made = product->front();
    Values c = made.outputs.at("c");
    LabCell time = timeCell(made.row);
    if (mix.output != mix.accumulator) {
      Result<std::vector<LabResult>> cast = runner.run(
          {{"cast:n=" + std::to_string(m * n) + ",in=" + str(mix.accumulator) +
                ",out=" + str(mix.output),
            {{"x", c}}}},
          /*timed=*/true);
      if (!cast)
        return cast.status();
      c = cast->front().outputs.at("y");
      time = timeCell(made.row, &cast->front().row);
    }
    Values stored =
        productOf(rounded(mix.input, a), rounded(mix.input, b), m, n, k);
    totals.push_back(relativeError(c, exact));
    table.lines.push_back(
        lineOf(mix, relativeError(c, stored), totals.back(), std::move(time)));
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
  for (Format format : {Format::F64, Format::F32, Format::F16, Format::BF16}) {
    Result<std::vector<LabResult>> made =
        runner.run({{"axpy:n=" + std::to_string(n) + ",type=" + str(format),
                     {{"alpha", {alpha}}, {"x", x}, {"y", y}}}},
                   /*timed=*/true);
    if (!made)
      return made.status();
    Format wide = format == Format::F64 ? Format::F64 : Format::F32;
    const Values &got = made->front().outputs.at("y");
    totals.push_back(relativeError(got, exact));
    table.lines.push_back(lineOf({format, wide, format},
                                 relativeError(got, result(format)),
                                 totals.back(), timeCell(made->front().row)));
  }
  return table;
}

} // namespace

Result<LabReport> mixedPrecisionLab(LabRunner &runner) {
  Values gemm, axpy;
  LabReport report;
  Result<LabTable> products = gemmTable(runner, gemm);
  if (!products)
    return products.status();
  Result<LabTable> sums = axpyTable(runner, axpy);
  if (!sums)
    return sums.status();
  report.tables = {std::move(*products), std::move(*sums)};
  report.notice = {
      "with f32 accumulators the arithmetic of 16-bit inputs is as good as "
      "that of f32; their error in all is the rounding of the inputs",
      "a 16-bit output adds one rounding, of the size of the inputs' own",
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
  report.check("errors in all grow from f64 to f32, f16 and bf16, for both",
               ordered(gemm, {0, 1, 2, 4}) && ordered(axpy, {0, 1, 2, 3}));
  report.check("a 16-bit output costs a product more error",
               gemm[2] < gemm[3] && gemm[4] < gemm[5]);
  return report;
}

} // namespace labgen
