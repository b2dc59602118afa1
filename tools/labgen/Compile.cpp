// Compile.cpp - labgen gen and compile: IR as text, or a folder that runs.
#include "tools/labgen/Commands.h"

#include "lib/Support/AtomicFile.h"
#include "lib/Support/Text.h"
#include "lib/Support/Version.h"
#include "runtime/matrix/Interrupt.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/CompileChild.h"
#include "tools/labgen/driver/Folder.h"
#include "tools/labgen/driver/Target.h"

namespace labgen {

Result<ExitCode> genCommand(const Arguments &arguments) {
  Result<KernelSpec> spec = KernelSpec::parse(arguments.positional[0]);
  if (!spec)
    return spec.status();
  Result<std::string> text =
      textInChild([&] { return generateLabModule(*spec); });
  if (!text)
    return text.status();
  print(*text);
  return ExitCode::Ok;
}

static Result<Stage> stageOf(const std::string &text) {
  if (Result<Stage> stage = parseStage(text, labStages()))
    return stage;
  std::vector<std::string_view> names;
  for (Stage stage : labStages())
    names.push_back(name(stage));
  return Status::badInput("unknown stage " + quoted(text) + "; did you mean " +
                          quoted(nearest(text, names)) + "?");
}

static Status compileToFolder(const CompileRequest &request, std::string path) {
  while (path.size() > 1 && path.back() == '/')
    path.pop_back();
  if (Status status = checkFolderTarget(path); !status)
    return status;
  if (Result<Manifest> there = Manifest::read(path);
      there && !there->matrix.empty())
    return Status::badInput(path + " holds a matrix; choose another -o");
  if (Status status = makeFolder(parentFolder(path)); !status)
    return status;
  Result<TemporaryFolder> folder = TemporaryFolder::make(parentFolder(path));
  if (!folder)
    return folder.status();
  Result<ManifestKernel> kernel = compileInChild(request, folder->path());
  if (!kernel)
    return kernel.status();
  Manifest manifest;
  manifest.versions = {{"labgen", labgenVersion()},
                       {"git", gitRevision()},
                       {"llvm", llvmVersion()}};
  manifest.kernels.push_back(*kernel);
  if (Status status = manifest.write(folder->path()); !status)
    return status;
  return folder->moveTo(path, "manifest.json");
}

Result<ExitCode> compileCommand(const Arguments &arguments) {
  watchInterrupts(); // so that temporary folders go
  Result<KernelSpec> spec = KernelSpec::parse(arguments.positional[0]);
  if (!spec)
    return spec.status();
  Result<std::string> target =
      checkTarget(arguments.value("--target").value_or("cpu:native"));
  if (!target)
    return target.status();
  Result<Stage> stage =
      stageOf(arguments.value("--stop-after").value_or("artifact"));
  if (!stage)
    return stage.status();
  std::optional<std::string> path = arguments.value("-o");
  CompileRequest request = {*spec,
                            {*target,
                             arguments.value("--schedule").value_or(""),
                             arguments.value("--emit").value_or("")},
                            ""};

  if (*stage == Stage::Artifact) {
    if (!path)
      return Status::badInput("an artifact goes into a folder; give -o FOLDER, "
                              "or a text stage as --stop-after llvm");
    if (Status status = compileToFolder(request, *path); !status)
      return status;
    return ExitCode::Ok;
  }
  Result<std::string> text = textInChild(
      [&] { return compileToText(request.spec, request.options, *stage); });
  if (!text)
    return text.status();
  if (!path)
    print(*text);
  else if (Status status = writeFile(*path, *text); !status)
    return status;
  return ExitCode::Ok;
}

} // namespace labgen
