// Version.h - which labgen this is, for --version, rows, manifests and reports.
#ifndef LABGEN_SUPPORT_VERSION_H
#define LABGEN_SUPPORT_VERSION_H

#include <string>

namespace labgen {

/// "0.1.0"
std::string labgenVersion();
/// Short commit of the source, with "-dirty" behind it when files differ from
/// it; "unknown" where it was built outside git.
std::string gitRevision();
/// "0.1.0 (1a2b3c4)", as rows have it.
std::string fullVersion();

} // namespace labgen

#endif // LABGEN_SUPPORT_VERSION_H
