// Help.h - the --help texts, made from the same tables as the parser.
#ifndef LABGEN_TOOLS_CLI_HELP_H
#define LABGEN_TOOLS_CLI_HELP_H

#include "tools/cli/Cli.h"

namespace labgen {

std::string helpText(const ToolSpec &tool);
std::string helpText(const ToolSpec &tool, const CommandSpec &command);

} // namespace labgen

#endif // LABGEN_TOOLS_CLI_HELP_H
