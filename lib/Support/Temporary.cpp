// Temporary.cpp - locks, and the search for temporaries without one.
#include "lib/Support/Temporary.h"
#include "lib/Support/ReadFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace labgen {

/// Whether `path` still names what `file` has open.
static bool names(const std::string &path, int file) {
  struct stat opened, named;
  return fstat(file, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool holdTemporary(int file, const std::string &path) {
  while (flock(file, LOCK_EX) != 0 && errno == EINTR) {
  }
  return names(path, file);
}

/// Only with the lock held is it sure that nobody else has it or takes it.
static void removeUnlessHeld(const std::string &path) {
  FileDescriptor file(
      open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (file.get() < 0 || fstat(file.get(), &status) != 0 ||
      status.st_uid != geteuid() ||
      !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) ||
      flock(file.get(), LOCK_EX | LOCK_NB) != 0 || !names(path, file.get()))
    return;
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

void clearTemporaries(const std::string &folder) {
  static std::mutex mutex;
  static std::set<std::string> cleared;
  std::lock_guard<std::mutex> guard(mutex);
  if (!cleared.insert(folder).second)
    return;
  std::error_code error;
  fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
  for (; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().rfind(temporaryPrefix, 0) == 0)
      removeUnlessHeld(entry->path().string());
}

} // namespace labgen
