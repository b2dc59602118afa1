// Artifact.h - the file a manifest kernel names, proven to be the one meant.
#ifndef LABGEN_RUNTIME_CORE_ARTIFACT_H
#define LABGEN_RUNTIME_CORE_ARTIFACT_H

#include "lib/Spec/Manifest.h"

#include <string>

namespace labgen {

/// Path of the artifact of `kernel`, once the file's sha256 is the manifest's;
/// it has a slash in it, as dlopen wants. A missing, unreadable or changed file
/// is bad input.
Result<std::string> verifiedArtifact(const ManifestKernel &kernel,
                                     const std::string &folder);

} // namespace labgen

#endif // LABGEN_RUNTIME_CORE_ARTIFACT_H
