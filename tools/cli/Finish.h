// Finish.h - how every labgen tool starts and ends.
#ifndef LABGEN_TOOLS_CLI_FINISH_H
#define LABGEN_TOOLS_CLI_FINISH_H

#include "lib/Spec/Row.h"
#include "tools/cli/Cli.h"

#include <functional>

namespace labgen {

using CommandFunction = std::function<Result<ExitCode>(const Arguments &)>;

/// The body of main: parses, runs the command of that name, prints the one
/// error line if there is one, and returns the exit code.
int runTool(const ToolSpec &tool, int argc, char **argv,
            const std::string &version,
            const std::map<std::string, CommandFunction> &commands);

/// Rows on stdout, as JSON lines or as the table.
void printRows(const std::vector<Row> &rows, bool json);

/// Text on stdout; Status when stdout is full or closed is reported by runTool.
void print(const std::string &text);

/// One "note: ..." line on stderr.
void note(const std::string &text);

} // namespace labgen

#endif // LABGEN_TOOLS_CLI_FINISH_H
