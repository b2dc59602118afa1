// Run.cpp - labgen run: one lab, or a batch with a JSON row per line.
#include "tools/labgen/Commands.h"

#include "lib/Spec/AtomicFile.h"
#include "lib/Spec/Text.h"
#include "runtime/matrix/Interrupt.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/RunRequest.h"
#include "tools/labgen/Target.h"

#include <cstdio>
#include <sstream>

namespace labgen {

namespace {

/// The line's own options, then those given beside --batch.
Result<Arguments> parseLine(const std::string &line, const Arguments &outer) {
  Result<std::vector<std::string>> words = splitLikeShell(line);
  if (!words)
    return words.status();
  Result<Arguments> arguments =
      parseCommand(labgenTool(), commandSpec("run"), *words);
  if (!arguments)
    return arguments.status();
  for (const char *flag : {"--batch", "--help"})
    if (arguments->has(flag) || !arguments->text.empty())
      return Status::badInput(std::string("a line of a batch takes no ") +
                              flag + "; give the run itself");
  for (const auto &[flag, values] : outer.values)
    if (flag != "--batch")
      arguments->values.emplace(flag, values);
  return arguments;
}

/// The row of one line, whatever becomes of it. `code` takes the line's part of
/// the exit code: 1 wins over 2.
Row runLine(const std::string &line, const Arguments &outer, ExitCode &code) {
  Result<Arguments> arguments = parseLine(line, outer);
  Status why = arguments.status();
  std::string spec = line, target = "cpu:native", device = "cpu";
  if (arguments) {
    if (!arguments->positional.empty())
      spec = arguments->value("--spec").value_or(arguments->positional[0]);
    target = arguments->value("--target").value_or(target);
    device = arguments->value("--device").value_or(device);
    Result<RunRequest> request = parseRunRequest(*arguments);
    why = request.status();
    if (request) {
      spec = request->compile.spec.str();
      Result<Row> row = runOne(*request);
      if (row) {
        if (exitCode({*row}) != ExitCode::Ok)
          code = ExitCode::BadInput;
        return *row;
      }
      why = row.status();
    }
  }
  if (code != ExitCode::BadInput)
    code = why.exitCode();
  return failedRow(spec, target, device, why);
}

Result<ExitCode> runBatch(const std::string &path, const Arguments &outer) {
  if (!outer.positional.empty())
    return Status::badInput("--batch comes without a SPEC; write " +
                            quoted(outer.positional[0]) + " into the list");
  Result<std::string> text = readFile(path);
  if (!text)
    return text.status();
  prepareCompiler();
  ExitCode code = ExitCode::Ok;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#')
      continue;
    Row row = runLine(line, outer, code);
    if (interrupted())
      return Status::interrupted();
    printRows({row}, true);
    if (std::fflush(stdout) != 0)
      return ExitCode::BadInput; // runTool says why
  }
  return code;
}

} // namespace

Result<ExitCode> runCommand(const Arguments &arguments) {
  watchInterrupts();
  if (std::optional<std::string> list = arguments.value("--batch"))
    return runBatch(*list, arguments);
  Result<RunRequest> request = parseRunRequest(arguments);
  if (!request)
    return request.status();
  prepareCompiler();
  Result<Row> row = runOne(*request);
  if (!row)
    return row.status();
  printRows({*row}, arguments.has("--json"));
  return exitCode({*row});
}

} // namespace labgen
