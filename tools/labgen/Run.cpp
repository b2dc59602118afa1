// Run.cpp - labgen run: one lab, or a batch with a JSON row per line.
#include "tools/labgen/Commands.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"
#include "runtime/matrix/Interrupt.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/RunRequest.h"
#include "tools/labgen/driver/Target.h"

#include <cstdio>
#include <deque>
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

/// One line: a run under way, or why there is none.
struct Line {
  std::string spec, target = "cpu:native", device = "cpu";
  bool timed = false;
  std::optional<PendingRun> run;
  Status why;
};

Line startLine(const std::string &text, const Arguments &outer) {
  Line line;
  line.spec = text;
  Result<Arguments> arguments = parseLine(text, outer);
  line.why = arguments.status();
  if (!arguments)
    return line;
  if (!arguments->positional.empty())
    line.spec = arguments->value("--spec").value_or(arguments->positional[0]);
  line.target = arguments->value("--target").value_or(line.target);
  line.device =
      arguments->value("--device").value_or(defaultDevice(line.target));
  Result<RunRequest> request = parseRunRequest(*arguments);
  line.why = request.status();
  if (!request)
    return line;
  line.spec = request->compile.spec.str();
  line.timed = request->measure.run.time;
  Result<PendingRun> run = PendingRun::start(*request);
  line.why = run.status();
  if (run)
    line.run.emplace(std::move(*run));
  return line;
}

/// Runs the lines of a list and prints their rows in order. Kernels of lines
/// that are not timed are compiled ahead, one per core; beside a timed run
/// nothing else is at work.
class Batch {
public:
  explicit Batch(const Arguments &outer) : outer(outer) {}

  Status add(const std::string &text) {
    Line line = startLine(text, outer);
    bool timed = line.timed;
    if (timed || queue.size() >= hostCpu().cores.size())
      if (Status status = finish(timed ? queue.size() : 1); !status)
        return status;
    queue.push_back(std::move(line));
    return finish(timed ? 1 : 0);
  }

  /// Prints the rows of the first `count` lines.
  Status finish(size_t count) {
    for (; count > 0 && !queue.empty(); --count) {
      Row row = take(queue.front());
      if (interrupted())
        return Status::interrupted();
      queue.pop_front();
      printRows({row}, true);
      if (std::fflush(stdout) != 0)
        return Status::badInput("cannot write to stdout; free some space or "
                                "write elsewhere");
    }
    return Status::ok();
  }
  Status finishAll() { return finish(queue.size()); }

  /// 1 when a line or its row was bad, else 2 when something was missing.
  ExitCode exitCode() const { return code; }

private:
  Row take(Line &line) {
    if (line.run) {
      Result<Row> row = line.run->finish();
      if (row) {
        if (labgen::exitCode({*row}) != ExitCode::Ok)
          code = ExitCode::BadInput;
        return *row;
      }
      line.why = row.status();
    }
    if (code != ExitCode::BadInput)
      code = line.why.exitCode();
    return failedRow(line.spec, line.target, line.device, line.why);
  }

  const Arguments &outer;
  std::deque<Line> queue;
  ExitCode code = ExitCode::Ok;
};

Result<ExitCode> runBatch(const std::string &path, const Arguments &outer) {
  if (!outer.positional.empty())
    return Status::badInput("--batch comes without a SPEC; write " +
                            quoted(outer.positional[0]) + " into the list");
  Result<std::string> text = readFile(path, Pipes::Taken);
  if (!text)
    return text.status();
  prepareCompiler();
  Batch batch(outer);
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#')
      continue;
    if (Status status = batch.add(line); !status)
      return status;
  }
  if (Status status = batch.finishAll(); !status)
    return status;
  return batch.exitCode();
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
  Result<PendingRun> run = PendingRun::start(*request);
  if (!run)
    return run.status();
  Result<Row> row = run->finish();
  if (!row)
    return row.status();
  printRows({*row}, arguments.has("--json"));
  return exitCode({*row});
}

} // namespace labgen
