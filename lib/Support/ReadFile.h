// ReadFile.h - the one way labgen opens what it reads.
//
// A path may name anything: opening a FIFO would wait for its writer, a device
// may never end. So files are opened without waiting and looked at before the
// first byte is read.
#ifndef LABGEN_SUPPORT_READFILE_H
#define LABGEN_SUPPORT_READFILE_H

#include "lib/Support/Status.h"

#include <string>

namespace labgen {

/// An open file that closes itself.
class FileDescriptor {
public:
  explicit FileDescriptor(int file = -1) : file(file) {}
  FileDescriptor(FileDescriptor &&other) noexcept : file(other.release()) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(file, other.file);
    return *this;
  }
  ~FileDescriptor();

  int get() const { return file; }
  /// From now on the caller closes it.
  int release() { return std::exchange(file, -1); }

private:
  int file;
};

/// Files of labgen's own are regular; a list or a config that a user names may
/// come through a pipe, as a shell's <(...) does. One that nobody writes to for
/// five seconds is a failure.
enum class Pipes { Refused, Taken };

/// Opens without waiting; `flags` as for open(2). A failure says only what is
/// wrong ("it is a folder"), for the caller to put the path and a cure around.
Result<FileDescriptor> openFile(const std::string &path, int flags,
                                Pipes pipes = Pipes::Refused);

/// All that is left to read, at most 1 GiB. A failure as openFile's.
Result<std::string> readRest(const FileDescriptor &file);

/// The whole of a file, at most 1 GiB; errors name the path.
Result<std::string> readFile(const std::string &path,
                             Pipes pipes = Pipes::Refused);

} // namespace labgen

#endif // LABGEN_SUPPORT_READFILE_H
