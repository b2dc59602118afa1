// Bisect.cpp - labgen bisect: one lab, one set of data, run stage by stage.
//
// Each stage is made from the one before it, or from the file the user gives
// for it, and what it computes is judged by the oracle. Between the last stage
// that agrees and the first that does not stand the passes to look at: tiles
// and bodies run on the CPU, the back end's lowering runs without LLVM's
// optimizer, and then with it.
#include "tools/labgen/Commands.h"

#include "lib/Support/AtomicFile.h"
#include "lib/Support/Printable.h"
#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"
#include "runtime/matrix/Interrupt.h"
#include "runtime/report/TextTable.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/RunRequest.h"
#include "tools/labgen/driver/Target.h"

#include <algorithm>

namespace labgen {

namespace {

bool isCpu(const std::string &target) { return target.rfind("cpu:", 0) == 0; }

/// Whether tiles need several threads at a time. `#gpu.thread<...>` and
/// `#gpu.block<...>` only deal loops out; everything else of the dialect is a
/// thread's id, a barrier, a shuffle or shared memory.
bool needsThreads(const std::string &text) {
  for (size_t at = 0; (at = text.find("gpu.", at)) != std::string::npos; ++at)
    if (text.compare(at, 11, "gpu.thread<") &&
        text.compare(at, 10, "gpu.block<"))
      return true;
  return false;
}

/// What one stage did.
struct Outcome {
  enum { Agrees, Differs, NotRun } verdict;
  std::string detail;
};

class Bisection {
public:
  Bisection(RunRequest request, std::map<Stage, std::string> files,
            TemporaryFolder folder)
      : request(std::move(request)), files(std::move(files)),
        folder(std::move(folder)) {
    for (const char *title : {"stage", "on", "what runs", "against the oracle"})
      table.addColumn(title);
  }

  Result<ExitCode> run();

private:
  bool given(Stage stage) const { return files.count(stage) != 0; }
  Status tryStage(Stage stage);
  Result<Outcome> runOnCpu(Stage stage);
  Result<Outcome> runOnTarget(Stage stage);
  Result<Outcome> judge(const CompileRequest &compile,
                        const std::string &device);
  const std::string *sourceOf(Stage stage) const;
  Result<std::string> fileAt(Stage stage);
  std::string what(Stage stage) const;

