// Child.cpp - fork, pipe, poll and wait.
#include "runtime/matrix/Child.h"

#include "runtime/matrix/Interrupt.h"
#include "runtime/process/Deadline.h"
#include "runtime/process/Process.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

namespace labgen {

namespace {

/// How long a child that closed its pipe may take to end.
constexpr double closedSeconds = 1;

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
  adoptChild(child.pid);
  child.death = deathDescriptor(child.pid);
  close(ends[1]);
  child.pipe = ends[0];
  return child;
}

Child::Child(Child &&other) noexcept { *this = std::move(other); }

Child &Child::operator=(Child &&other) noexcept {
  std::swap(pid, other.pid);
  std::swap(pipe, other.pipe);
  std::swap(death, other.death);
  std::swap(errors, other.errors);
  std::swap(atEnd, other.atEnd);
  std::swap(buffer, other.buffer);
  std::swap(cause, other.cause);
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
    pollfd files[3] = {{pipe, POLLIN, 0},
                       {death, POLLIN, 0},
                       {interruptDescriptor(), POLLIN, 0}};
    if (poll(files, 3, deadline.pollTime()) <= 0)
      continue;
    // What it started may hold the pipe open when it is dead.
    if (!files[0].revents) {
      atEnd = files[1].revents != 0;
      continue;
    }
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
    return cause;
  bool stays = atEnd && !awaitEnd(pid, closedSeconds);
  int status = endChild(pid);
  cause = stays ? "it closed its pipe and did not end" : deathText(status);
  if (std::string said = firstLine(errors); !cause.empty() && !said.empty())
    cause += ": " + said;
  pid = -1;
  close(pipe);
  for (int file : {death, errors})
    if (file >= 0)
      close(file);
  return cause;
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
      files.push_back({children[i]->death, POLLIN, 0});
    }
    files.push_back({interruptDescriptor(), POLLIN, 0});
    if (poll(files.data(), files.size(), deadline.pollTime()) <= 0)
      continue;
    for (size_t i = 0; i < children.size(); ++i)
      if (files[2 * i].revents || files[2 * i + 1].revents)
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
