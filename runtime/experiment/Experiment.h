// Experiment.h - one lab from data to row.
//
// predict -> make data -> run once -> check -> time -> run again -> check ->
// row. The only place where these meet; the order is the rule "a wrong kernel
// never gets a time".
#ifndef LABGEN_RUNTIME_EXPERIMENT_EXPERIMENT_H
#define LABGEN_RUNTIME_EXPERIMENT_EXPERIMENT_H

#include "lib/Spec/Row.h"
#include "runtime/core/Device.h"
#include "runtime/data/Data.h"

#include <functional>
#include <map>

namespace labgen {

struct RunOptions {
  bool time = true;
  double timeLimitSeconds = 0.3; ///< of sampling, per row
  uint64_t seed = 1;
  /// The product a GPU target's prediction is for; empty: the target's own.
  std::string chip;
  Distribution dist = Distribution::Normal;
  std::map<std::string, std::string> inputs;  ///< argument -> .npy to read
  std::map<std::string, std::string> outputs; ///< argument -> .npy to write
  /// A kernel whose process takes longer, over all its runs, is given up.
  double kernelSeconds = 600;
  /// Told why a kernel runs outside of a sandbox, when it does.
  std::function<void(const std::string &)> sandboxMissing;
};

/// The product that rows of a GPU target name as their chip; empty for other
/// targets, whose rows name the device's.
std::string productOf(const std::string &target, const RunOptions &options);

/// A row with everything known before the run: spec, target, cost, prediction
/// and regime on this device. Failed and skipped rows are made from it too.
Row plannedRow(const ManifestKernel &kernel, Device &device,
               const RunOptions &options);

/// Runs one kernel of the manifest in `folder`, in a process of its own, and
/// judges it in this one. Bad .npy files and unwritable
/// outputs are a Status; anything the kernel does wrong is in the row.
Result<Row> runExperiment(const ManifestKernel &kernel,
                          const std::string &folder, Device &device,
                          const RunOptions &options);

/// Makes a row that is above its measured roof suspect, with the reason.
void judgeByRoof(Row &row);

} // namespace labgen

#endif // LABGEN_RUNTIME_EXPERIMENT_EXPERIMENT_H
