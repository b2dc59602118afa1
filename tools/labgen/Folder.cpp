// Folder.cpp - mkdtemp, rename and remove.
#include "tools/labgen/Folder.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace labgen {

static Status failure(const std::string &what, const std::string &path,
                      const std::string &why) {
  return Status::badInput("cannot " + what + " " + path + ": " + why +
                          "; check the path and its permissions");
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string &parent) {
  std::error_code error;
  std::string base =
      parent.empty() ? fs::temp_directory_path(error).string() : parent;
  if (error)
    return failure("use", "the folder for temporary files", error.message());
  std::string name = base + "/.labgen-XXXXXX";
  if (!mkdtemp(name.data()))
    return failure("write into", base,
                   std::error_code(errno, std::generic_category()).message());
  chmod(name.c_str(), 0755); // it may become the user's folder
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : folder(std::move(other.folder)) {
  other.folder.clear();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!folder.empty())
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
