// SoftmaxCheck.cpp - softmax, row by row: each element against what exps within
// an ulp may give.
#include "runtime/check/Checks.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Softmax.h"
#include "runtime/core/Chunks.h"

namespace labgen {
namespace {

/// Notes pad bits behind a row that are not zero.
void checkPadding(const Tensor &y, int64_t row, Differences &differences) {
  int64_t bits = y.columns() * info(y.argument().format).storageBits;
  const std::byte *end = y.data() + (row + 1) * y.argument().rowBytes();
  if (bits % 8 && unsigned(end[-1]) >> (bits % 8) && differences.padding < 0)
    differences.padding = (row + 1) * y.columns() - 1;
}

void checkRow(const oracle::Softmax &wanted, const Tensor &y, int64_t row,
              Findings &found) {
  Format out = y.argument().format;
  const std::byte *stored = y.data() + row * y.argument().rowBytes();
  for (int64_t begin = 0; begin < y.columns(); begin += chunkElements) {
    int64_t count = std::min(chunkElements, y.columns() - begin);
    double result[chunkElements], exact[chunkElements];
    oracle::readDoubles(out, stored, begin, count, result);
    for (int64_t j = 0; j < count; ++j) {
      int64_t i = begin + j;
      exact[j] = wanted.exact(i);
      double bound = wanted.bound(i);
      if (!std::isnan(bound))
        found.bound = std::max(found.bound, bound);
      if (!wanted.holds(i, result[j]))
        found.differences.note(
            row * y.columns() + i, y.bits(row, i),
            encode(out, wanted.nearest(i), oracle::defaultRules(out)), bound);
    }
    found.error.add(exact, result, count);
    found.countSpecials(result, count);
  }
  checkPadding(y, row, found.differences);
}

} // namespace

void checkSoftmax(Judged &run) {
  const Tensor &x = run.input("x"), &y = run.output("y");
  if (y.columns() == 0)
    return;
  auto found = mapItems<Findings>(
      run.parallel, y.rows(), [&](int64_t row, Findings &part) {
        checkRow(oracle::Softmax(run.spec, x, row), y, row, part);
      });
  if (found.differences.any())
    run.fail(found.differences.describe(y.argument()));
  run.verdict.error = found.error.finish();
  run.verdict.counts = found.counts;
  run.setBound(found.bound);
}

} // namespace labgen
