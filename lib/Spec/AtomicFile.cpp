// AtomicFile.cpp - temporary name, checked writes, rename.
#include "lib/Spec/AtomicFile.h"

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
  return Status::badInput("cannot write " + path + ": " + reason(error) + "; " +
                          adviceFor(error));
}

Result<AtomicFile> AtomicFile::create(const std::string &path) {
  // With the default action a write past RLIMIT_FSIZE would kill the process;
  // a handler somebody set stays.
  struct sigaction action;
  if (sigaction(SIGXFSZ, nullptr, &action) == 0 &&
      action.sa_handler == SIG_DFL) {
    action = {};
    action.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &action, nullptr);
  }

  AtomicFile out;
  out.path = out.target = path;
  struct stat existing;
  if (lstat(path.c_str(), &existing) == 0) {
    bool isRegular =
        stat(path.c_str(), &existing) == 0 && S_ISREG(existing.st_mode);
    if (!isRegular)
      return Status::badInput("cannot write " + path +
                              ": it exists and is not a regular file; choose "
                              "another name");
    if (access(path.c_str(), W_OK) != 0)
      return cannotWrite(path, errno);
    char real[PATH_MAX];
    if (!realpath(path.c_str(), real))
      return cannotWrite(path, errno);
    out.target = real;
  } else if (errno != ENOENT) {
    return cannotWrite(path, errno);
  }
  size_t slash = out.target.rfind('/');
  std::string folder =
      slash == std::string::npos ? "" : out.target.substr(0, slash + 1);
  if (path.empty() || folder.size() == out.target.size())
    return Status::badInput("cannot write '" + path +
                            "': it names no file; give a file name");
  if (out.target.size() - folder.size() > NAME_MAX)
    return cannotWrite(path, ENAMETOOLONG);

  static std::atomic<unsigned> counter{0};
  do {
    out.temporary = folder + ".labgen-" + std::to_string(getpid()) + "-" +
                    std::to_string(counter++);
    out.file = open(out.temporary.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (out.file < 0 && errno == EEXIST);
  if (out.file < 0) {
    int error = errno;
    out.temporary.clear();
    return cannotWrite(path, error);
  }
  return out;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), target(std::move(other.target)),
      temporary(std::exchange(other.temporary, std::string())),
      file(std::exchange(other.file, -1)) {}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (file >= 0)
    close(std::exchange(file, -1));
  if (!temporary.empty())
    unlink(std::exchange(temporary, std::string()).c_str());
}

Status AtomicFile::fail(int error) {
  discard();
  return cannotWrite(path, error);
}

Status AtomicFile::write(const void *data, size_t size) {
  auto *bytes = static_cast<const char *>(data);
  // A write that failed has closed the file; so does this one fail.
  while (size > 0) {
    ssize_t written = ::write(file, bytes, size);
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
  // Some file systems report a failed write only here.
  if (close(std::exchange(file, -1)) != 0)
    return fail(errno);
  if (rename(temporary.c_str(), target.c_str()) != 0)
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

static Status cannotRead(const std::string &path, const std::string &why) {
  return Status::badInput("cannot read " + path + ": " + why +
                          "; give the path of a readable file");
}

Result<std::string> readFile(const std::string &path) {
  constexpr size_t largest = size_t(1) << 30;
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return cannotRead(path, reason(errno));
  struct stat status;
  std::string contents, problem;
  if (fstat(file, &status) != 0)
    problem = reason(errno);
  else if (S_ISDIR(status.st_mode))
    problem = "it is a folder";
  else if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
    problem = "it is neither a file nor a pipe";
  else if (S_ISREG(status.st_mode) && size_t(status.st_size) > largest)
    problem = "it is larger than 1 GiB";
  std::string buffer(problem.empty() ? 1 << 16 : 0, '\0');
  while (problem.empty()) {
    ssize_t got = read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      problem = reason(errno);
    else if (got == 0)
      break;
    else if (contents.append(buffer, 0, size_t(got)).size() > largest)
      problem = "it is larger than 1 GiB";
  }
  close(file);
  if (!problem.empty())
    return cannotRead(path, problem);
  return contents;
}

} // namespace labgen
