// Commands.h - the commands of labgen, one function each.
//
// Each prints its result on stdout and returns the exit code; a Status that is
// no success becomes the one line on stderr.
#ifndef LABGEN_TOOLS_LABGEN_COMMANDS_H
#define LABGEN_TOOLS_LABGEN_COMMANDS_H

#include "tools/cli/Cli.h"

namespace labgen {

const ToolSpec &labgenTool();
/// The command table entry by name; `run` is parsed again per line of a batch.
const CommandSpec &commandSpec(const std::string &name);

Result<ExitCode> listCommand(const Arguments &arguments);
Result<ExitCode> formatsCommand(const Arguments &arguments);
Result<ExitCode> chipsCommand(const Arguments &arguments);
Result<ExitCode> labCommand(const Arguments &arguments);
Result<ExitCode> genCommand(const Arguments &arguments);
Result<ExitCode> explainCommand(const Arguments &arguments);
Result<ExitCode> compileCommand(const Arguments &arguments);
Result<ExitCode> runCommand(const Arguments &arguments);
Result<ExitCode> matrixCommand(const Arguments &arguments);
Result<ExitCode> bisectCommand(const Arguments &arguments);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_COMMANDS_H
