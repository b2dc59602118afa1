// AtomicFile.h - files are whole or absent.
//
// What labgen writes goes under a temporary name in the target's folder and is
// renamed when all of it is there; on any failure the target is as before and
// the temporary file is gone. A target that exists and isn't a regular file is
// refused; a symbolic link is none, so nothing is written through one. Not
// synced to disk: this guards against half files, not power cuts.
#ifndef LABGEN_SUPPORT_ATOMICFILE_H
#define LABGEN_SUPPORT_ATOMICFILE_H

#include "lib/Support/ReadFile.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace labgen {

/// A file being written. Destroyed without commit() it leaves nothing.
class AtomicFile {
public:
  /// Errors name the path and the reason (no folder, no permission, not a
  /// regular file). From then on SIGXFSZ is ignored, so that a file-size limit
  /// is an error of write().
  static Result<AtomicFile> create(const std::string &path);
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

  /// Appends; a full disk or a size limit is bad input naming the path.
  Status write(const void *data, size_t size);
  /// Closes and renames.
  Status commit();

private:
  AtomicFile() = default;
  Status fail(int error);
  void discard();

  std::string path;      ///< as given
  std::string temporary; ///< empty once committed or discarded
  FileDescriptor file;
  int owner = 0; ///< process; a fork of it removes nothing
};

/// The whole file at once.
Status writeFile(const std::string &path, std::string_view contents);

} // namespace labgen

#endif // LABGEN_SUPPORT_ATOMICFILE_H
