// Finish.cpp - dispatch, the error line, and a last look at stdout.
#include "tools/cli/Finish.h"

#include "runtime/matrix/Interrupt.h"
#include "runtime/report/Report.h"
#include "runtime/report/Say.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace labgen {

/// 143 where a SIGTERM ended it, as a shell says of a process it killed.
static int exitStatus(ExitCode code) {
  return code == ExitCode::Interrupted && terminated() ? 128 + SIGTERM
                                                       : int(code);
}

static int fail(const Status &status) {
  sayError(status);
  return exitStatus(status.exitCode());
}

int runTool(const ToolSpec &tool, int argc, char **argv,
            const std::string &version,
            const std::map<std::string, CommandFunction> &commands) {
  // A file size limit is an error of write, not the end of the process.
  signal(SIGXFSZ, SIG_IGN);
  Result<Arguments> arguments = parseArguments(
      tool, std::vector<std::string>(argv + (argc > 0), argv + argc), version);
  if (!arguments)
    return fail(arguments.status());
  Result<ExitCode> code = ExitCode::Ok;
  if (!arguments->text.empty())
    print(arguments->text);
  else
    code = commands.at(arguments->command)(*arguments);
  if (!code)
    return fail(code.status());
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail(Status::badInput(std::string("cannot write to stdout: ") +
                                 strerror(errno) +
                                 "; free some space or write elsewhere"));
  return exitStatus(*code);
}

void printRows(const std::vector<Row> &rows, bool json) {
  if (!json)
    return print(renderTable({}, rows));
  for (const Row &row : rows)
    print(row.toJson().dump() + "\n");
}

void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void note(const std::string &text) { sayNote(text); }

} // namespace labgen
