// Matrix.h - measures every kernel of a folder, surviving what kernels do.
//
// A folder holds manifest.json, artifacts/ and rows.jsonl. Each kernel that has
// no row for this machine yet is judged by a worker process that keeps its pool
// and its probed roofs from kernel to kernel; the kernel itself runs in a child
// of the worker. Should a worker die all the same, that becomes the kernel's
// row and a new worker goes on with the next one. What a worker sends is held
// against what was asked for.
#ifndef LABGEN_RUNTIME_MATRIX_MATRIX_H
#define LABGEN_RUNTIME_MATRIX_MATRIX_H

#include "runtime/experiment/Experiment.h"

#include <functional>

namespace labgen {

/// How errors name the compiler. A ManifestKernel::failure that begins with it
/// is a crash (status error, tried again), any other a refusal (skipped).
constexpr std::string_view compilerName = "the compiler";
/// Of a failure, or of the reason of the row it became.
bool isCompilerCrash(std::string_view reason);

struct MeasureOptions {
  RunOptions run;
  std::string device = "cpu";
  int threads = 0; ///< 0: the cores the process may use
  /// Runs what `device` does not, such as GPU targets on emu; empty: such
  /// kernels are skipped.
  std::string otherDevice;
  std::optional<uint64_t> orderSeed;
  /// Told, once, why kernels run outside of a sandbox, when they do.
  std::function<void(const std::string &)> sandboxMissing;
  /// Called before each kernel.
  std::function<void(size_t done, size_t total, const std::string &spec)>
      progress;
};

/// The device that options ask for.
inline DeviceRequest deviceRequest(const MeasureOptions &options) {
  return {options.device, options.threads, options.orderSeed};
}

/// What is in a folder after measuring, rows of other machines included; the
/// latest row of each.
struct Measured {
  std::vector<Row> rows;
  bool wasInterrupted = false;
};

/// Fails before the first kernel (no such device, an unwritable log) or when a
/// row cannot be written; whatever a kernel does is in its row.
Result<Measured> measureFolder(const std::string &folder,
                               const std::vector<ManifestKernel> &kernels,
                               const MeasureOptions &options);

/// The last row of each spec, target, chip and thread count, in the order they
/// first appeared: a folder that was checked and then timed has two.
std::vector<Row> latestRows(const std::vector<Row> &rows);

/// One kernel, judged in a child: a crash, or `options.run.kernelSeconds`
/// without an end, is a row with status error. Bad inputs and outputs and
/// missing devices are a Status, as runExperiment has it.
Result<Row> measureKernel(const ManifestKernel &kernel,
                          const std::string &folder,
                          const MeasureOptions &options);

/// What a worker says the row of `kernel` is, held against what was asked for:
/// another lab, target, device, thread count or seed is an error, and a row
/// above its roof is suspect whatever it says.
Result<Row> acceptRow(const Json &json, const ManifestKernel &kernel,
                      const MeasureOptions &options);

/// A row for something that never became a kernel; `spec` as it was given.
Row failedRow(const std::string &spec, const std::string &target,
              const std::string &device, const Status &why);

} // namespace labgen

#endif // LABGEN_RUNTIME_MATRIX_MATRIX_H
