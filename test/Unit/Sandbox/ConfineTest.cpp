// ConfineTest.cpp - what a confined process can still do, and what ends it.
#include "runtime/sandbox/Confine.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

using namespace labgen;

namespace {

constexpr int unavailable = 99;

/// How a child ends that confines itself and then does `act`: the exit code
/// that `act` gives, or the negative signal.
int endOf(const std::function<int()> &act) {
  pid_t child = fork();
  if (child == 0) {
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (!confine())
      _exit(unavailable);
    _exit(act());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool isOffered() {
  return endOf([] { return 0; }) != unavailable;
}

#define SKIP_WITHOUT_SECCOMP()                                                 \
  if (!isOffered())                                                            \
  GTEST_SKIP() << "this system offers no seccomp filter"

TEST(Confine, leavesWhatKernelsNeed) {
  SKIP_WITHOUT_SECCOMP();
  EXPECT_EQ(endOf([] {
              // Blocks beyond malloc's threshold come from mmap.
              std::vector<char> large(64 << 20, 1);
              int sum = 0;
              std::vector<std::thread> threads;
              for (int i = 0; i < 4; ++i)
                threads.emplace_back([&, i] {
                  std::vector<char> own(1 << 20, char(i));
                  timespec now;
                  clock_gettime(CLOCK_MONOTONIC, &now);
                  usleep(1000);
                  __atomic_fetch_add(&sum, own.back(), __ATOMIC_RELAXED);
                });
              for (std::thread &thread : threads)
                thread.join();
              fprintf(stderr, "%s", "");
              return sum;
            }),
            0 + 1 + 2 + 3);
  EXPECT_EQ(endOf([]() -> int { abort(); }), -SIGABRT);
}

TEST(Confine, refusesFilesAndGoesOn) {
  SKIP_WITHOUT_SECCOMP();
  EXPECT_EQ(endOf([] { return open("/etc/passwd", O_RDONLY) < 0 ? errno : 0; }),
            EACCES);
  EXPECT_EQ(endOf([] {
              return open("/tmp/new", O_WRONLY | O_CREAT, 0600) < 0 ? errno : 0;
            }),
            EACCES);
  EXPECT_EQ(endOf([] {
              struct stat info;
              return stat("/etc/passwd", &info) < 0 ? errno : 0;
            }),
            EACCES);
}

TEST(Confine, endsWhoAsksForMore) {
  SKIP_WITHOUT_SECCOMP();
  const std::pair<const char *, std::function<void()>> acts[] = {
      {"a program", [] { execl("/bin/true", "true", nullptr); }},
      {"a process", [] { (void)fork(); }},
      {"a shell", [] { (void)!system("true"); }},
      {"the network", [] { socket(AF_INET, SOCK_STREAM, 0); }},
      {"a local socket", [] { socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"a signal to the parent", [] { kill(getppid(), SIGTERM); }},
      {"its process group", [] { kill(0, SIGKILL); }},
      {"another group", [] { setpgid(0, 0); }},
      {"a session", [] { setsid(); }},
      {"tracing", [] { ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr); }},
      {"memory of others",
       [] {
         char byte;
         iovec here = {&byte, 1}, there = {&byte, 1};
         process_vm_readv(getppid(), &here, 1, &there, 1, 0);
       }},
      {"executable memory",
       [] {
         mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
       }},
      {"code of its own",
       [] {
         void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         mprotect(page, 4096, PROT_READ | PROT_EXEC);
       }},
      {"writing to stdout", [] { (void)!write(STDOUT_FILENO, "", 0); }},
      {"deleting", [] { unlink("/tmp/none"); }},
      {"a limit",
       [] {
         rlimit limit = {1, 1};
         setrlimit(RLIMIT_NOFILE, &limit);
       }},
  };
  for (const auto &[what, act] : acts)
    EXPECT_EQ(endOf([&act = act] {
                act();
                return 0;
              }),
              -SIGSYS)
        << what;
}

TEST(Confine, holdsForThreadsThatWereThereBefore) {
  SKIP_WITHOUT_SECCOMP();
  pid_t child = fork();
  if (child == 0) {
    int go = 0;
    std::thread other([&] {
      while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        usleep(100);
      socket(AF_INET, SOCK_STREAM, 0);
    });
    if (!confine())
      _exit(1);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    other.join();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
}

TEST(Confine, saysWhyItEndedAKernel) {
  EXPECT_NE(refusalBySandbox(SIGSYS).find("the sandbox ended it"),
            std::string::npos);
  EXPECT_EQ(refusalBySandbox(SIGSEGV), "");
}

} // namespace
