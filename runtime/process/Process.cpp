// Process.cpp - groups, signals and waiting.
#include "runtime/process/Process.h"

#include "runtime/process/Deadline.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace labgen {

namespace {

/// What a child has to end before it ends itself.
constexpr double graceSeconds = 1;

std::atomic<pid_t> ward{0};

void endGroups(int) {
  if (pid_t group = ward.load())
    kill(-group, SIGKILL);
  kill(0, SIGKILL); // this process with its group
}

} // namespace

void settleChild(int errors, pid_t parent) {
  setpgid(0, 0);
  ward = 0;
  signal(SIGINT, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = endGroups;
  sigaction(SIGTERM, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(1);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errors >= 0 ? errors : null, STDERR_FILENO);
}

void adoptChild(pid_t child) { setpgid(child, child); }

int deathDescriptor(pid_t child) {
#ifdef SYS_pidfd_open
  return int(syscall(SYS_pidfd_open, child, 0));
#else
  (void)child;
  return -1;
#endif
}

void wardGroup(pid_t group) { ward = group; }

bool awaitEnd(pid_t child, double seconds) {
  Deadline deadline(seconds);
  for (useconds_t step = 50;; step = std::min<useconds_t>(2 * step, 10000)) {
    siginfo_t info = {};
    int failed = waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT | WNOHANG);
    if (failed ? errno != EINTR : info.si_pid == child)
      return true;
    if (deadline.left() <= 0)
      return false;
    usleep(step);
  }
}

void halt(pid_t child) {
  kill(-child, SIGSTOP);
  siginfo_t info = {};
  while (waitid(P_PID, id_t(child), &info, WSTOPPED | WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  if (info.si_code == CLD_STOPPED) // taken note of
    waitid(P_PID, id_t(child), &info, WSTOPPED | WNOHANG);
}

void goOn(pid_t child) { kill(-child, SIGCONT); }

int endChild(pid_t child) {
  if (!awaitEnd(child, 0)) {
    kill(child, SIGTERM);
    awaitEnd(child, graceSeconds);
  }
  // Not reaped yet, so the number is still this group's.
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string deathText(int waitStatus) {
  if (WIFSIGNALED(waitStatus))
    return "signal " + std::to_string(WTERMSIG(waitStatus)) + ": " +
           strsignal(WTERMSIG(waitStatus));
  if (WEXITSTATUS(waitStatus) != 0)
    return "exit code " + std::to_string(WEXITSTATUS(waitStatus));
  return "";
}

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

} // namespace labgen
