// QuantizeCheck.cpp - codes, scales and zero points against the oracle's, and
// what dequantizing them loses.
#include "runtime/check/Checks.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"

namespace labgen {
namespace {

/// What the oracle would have written, by argument name.
Result<Tensors> wantedOutputs(const Judged &run) {
  Tensors wanted;
  for (const Argument &argument : arguments(run.spec)) {
    if (argument.role != Role::Output)
      continue;
    Result<Tensor> tensor = Tensor::allocate(argument);
    if (!tensor)
      return tensor.status();
    wanted.push_back(*tensor);
  }
  return wanted;
}

Differences compareTensor(const Tensor &got, const Tensor &want,
                          const ParallelFor &parallel) {
  const Argument &argument = want.argument();
  int64_t rowBytes = argument.rowBytes(), columns = want.columns();
  return mapChunks<Differences>(
      parallel, want.rows(), columns, 8 * chunkElements,
      [&](int64_t row, int64_t begin, int64_t count, Differences &part) {
        part.compare(argument.format, got.data() + row * rowBytes,
                     want.data() + row * rowBytes, begin, count,
                     row * columns + begin);
      });
}

ErrorSums lossOf(const Judged &run) {
  const Tensor &x = run.input("x");
  oracle::FloatSource source = oracle::floatsOf(x);
  oracle::Dequantizer stored(run.spec.group, run.spec.k, run.output("q"),
                             run.output("scale"), find(run.after, "zero"),
                             find(run.after, "global"));
  return mapChunks<ErrorSums>(
      run.parallel, x.rows(), x.columns(), chunkElements,
      [&](int64_t row, int64_t begin, int64_t count, ErrorSums &part) {
        float floats[chunkElements];
        double reference[chunkElements], result[chunkElements];
        source(row, begin, count, floats);
        std::copy(floats, floats + count, reference);
        stored.floats(row, begin, count, floats);
        // A NaN group has no distance: by contract all its values are NaN.
        for (int64_t i = 0; i < count; ++i) {
          result[i] = floats[i];
          reference[i] = result[i] == result[i] ? reference[i] : result[i];
        }
        part.add(reference, result, count);
      });
}

} // namespace

void checkQuantize(Judged &run) {
  Result<Tensors> wanted = wantedOutputs(run);
  if (!wanted)
    return run.fail("not checked: " + wanted.status().message());
  oracle::QuantizeCounts counts = oracle::quantize(
      run.spec, run.spec.m, run.spec.k, oracle::floatsOf(run.input("x")),
      {find(*wanted, "q"), find(*wanted, "scale"), find(*wanted, "zero"),
       find(*wanted, "global")},
      run.parallel);
  run.verdict.counts = {counts.nan, counts.inf, counts.saturated,
                        counts.flushed, counts.zeroGroups};
  run.setBound(counts.bound);
  for (const Tensor &want : *wanted) {
    const Argument &argument = want.argument();
    Differences differences =
        compareTensor(*find(run.after, argument.name), want, run.parallel);
    if (differences.any())
      run.fail(differences.describe(argument));
    if (argument.name == "q")
      run.verdict.error.maxCode = differences.maxCode;
  }
  std::optional<int64_t> maxCode = run.verdict.error.maxCode;
  run.verdict.error = lossOf(run).finish();
  run.verdict.error.maxCode = maxCode;
}

} // namespace labgen
