// ReadFile.cpp - open without waiting, look, then read.
#include "lib/Support/ReadFile.h"
#include "lib/Support/SystemFailure.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace labgen {

constexpr size_t largest = size_t(1) << 30;
constexpr int patience = 5000; // ms

FileDescriptor::~FileDescriptor() {
  if (file >= 0)
    close(file);
}

static Status reason(int error) {
  return Status::badInput(error == ELOOP ? "it is a symbolic link"
                                         : std::strerror(error));
}

Result<FileDescriptor> openFile(const std::string &path, int flags,
                                Pipes pipes) {
  if (path.find('\0') != path.npos)
    return Status::badInput("its name holds a zero byte");
  FileDescriptor file(
      open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666));
  struct stat status;
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    return reason(errno);
  bool isPipe = S_ISFIFO(status.st_mode) && pipes == Pipes::Taken;
  if (S_ISDIR(status.st_mode))
    return Status::badInput("it is a folder");
  if (!isPipe && !S_ISREG(status.st_mode))
    return Status::badInput("it is not a regular file");
  return file;
}

// Whether bytes, or the last writer's end, came within that many ms; -1: any.
static bool waitForBytes(int pipe, int timeout) {
  pollfd wanted{pipe, POLLIN, 0};
  int ready;
  do
    ready = poll(&wanted, 1, timeout);
  while (ready < 0 && errno == EINTR);
  return ready != 0;
}

Result<std::string> readRest(const FileDescriptor &file) {
  const Status tooLarge = Status::badInput("it is larger than 1 GiB");
  struct stat status;
  if (fstat(file.get(), &status) != 0)
    return reason(errno);
  if (S_ISREG(status.st_mode) && size_t(status.st_size) > largest)
    return tooLarge;
  // Before its first writer a pipe reads as ended.
  bool mayBegin = S_ISFIFO(status.st_mode), began = true;
  std::string contents, buffer(1 << 16, '\0');
  while (true) {
    ssize_t got = read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && errno == EAGAIN && waitForBytes(file.get(), -1))
      continue; // its writer takes time
    if (got < 0)
      return reason(errno);
    if (got == 0 && contents.empty() && std::exchange(mayBegin, false)) {
      began = waitForBytes(file.get(), patience);
      continue;
    }
    if (got == 0 && contents.empty() && !began)
      return Status::badInput("it is a pipe that nothing writes to");
    if (got == 0)
      return contents;
    contents.append(buffer, 0, size_t(got));
    if (contents.size() > largest)
      return tooLarge;
  }
}

Result<std::string> readFile(const std::string &path, Pipes pipes) {
  Result<FileDescriptor> file = openFile(path, O_RDONLY, pipes);
  Result<std::string> text =
      file ? readRest(*file) : Result<std::string>(file.status());
  if (!text)
    return systemFailure("read " + path, text.status().message(),
                         "give the path of a readable file");
  return text;
}

} // namespace labgen
