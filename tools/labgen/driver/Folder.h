// Folder.h - folders that are whole or not there.
#ifndef LABGEN_TOOLS_LABGEN_DRIVER_FOLDER_H
#define LABGEN_TOOLS_LABGEN_DRIVER_FOLDER_H

#include "lib/Support/ReadFile.h"

namespace labgen {

/// A folder that goes away with the object. What a killed process left goes
/// when the next one is made beside it.
class TemporaryFolder {
public:
  /// Inside `parent`, or where the system keeps temporary files ($TMPDIR).
  static Result<TemporaryFolder> make(const std::string &parent = "");
  TemporaryFolder(TemporaryFolder &&other) noexcept;
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  const std::string &path() const { return folder; }
  /// Becomes `target`. Where that is a folder already, the files move into it,
  /// `last` after all others.
  Status moveTo(const std::string &target, const std::string &last);

private:
  TemporaryFolder(std::string folder, FileDescriptor lock);

  std::string folder;
  FileDescriptor lock;
  int owner; ///< process; a fork of it removes nothing
};

/// Bad input when `path` exists and is no folder, or its parent is none.
Status checkFolderTarget(const std::string &path);
/// The folder `path` is in: "." for a bare name.
std::string parentFolder(const std::string &path);
/// Makes `path` and what is above it, as far as missing.
Status makeFolder(const std::string &path);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_DRIVER_FOLDER_H
