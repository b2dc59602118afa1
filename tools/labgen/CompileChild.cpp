// CompileChild.cpp - requests out, manifest entries or texts back, as JSON.
#include "tools/labgen/CompileChild.h"

#include "runtime/matrix/Matrix.h"

namespace labgen {

Result<Child> startCompile(const CompileRequest &request,
                           const std::string &folder) {
  return startAnswer([&]() -> Result<Json> {
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
  Result<Json> json = runInChild(std::string(compilerName), compileSeconds,
                                 [&]() -> Result<Json> {
                                   Result<std::string> text = make();
                                   if (!text)
                                     return text.status();
                                   return Json(*text);
                                 });
  if (!json)
    return json.status();
  return *json->asString();
}

} // namespace labgen
