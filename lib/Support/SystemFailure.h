// SystemFailure.h - failures of files and space, told from refused input.
//
// A full disk or a missing folder says nothing about the kernel that was asked
// for: such a failure ends a run and settles no cell. It must be told from a
// refusal on both sides of a pipe between processes, so its message says it:
// it begins with "cannot ", and no other message does.
#ifndef LABGEN_SUPPORT_SYSTEMFAILURE_H
#define LABGEN_SUPPORT_SYSTEMFAILURE_H

#include "lib/Support/Status.h"

#include <string_view>

namespace labgen {

constexpr std::string_view systemFailureStart = "cannot ";

/// "cannot WHAT: WHY; WHAT TO DO"; exit code 1.
inline Status systemFailure(const std::string &what, const std::string &why,
                            const std::string &todo) {
  return Status::badInput(std::string(systemFailureStart) + what + ": " + why +
                          "; " + todo);
}

inline bool isSystemFailure(const Status &status) {
  return status.message().compare(0, systemFailureStart.size(),
                                  systemFailureStart) == 0;
}

} // namespace labgen

#endif // LABGEN_SUPPORT_SYSTEMFAILURE_H
