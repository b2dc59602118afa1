// Folder.cpp - mkdtemp, rename and remove.
#include "tools/labgen/driver/Folder.h"
#include "lib/Support/SystemFailure.h"
#include "lib/Support/Temporary.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace labgen {

static Status failure(const std::string &what, const std::string &path,
                      const std::string &why) {
  return systemFailure(what + " " + path, why,
                       "check the path and its permissions");
}

static std::string reason(int error) {
  return std::error_code(error, std::generic_category()).message();
}

/// $TMPDIR; empty is not set.
static std::string systemFolder() {
  const char *folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string &parent) {
  std::string base = parent.empty() ? systemFolder() : parent;
  clearTemporaries(base);
  while (true) {
    std::string name = base + "/" + temporaryPrefix + "XXXXXX";
    if (!mkdtemp(name.data()))
      return failure("write into", base, reason(errno));
    FileDescriptor lock(
        open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (lock.get() < 0 && errno != ENOENT)
      return failure("use", name, reason(errno));
    if (lock.get() < 0 || !holdTemporary(lock.get(), name))
      continue;                // taken for a dead one before it was locked
    chmod(name.c_str(), 0755); // it may become the user's folder
    return TemporaryFolder(name, std::move(lock));
  }
}

TemporaryFolder::TemporaryFolder(std::string folder, FileDescriptor lock)
    : folder(std::move(folder)), lock(std::move(lock)), owner(getpid()) {}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : folder(std::exchange(other.folder, std::string())),
      lock(std::move(other.lock)), owner(other.owner) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!folder.empty() && getpid() == owner)
    fs::remove_all(folder, ignored);
}

Status TemporaryFolder::moveTo(const std::string &target,
                               const std::string &last) {
  std::error_code error;
  if (!fs::exists(target, error)) {
    fs::rename(folder, target, error);
    if (error)
      return failure("make", target, error.message());
    folder.clear();
    return Status::ok();
  }
  auto move = [&](const fs::path &name) {
    fs::file_status there = fs::symlink_status(fs::path(target) / name, error);
    if (fs::exists(there) && !fs::is_regular_file(there))
      return systemFailure("write " + (fs::path(target) / name).string(),
                           "it exists and is not a regular file",
                           "move it away");
    fs::rename(fs::path(folder) / name, fs::path(target) / name, error);
    return error ? failure("write", (fs::path(target) / name).string(),
                           error.message())
                 : Status::ok();
  };
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.path().filename() != last)
      if (Status status = move(entry.path().filename()); !status)
        return status;
  return move(last);
}

std::string parentFolder(const std::string &path) {
  std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

Status checkFolderTarget(const std::string &path) {
  std::error_code error;
  if (fs::exists(path, error)) {
    if (!fs::is_directory(path, error))
      return Status::badInput(path + " is not a folder; choose another -o");
    return Status::ok();
  }
  fs::path above = parentFolder(fs::path(path).lexically_normal().string());
  while (!above.empty() && !fs::exists(above, error) &&
         above != above.parent_path())
    above = above.parent_path();
  if (!above.empty() && !fs::is_directory(above, error))
    return Status::badInput(above.string() +
                            " is not a folder; choose another -o");
  return Status::ok();
}

Status makeFolder(const std::string &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    return failure("make the folder", path, error.message());
  return Status::ok();
}

} // namespace labgen
