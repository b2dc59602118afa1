// Runner.h - the kernels of a numerics lab, run as `labgen run` runs them.
#ifndef LABGEN_TOOLS_LABGEN_LABS_RUNNER_H
#define LABGEN_TOOLS_LABGEN_LABS_RUNNER_H

#include "lib/Spec/Row.h"
#include "runtime/core/Tensor.h"
#include "tools/cli/Cli.h"
#include "tools/labgen/driver/Folder.h"

#include <map>

namespace labgen {

using Values = std::vector<double>;

/// A spec and what goes into its arguments, row by row, rounded to nearest.
struct LabRun {
  std::string spec;
  std::map<std::string, Values> inputs;
};

/// What came out of a run that its oracle found right.
struct LabResult {
  Row row;
  std::map<std::string, Values> outputs; ///< decoded, by argument
};

class LabRunner {
public:
  /// `options` are those of `labgen lab`: --target, --device, --no-time.
  static Result<LabRunner> make(const Arguments &options);

  /// Runs all of `runs`; as many compile at a time as there are cores, unless
  /// they are timed. A kernel that is wrong is a Status.
  Result<std::vector<LabResult>> run(const std::vector<LabRun> &runs,
                                     bool timed = false);

  const std::string &target() const { return targetName; }
  const std::string &device() const { return deviceName; }
  /// Whether timed runs have a time here.
  bool tellsTime() const { return timing; }
  /// Kernels run so far.
  int64_t count() const { return kernels; }

private:
  struct Pending;

  LabRunner(Arguments options, TemporaryFolder folder)
      : options(std::move(options)), folder(std::move(folder)) {}

  Result<Pending> start(const LabRun &run, bool timed);
  Result<LabResult> finish(Pending pending);
  /// Gives the values of --input.
  Result<std::vector<std::string>> writeInputs(const KernelSpec &spec,
                                               const LabRun &run,
                                               const std::string &stem) const;
  Result<std::map<std::string, Values>>
  readOutputs(const KernelSpec &spec, const std::string &stem) const;
  std::string file(const std::string &stem, const std::string &argument) const {
    return folder.path() + "/" + stem + "-" + argument + ".npy";
  }

  Arguments options;
  TemporaryFolder folder;
  std::string targetName, deviceName;
  bool timing = false;
  int64_t kernels = 0;
};

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_LABS_RUNNER_H
