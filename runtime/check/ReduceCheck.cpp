// ReduceCheck.cpp - the one number of a reduction, bit for bit.
#include "lib/Spec/ops/Reduce.h"
#include "runtime/check/Checks.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Oracle.h"

namespace labgen {

void checkReduce(Judged &run) {
  const Tensor &r = run.output("r");
  const Argument &argument = r.argument();
  oracle::Reduction wanted = oracle::reduce(
      run.spec, run.input("x"), find(run.before, "y"), run.parallel);
  uint64_t want = 0;
  oracle::writeDoubles(argument.format, reinterpret_cast<std::byte *>(&want), 0,
                       1, &wanted.value);
  Findings found;
  found.differences.compare(argument.format, r.data(),
                            reinterpret_cast<std::byte *>(&want), 0, 1, 0);
  if (found.differences.any())
    run.fail(found.differences.describe(argument));
  double result = r.value(0, 0);
  found.error.add(&wanted.exact, &result, 1);
  found.countSpecials(&result, 1);
  run.verdict.error = found.error.finish();
  run.setBound(reduceBound(run.spec, wanted.magnitudeSum, wanted.exact));
  run.verdict.counts = found.counts;
}

} // namespace labgen
