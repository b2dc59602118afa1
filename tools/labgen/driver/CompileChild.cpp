// CompileChild.cpp - requests out, manifest entries or texts back, as JSON.
#include "tools/labgen/driver/CompileChild.h"

#include "lib/Driver/FatalErrors.h"
#include "runtime/matrix/Matrix.h"

#include <unistd.h>

namespace labgen {

/// A child that answers with what `work` makes, or with LLVM's reason where
/// LLVM would end it.
static Result<Child> startCompiler(const std::function<Result<Json>()> &work) {
  return Child::start([&](const Child::Send &send) {
    onFatalError([&](const Status &why) {
      send(answerLine(why));
      _exit(0);
    });
    send(answerLine(work()));
  });
}

Result<Child> startCompile(const CompileRequest &request,
                           const std::string &folder) {
  return startCompiler([&]() -> Result<Json> {
    Result<ManifestKernel> kernel =
        request.file.empty()
            ? compileToArtifact(request.spec, request.options, folder)
            : compileFileToArtifact(request.file, request.spec, request.options,
                                    folder);
    if (!kernel)
      return kernel.status();
    Manifest manifest;
    manifest.kernels.push_back(*kernel);
    return manifest.toJson();
  });
}

Result<ManifestKernel> takeCompiled(Child &child) {
  Result<Json> json =
      takeAnswer(child, std::string(compilerName), compileSeconds);
  if (!json)
    return json.status();
  Result<Manifest> manifest = Manifest::fromJson(*json);
  if (!manifest)
    return manifest.status();
  return manifest->kernels.front();
}

Result<ManifestKernel> compileInChild(const CompileRequest &request,
                                      const std::string &folder) {
  Result<Child> child = startCompile(request, folder);
  if (!child)
    return child.status();
  return takeCompiled(*child);
}

Result<std::string>
textInChild(const std::function<Result<std::string>()> &make) {
  Result<Child> child = startCompiler([&]() -> Result<Json> {
    Result<std::string> text = make();
    if (!text)
      return text.status();
    return Json(*text);
  });
  if (!child)
    return child.status();
  Result<Json> json =
      takeAnswer(*child, std::string(compilerName), compileSeconds);
  if (!json)
    return json.status();
  return *json->asString();
}

} // namespace labgen
