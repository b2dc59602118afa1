// RunRequest.h - one `labgen run`, from its arguments to its row.
#ifndef LABGEN_TOOLS_LABGEN_DRIVER_RUNREQUEST_H
#define LABGEN_TOOLS_LABGEN_DRIVER_RUNREQUEST_H

#include "runtime/matrix/Matrix.h"
#include "tools/cli/Cli.h"
#include "tools/labgen/driver/CompileChild.h"
#include "tools/labgen/driver/Folder.h"

namespace labgen {

/// Kernels from files may loop for ever; those made here only be slow.
constexpr double fileSeconds = 60, specSeconds = 3600;

struct RunRequest {
  CompileRequest compile;
  MeasureOptions measure;
};

/// Checks everything that can be checked before compiling.
Result<RunRequest> parseRunRequest(const Arguments &arguments);

/// A run whose kernel is being compiled.
class PendingRun {
public:
  static Result<PendingRun> start(const RunRequest &request);
  /// Waits for the kernel and runs it. A Status is what a row cannot say: bad
  /// files, a refused schedule, a missing device.
  Result<Row> finish();

private:
  PendingRun(RunRequest request, TemporaryFolder folder, Child child)
      : request(std::move(request)), folder(std::move(folder)),
        child(std::move(child)) {}

  RunRequest request;
  TemporaryFolder folder;
  Child child;
};

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_DRIVER_RUNREQUEST_H
