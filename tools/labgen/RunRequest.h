// RunRequest.h - one `labgen run`, from its arguments to its row.
#ifndef LABGEN_TOOLS_LABGEN_RUNREQUEST_H
#define LABGEN_TOOLS_LABGEN_RUNREQUEST_H

#include "runtime/matrix/Matrix.h"
#include "tools/cli/Cli.h"
#include "tools/labgen/CompileChild.h"

namespace labgen {

struct RunRequest {
  CompileRequest compile;
  MeasureOptions measure;
};

/// Checks everything that can be checked before compiling.
Result<RunRequest> parseRunRequest(const Arguments &arguments);

/// Compiles and runs. A Status is what a row cannot say: bad files, a refused
/// schedule, a missing device.
Result<Row> runOne(const RunRequest &request);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_RUNREQUEST_H
