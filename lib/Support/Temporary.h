// Temporary.h - names that files and folders have until they are whole.
//
// Whoever makes a temporary holds a lock on it (flock) while it lives; the lock
// goes with its processes, however they end. So a temporary that nobody locks
// has lost its owner, and the next run removes it. A process id in the name
// would not do: ids are used again, and containers that share a folder do not
// share them. Where the file system has no locks nothing is removed.
#ifndef LABGEN_SUPPORT_TEMPORARY_H
#define LABGEN_SUPPORT_TEMPORARY_H

#include <string>

namespace labgen {

/// What each name begins with.
constexpr const char *temporaryPrefix = ".labgen-tmp-";

/// Takes the lock of `path`, just made and open as `file`. False when another
/// process had found it unlocked and removed it: make another.
bool holdTemporary(int file, const std::string &path);

/// Removes this user's temporaries of `folder` ("" is the current one) whose
/// owner is gone. Once per process and folder; what cannot be removed stays.
void clearTemporaries(const std::string &folder);

} // namespace labgen

#endif // LABGEN_SUPPORT_TEMPORARY_H
