// Artifact.cpp - checks an artifact against its manifest.
#include "runtime/core/Artifact.h"
#include "lib/Support/Sha256.h"

using namespace labgen;

Result<std::string> labgen::verifiedArtifact(const ManifestKernel &kernel,
                                             const std::string &folder) {
  if (kernel.artifact.empty())
    return Status::badInput("the manifest names no artifact for " +
                            kernel.spec.str() + "; compile it again");
  std::string path = (folder.empty() ? "." : folder) + "/" + kernel.artifact;
  Result<std::string> sum = sha256File(path);
  if (!sum)
    return sum.status();
  if (*sum != kernel.sha256)
    return Status::badInput("artifact '" + path +
                            "' does not match the sha256 in its manifest; "
                            "compile the lab again");
  return path;
}
