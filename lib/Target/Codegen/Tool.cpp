// Tool.cpp - memfd, posix_spawn, poll and wait.
#include "lib/Target/Codegen/Tool.h"
#include "lib/Support/SystemFailure.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace labgen;

static Status cannot(const std::string &what, int error) {
  return systemFailure(what, std::strerror(error),
                       "free some memory or raise the limits");
}

//===----------------------------------------------------------------------===//
// MemoryFile
//===----------------------------------------------------------------------===//

MemoryFile::MemoryFile(FileDescriptor opened)
    : file(std::move(opened)),
      name("/proc/self/fd/" + std::to_string(file.get())) {}

Result<MemoryFile> MemoryFile::make(std::string_view bytes) {
  // Not closed in the program: it opens the file through the descriptor.
  FileDescriptor file(memfd_create("labgen", 0));
  if (file.get() < 0)
    return cannot("make a file in memory", errno);
  while (!bytes.empty()) {
    ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return cannot("write a file in memory", count < 0 ? errno : ENOSPC);
    bytes.remove_prefix(size_t(count));
  }
  return MemoryFile(std::move(file));
}

//===----------------------------------------------------------------------===//
// runTool
//===----------------------------------------------------------------------===//

namespace {

struct Pipe {
  FileDescriptor read, write;
  std::string text;

  bool make() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return false;
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
    return true;
  }
  /// Takes what is there; false at the end.
  bool take() {
    char chunk[65536];
    ssize_t count = ::read(read.get(), chunk, sizeof(chunk));
    if (count > 0)
      text.append(chunk, size_t(count));
    return count > 0 || (count < 0 && errno == EINTR);
  }
};

/// Both to their ends, in turn, so that neither fills up.
void drain(Pipe &out, Pipe &err) {
  Pipe *pipes[2] = {&out, &err};
  pollfd files[2] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    if (poll(files, 2, -1) < 0 && errno != EINTR)
      return;
    for (int i = 0; i < 2; ++i)
      if (files[i].fd >= 0 && files[i].revents && !pipes[i]->take())
        files[i].fd = -1;
  }
}

void describe(int status, ToolAnswer &answer) {
  if (WIFSIGNALED(status)) {
    answer.crashed = true;
    answer.failure = "signal " + std::to_string(WTERMSIG(status)) + ": " +
                     strsignal(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    answer.failure = "exit code " + std::to_string(WEXITSTATUS(status));
  }
}

} // namespace

Result<ToolAnswer> labgen::runTool(const std::vector<std::string> &command) {
  Pipe out, err;
  if (!out.make() || !err.make())
    return cannot("make a pipe", errno);
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  pid_t pid;
  int error =
      posix_spawn(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    return cannot("start " + command[0], error);
  out.write = FileDescriptor();
  err.write = FileDescriptor();
  drain(out, err);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ToolAnswer answer;
  describe(status, answer);
  const std::string &text = err.text.empty() ? out.text : err.text;
  if (!answer.failure.empty())
    answer.said = text.substr(0, text.find('\n'));
  answer.output = std::move(out.text);
  return answer;
}
