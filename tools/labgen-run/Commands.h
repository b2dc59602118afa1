// Commands.h - the commands of labgen-run, one function each.
#ifndef LABGEN_TOOLS_LABGEN_RUN_COMMANDS_H
#define LABGEN_TOOLS_LABGEN_RUN_COMMANDS_H

#include "tools/cli/Cli.h"

namespace labgen {

const ToolSpec &labgenRunTool();

Result<ExitCode> benchCommand(const Arguments &arguments);
Result<ExitCode> probeCommand(const Arguments &arguments);
Result<ExitCode> devicesCommand(const Arguments &arguments);
Result<ExitCode> reportCommand(const Arguments &arguments);
Result<ExitCode> chipsCommand(const Arguments &arguments);
Result<ExitCode> modelCommand(const Arguments &arguments);
Result<ExitCode> rooflineCommand(const Arguments &arguments);
CommandSpec rooflineCommandSpec();

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_RUN_COMMANDS_H
