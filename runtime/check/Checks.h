// Checks.h - one check per op.
//
// Each compares the outputs in `after` with the oracle's and fills the verdict:
// error, bound, counts and, when something is off, the first wrong element.
#ifndef LABGEN_RUNTIME_CHECK_CHECKS_H
#define LABGEN_RUNTIME_CHECK_CHECKS_H

#include "runtime/check/Check.h"
#include "runtime/check/Metrics.h"

#include <algorithm>
#include <cmath>

namespace labgen {

/// A run to be judged; `verdict` starts out right.
struct Judged {
  const KernelSpec &spec;
  const Tensors &before, &after;
  const ParallelFor &parallel;
  const CheckOptions &options;
  Verdict verdict;

  const Tensor &input(const char *name) const { return *find(before, name); }
  const Tensor &output(const char *name) const { return *find(after, name); }
  /// Not finite means not known.
  void setBound(double bound) {
    if (std::isfinite(bound))
      verdict.bound = bound;
  }
  /// Wrong; the first reason stays.
  void fail(std::string reason) {
    if (verdict.right)
      verdict.reason = std::move(reason);
    verdict.right = false;
  }
};

/// What one part of a pass over an output gathers.
struct Findings {
  ErrorSums error;
  Differences differences;
  RowCounts counts;
  double bound = 0;

  void merge(const Findings &other) {
    error.merge(other.error);
    differences.merge(other.differences);
    counts.nan += other.counts.nan;
    counts.inf += other.counts.inf;
    counts.sat += other.counts.sat;
    counts.flush += other.counts.flush;
    counts.zeroGroups += other.counts.zeroGroups;
    bound = bound < other.bound ? other.bound : bound;
  }
  /// Counts the NaN and Inf of `count` results.
  void countSpecials(const double *values, int64_t count);
};

// The check of each op, checkQuantize(run) and so on; the linker names one that
// is missing.
#define LABGEN_CHECK(E, NAME, WORD) void check##NAME(Judged &run);
LABGEN_OPS(LABGEN_CHECK, Op)
#undef LABGEN_CHECK

} // namespace labgen

#endif // LABGEN_RUNTIME_CHECK_CHECKS_H