  RunRequest request;
  std::map<Stage, std::string> files; ///< given by the user
  TemporaryFolder folder;
  TextTable table;
  std::optional<Stage> agreed, differed;
  std::string difference;
};

/// The user's file that `stage` is made from: the latest at or before it.
const std::string *Bisection::sourceOf(Stage stage) const {
  const std::string *source = nullptr;
  for (const auto &[at, file] : files)
    if (at <= stage)
      source = &file;
  return source;
}

/// The IR of a stage as a file.
Result<std::string> Bisection::fileAt(Stage stage) {
  if (given(stage))
    return files.at(stage);
  const CompileRequest &compile = request.compile;
  const std::string *source = sourceOf(stage);
  Result<std::string> text = textInChild([&] {
    return source ? compileFileToText(*source, compile.spec, compile.options,
                                      stage)
                  : compileToText(compile.spec, compile.options, stage);
  });
  if (!text)
    return text.status();
  std::string path = folder.path() + "/" + std::string(name(stage)) + ".mlir";
  if (Status status = writeFile(path, *text); !status)
    return status;
  return path;
}

Result<Outcome> Bisection::judge(const CompileRequest &compile,
                                 const std::string &device) {
  Result<ManifestKernel> kernel = compileInChild(compile, folder.path());
  if (!kernel)
    return kernel.status();
  MeasureOptions measure = request.measure;
  measure.device = device;
  if (device == "cpu")
    measure.orderSeed.reset();
  Result<Row> row = measureKernel(*kernel, folder.path(), measure);
  if (!row)
    return row.status();
  if (row->status == RowStatus::Ok)
    return Outcome{Outcome::Agrees, ""};
  // What went wrong first tells more than what came of it.
  std::string detail = row->reason;
  if (!row->findings.empty() && row->findings.front() != detail)
    detail += "; " + row->findings.front();
  return Outcome{Outcome::Differs, detail};
}

/// Tiles and bodies, sequentially.
Result<Outcome> Bisection::runOnCpu(Stage stage) {
  CompileRequest compile = request.compile;
  bool isGpu = !isCpu(compile.options.target);
  if (isGpu)
    compile.options.target = "cpu:native";
  // The lab op of a GPU gets a schedule of the CPU's own.
  if (isGpu && stage == Stage::Lab)
    compile.options.schedule.clear();
  if (stage != Stage::Lab || given(stage)) {
    Result<std::string> file = fileAt(stage);
    if (!file)
      return file.status();
    compile.file = *file;
    compile.options.schedule.clear();
    Result<std::string> text = readFile(*file);
    if (!text)
      return text.status();
    if (isGpu && needsThreads(*text))
      return Outcome{Outcome::NotRun, "threads share its tiles"};
  }
  compile.options.optimized = isGpu && stage == Stage::Lab;
  return judge(compile, "cpu");
}

/// The code of the target's own back end.
Result<Outcome> Bisection::runOnTarget(Stage stage) {
  CompileRequest compile = request.compile;
  compile.options.optimized = stage == Stage::Artifact;
  if (const std::string *source = sourceOf(stage))
    compile.file = *source;
  return judge(compile, request.measure.device);
}

std::string Bisection::what(Stage stage) const {
  const std::string &target = request.compile.options.target;
  auto words = [&]() -> std::string {
    switch (stage) {
    case Stage::Lab:
    case Stage::Scheduled:
      return "the lab by the CPU's tiles";
    case Stage::Tiled:
      return "tiles of " + target;
    case Stage::Vector:
      return "tiles and bodies of " + target;
    case Stage::Target:
      return "the LLVM dialect, not optimized";
    case Stage::Llvm:
      return "LLVM IR, not optimized";
    case Stage::Artifact:
      return isCpu(target) ? "optimized and linked" : "LLVM IR, optimized";
    }
    return "";
  };
  const std::string *source = sourceOf(stage);
  return words() + (source ? ", from " + *source : "");
}

Status Bisection::tryStage(Stage stage) {
  bool onCpu = stage <= Stage::Vector;
  Result<Outcome> outcome = onCpu ? runOnCpu(stage) : runOnTarget(stage);
  if (!outcome)
    return outcome.status();
  std::string said = "agrees";
  if (outcome->verdict == Outcome::NotRun)
    said = "not run: " + outcome->detail;
  else if (outcome->verdict == Outcome::Differs)
    said = "differs: " + outcome->detail;
  else if (!differed)
    agreed = stage;
  if (outcome->verdict == Outcome::Differs && !differed) {
    differed = stage;
    difference = outcome->detail;
  }
  table.addLine({std::string(name(stage)),
                 onCpu ? "cpu" : request.measure.device, what(stage), said});
  return Status::ok();
}

Result<ExitCode> Bisection::run() {
  bool cpu = isCpu(request.compile.options.target);
  for (Stage stage : labStages()) {
    bool usual = stage == Stage::Vector || stage == Stage::Artifact ||
                 (!cpu && (stage == Stage::Lab || stage == Stage::Llvm));
    if (!usual && !given(stage))
      continue;
    if (Status status = tryStage(stage); !status)
      return status;
    if (interrupted())
      return Status::interrupted();
  }
  print(table.str());
  if (!differed) {
    print("every stage agrees with the oracle\n");
    return ExitCode::Ok;
  }
  print("first difference: " + std::string(name(*differed)) + ", " +
        (agreed ? "after " + std::string(name(*agreed)) + " agreed"
                : "and no earlier stage agreed") +
        ": " + printable(difference) + "\n");
  return ExitCode::BadInput;
}

/// --at: STAGE=FILE, each stage once.
Result<std::map<Stage, std::string>> parseFiles(const Arguments &arguments) {
  std::map<Stage, std::string> files;
  const std::vector<std::string_view> legal = {"lab", "tiled", "vector",
                                               "target", "llvm"};
  for (const std::string &text : arguments.all("--at")) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return Status::badInput("--at is " + quoted(text) +
                              "; write --at STAGE=FILE");
    std::string stage = text.substr(0, equals), file = text.substr(equals + 1);
    if (!std::count(legal.begin(), legal.end(), stage))
      return Status::badInput("--at takes no file of stage " + quoted(stage) +
                              "; it takes " + orList(legal));
    std::string suffix = stage == "llvm" ? ".ll" : ".mlir";
    if (!endsWith(file, suffix))
      return Status::badInput(
          "--at " + text + " is no " + suffix +
          " file; give one as labgen compile --stop-after " + stage +
          " writes it");
    if (!files.emplace(*parseStage(stage, labStages()), file).second)
      return Status::badInput("--at " + stage +
                              " is given twice; give it once");
    if (Result<std::string> there = readFile(file); !there)
      return there.status();
  }
  return files;
}

} // namespace

Result<ExitCode> bisectCommand(const Arguments &arguments) {
  watchInterrupts();
  const std::string &spec = arguments.positional[0];
  if (endsWith(spec, ".mlir") || endsWith(spec, ".ll"))
    return Status::badInput("labgen bisect takes a SPEC and " + quoted(spec) +
                            " is a file; give it as --at STAGE=FILE");
  Result<std::map<Stage, std::string>> files = parseFiles(arguments);
  if (!files)
    return files.status();
  Arguments run = arguments;
  run.values.erase("--at"); // the rest is as for run
  run.values["--no-time"] = {};
  Result<std::string> target =
      checkTarget(arguments.value("--target").value_or("cpu:native"));
  if (!target)
    return target.status();
  if (!isCpu(*target))
    run.values["--device"] = {"emu"};
  Result<RunRequest> request = parseRunRequest(run);
  if (!request)
    return request.status();
  if (!files->empty())
    request->measure.run.kernelSeconds = fileSeconds;
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.status();
  prepareCompiler();
  return Bisection(std::move(*request), std::move(*files), std::move(*folder))
      .run();
}

} // namespace labgen
