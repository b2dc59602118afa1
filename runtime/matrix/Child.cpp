// Child.cpp - fork, pipe, poll and wait.
#include "runtime/matrix/Child.h"

#include "runtime/matrix/Interrupt.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace labgen {

namespace {

void writeAll(int file, const std::string &text) {
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      _exit(1); // the parent is gone
    done += size_t(count);
  }
}

/// The child must not write to the user's terminal, leave a core file, outlive
/// its parent or be ended by the Ctrl-C its parent handles.
void settleChild(int errors, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors >= 0 ? errors : null, STDERR_FILENO);
}

/// First line that says something, at most 200 characters of it.
std::string firstLine(int file) {
  char text[4096];
  ssize_t size = pread(file, text, sizeof(text), 0);
  std::string line;
  for (ssize_t i = 0; i < size && line.size() < 200; ++i) {
    if (text[i] != '\n')
      line += text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    else if (!line.empty())
      break;
  }
  return line;
}

class Deadline {
public:
  explicit Deadline(double seconds)
      : end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(seconds))) {}
  double left() const {
    return std::chrono::duration<double>(end - Clock::now()).count();
  }
  /// Milliseconds for one poll: short steps, so that no limit overflows them.
  int pollTime() const {
    return int(std::min(std::max(left(), 0.0), 1.0) * 1000) + 1;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end;
};

} // namespace

Result<Child> Child::start(const std::function<void(const Send &)> &work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Status::missing(std::string("cannot make a pipe: ") +
                           strerror(errno) + "; close some files");
  Child child;
  child.errors = memfd_create("labgen-child", MFD_CLOEXEC);
  pid_t parent = getpid();
  child.pid = fork();
  if (child.pid < 0) {
    close(ends[0]);
    close(ends[1]);
    return Status::missing(std::string("cannot start a process: ") +
                           strerror(errno) + "; raise the process limit");
  }
  if (child.pid == 0) {
    close(ends[0]);
    settleChild(child.errors, parent);
    work([&](const std::string &line) { writeAll(ends[1], line + "\n"); });
    _exit(0);
  }
  close(ends[1]);
  child.pipe = ends[0];
  return child;
}

Child::Child(Child &&other) noexcept { *this = std::move(other); }

Child &Child::operator=(Child &&other) noexcept {
  std::swap(pid, other.pid);
  std::swap(pipe, other.pipe);
  std::swap(errors, other.errors);
  std::swap(atEnd, other.atEnd);
  std::swap(buffer, other.buffer);
  std::swap(death, other.death);
  return *this;
}

bool Child::takeLine(std::string &line) {
  size_t end = buffer.find('\n');
  if (end == std::string::npos)
    return false;
  line = buffer.substr(0, end);
  buffer.erase(0, end + 1);
  return true;
}

Child::Event Child::next(std::string &line, double seconds) {
  Deadline deadline(seconds);
  while (true) {
    if (interrupted())
      return Event::Interrupt;
    if (takeLine(line))
      return Event::Line;
    if (atEnd)
      return Event::End;
    if (deadline.left() <= 0)
      return Event::Timeout;
    pollfd files[2] = {{pipe, POLLIN, 0}, {interruptDescriptor(), POLLIN, 0}};
    if (poll(files, 2, deadline.pollTime()) <= 0 || !files[0].revents)
      continue;
    char chunk[65536];
    ssize_t count = read(pipe, chunk, sizeof(chunk));
    if (count > 0)
      buffer.append(chunk, size_t(count));
    else if (count == 0 || errno != EINTR)
      atEnd = true;
  }
}

std::string Child::finish() {
  if (pid < 0)
    return death;
  if (!atEnd)
    kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    death = "signal " + std::to_string(WTERMSIG(status)) + ": " +
            strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    death = "exit code " + std::to_string(WEXITSTATUS(status));
  if (std::string said = firstLine(errors); !death.empty() && !said.empty())
    death += ": " + said;
  pid = -1;
  close(pipe);
  if (errors >= 0)
    close(errors);
  return death;
}

size_t waitForAny(const std::vector<Child *> &children, double seconds) {
  Deadline deadline(seconds);
  while (!interrupted() && deadline.left() > 0) {
    std::vector<pollfd> files;
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i]->atEnd ||
          children[i]->buffer.find('\n') != std::string::npos)
        return i;
      files.push_back({children[i]->pipe, POLLIN, 0});
    }
    files.push_back({interruptDescriptor(), POLLIN, 0});
    if (poll(files.data(), files.size(), deadline.pollTime()) <= 0)
      continue;
    for (size_t i = 0; i < children.size(); ++i)
      if (files[i].revents)
        return i;
  }
  return children.size();
}

std::string answerLine(const Result<Json> &result) {
  Json::Object answer;
  if (result)
    answer = {{"value", *result}};
  else
    answer = {{"code", int(result.status().exitCode())},
              {"message", result.status().message()}};
  return Json(std::move(answer)).dump();
}

Result<Child> startAnswer(const std::function<Result<Json>()> &work) {
  return Child::start(
      [&](const Child::Send &send) { send(answerLine(work())); });
}

std::string limitText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g s", seconds);
  return text;
}

Result<Json> readAnswer(const std::string &line) {
  Result<Json> answer = Json::parse(line);
  if (!answer)
    return answer.status();
  if (const Json *value = answer->find("value"))
    return *value;
  const Json *message = answer->find("message");
  const Json *code = answer->find("code");
  std::string text = message && message->asString() ? *message->asString() : "";
  if (code && code->asInt() == int64_t(ExitCode::Missing))
    return Status::missing(text);
  return Status::badInput(text);
}

Result<Json> takeAnswer(Child &child, const std::string &who, double seconds) {
  std::string line;
  switch (child.next(line, seconds)) {
  case Child::Event::Interrupt:
    return Status::interrupted();
  case Child::Event::Timeout:
    return Status::badInput(who + " did not end within " + limitText(seconds) +
                            "; it was stopped");
  case Child::Event::End: {
    std::string death = child.finish();
    return Status::badInput(who + " crashed (" +
                            (death.empty() ? "no answer" : death) +
                            "); report it with the spec");
  }
  case Child::Event::Line:
    break;
  }
  return readAnswer(line);
}

Result<Json> runInChild(const std::string &who, double seconds,
                        const std::function<Result<Json>()> &work) {
  Result<Child> child = startAnswer(work);
  if (!child)
    return child.status();
  return takeAnswer(*child, who, seconds);
}

} // namespace labgen
