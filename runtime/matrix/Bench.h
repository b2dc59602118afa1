// Bench.h - a folder of kernels measured and reported: the second half of
// `labgen matrix` and all of `labgen-run bench`.
#ifndef LABGEN_RUNTIME_MATRIX_BENCH_H
#define LABGEN_RUNTIME_MATRIX_BENCH_H

#include "runtime/matrix/Matrix.h"

namespace labgen {

struct BenchRequest {
  std::string folder;
  MeasureOptions measure;
  bool json = false;  ///< rows on stdout in place of the table
  std::string resume; ///< the command line that goes on
};

/// Measures what has no row yet, writes the report files and prints the report.
/// After Ctrl-C it prints the line that goes on and is Interrupted.
Result<ExitCode> measureAndReport(const Manifest &manifest,
                                  const BenchRequest &request);

/// Writes and prints the report of a folder that was measured before.
Result<ExitCode> reportFolder(const std::string &folder, bool json);

} // namespace labgen

#endif // LABGEN_RUNTIME_MATRIX_BENCH_H
