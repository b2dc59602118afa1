// Version.cpp - the version of the build file and the commit of this build.
#include "lib/Support/Version.h"

#include "lib/Support/GitRevision.h"

namespace labgen {

std::string labgenVersion() { return LABGEN_VERSION; }

std::string gitRevision() { return LABGEN_GIT_REVISION; }

std::string fullVersion() {
  return labgenVersion() + " (" + gitRevision() + ")";
}

} // namespace labgen
