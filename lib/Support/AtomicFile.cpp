// AtomicFile.cpp - temporary name, checked writes, rename.
#include "lib/Support/AtomicFile.h"
#include "lib/Support/SystemFailure.h"
#include "lib/Support/Temporary.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace labgen {

static std::string reason(int error) {
  // strerror_r's two signatures differ; strerror is safe for known codes.
  return std::strerror(error);
}

static std::string adviceFor(int error) {
  switch (error) {
  case ENOENT:
  case ENOTDIR:
    return "create the folder first";
  case EACCES:
  case EPERM:
  case EROFS:
    return "choose a place you may write";
  case ENOSPC:
  case EDQUOT:
    return "free some space";
  case EFBIG:
    return "raise the file size limit";
  case ENAMETOOLONG:
    return "use a shorter name";
  default:
    return "choose another place";
  }
}

static Status cannotWrite(const std::string &path, int error) {
  return systemFailure("write " + path, reason(error), adviceFor(error));
}

/// With the default action a write past RLIMIT_FSIZE would kill the process; a
/// handler somebody set stays.
static void ignoreSizeSignal() {
  struct sigaction action;
  if (sigaction(SIGXFSZ, nullptr, &action) == 0 &&
      action.sa_handler == SIG_DFL) {
    action = {};
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, nullptr);
  }
}

/// Whether `path` may be written: absent, or a regular file with permission.
static Status checkTarget(const std::string &path) {
  struct stat existing;
  if (lstat(path.c_str(), &existing) != 0)
    return errno == ENOENT ? Status::ok() : cannotWrite(path, errno);
  if (!S_ISREG(existing.st_mode))
    return systemFailure("write " + path, "it exists and is not a regular file",
                         "choose another name");
  return access(path.c_str(), W_OK) == 0 ? Status::ok()
                                         : cannotWrite(path, errno);
}

Result<AtomicFile> AtomicFile::create(const std::string &path) {
  ignoreSizeSignal();
  if (Status status = checkTarget(path); !status)
    return status;
  size_t slash = path.rfind('/');
  std::string folder =
      slash == std::string::npos ? "" : path.substr(0, slash + 1);
  if (path.size() == folder.size())
    return systemFailure("write '" + path + "'", "it names no file",
                         "give a file name");
  if (path.size() - folder.size() > NAME_MAX)
    return cannotWrite(path, ENAMETOOLONG);

  clearTemporaries(folder);
  static std::atomic<unsigned> counter{0};
  AtomicFile out;
  out.path = path;
  out.owner = getpid();
  while (true) {
    std::string name = folder + temporaryPrefix + std::to_string(out.owner) +
                       "-" + std::to_string(counter++);
    out.file = FileDescriptor(
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (out.file.get() < 0 && errno != EEXIST)
      return cannotWrite(path, errno);
    if (out.file.get() >= 0 && holdTemporary(out.file.get(), name)) {
      out.temporary = std::move(name);
      return out;
    }
  }
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)),
      temporary(std::exchange(other.temporary, std::string())),
      file(std::move(other.file)), owner(other.owner) {}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  file = FileDescriptor();
  std::string name = std::exchange(temporary, std::string());
  if (!name.empty() && getpid() == owner)
    unlink(name.c_str());
}

Status AtomicFile::fail(int error) {
  discard();
  return cannotWrite(path, error);
}

Status AtomicFile::write(const void *data, size_t size) {
  auto *bytes = static_cast<const char *>(data);
  // A write that failed has closed the file; so does this one fail.
  while (size > 0) {
    ssize_t written = ::write(file.get(), bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return fail(written < 0 ? errno : ENOSPC);
    bytes += written;
    size -= size_t(written);
  }
  return Status::ok();
}

Status AtomicFile::commit() {
  // Some file systems report a failed write only when the file is closed; a
  // second descriptor holds the lock until the file has its own name.
  FileDescriptor lock(fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
  if (close(file.release()) != 0 || lock.get() < 0)
    return fail(errno);
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return fail(errno);
  temporary.clear();
  return Status::ok();
}

Status writeFile(const std::string &path, std::string_view contents) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.status();
  if (Status status = file->write(contents.data(), contents.size()); !status)
    return status;
  return file->commit();
}

} // namespace labgen
