// ProcessTest.cpp - a child that is halted does nothing until it may go on.
#include "runtime/process/Process.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace labgen;

namespace {

/// A child whose two threads count without end.
struct CountingChild {
  CountingChild() {
    void *memory = mmap(nullptr, sizeof *counts, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counts = new (memory) std::atomic<uint64_t>[2]();
    pid_t parent = getpid();
    pid = fork();
    if (pid == 0) {
      settleChild(-1, parent);
      auto count = [&](int which) {
        for (;;)
          ++counts[which];
      };
      std::thread other(count, 1);
      count(0);
    }
    adoptChild(pid);
  }
  ~CountingChild() {
    endChild(pid);
    munmap(counts, sizeof *counts);
  }
  void awaitCounting() const {
    for (int which : {0, 1})
      for (uint64_t before = counts[which]; counts[which] == before;)
        usleep(100);
  }

  std::atomic<uint64_t> *counts;
  pid_t pid;
};

TEST(Process, AHaltedChildStandsStill) {
  CountingChild child;
  for (int i = 0; i < 3; ++i) {
    child.awaitCounting();
    halt(child.pid);
    uint64_t first = child.counts[0], second = child.counts[1];
    usleep(20000);
    EXPECT_EQ(child.counts[0], first);
    EXPECT_EQ(child.counts[1], second);
    goOn(child.pid);
  }
  child.awaitCounting();
  halt(child.pid);
  EXPECT_FALSE(awaitEnd(child.pid, 0));
}

TEST(Process, HaltingOneThatHasEndedReturns) {
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    settleChild(-1, parent);
    _exit(3);
  }
  adoptChild(pid);
  ASSERT_TRUE(awaitEnd(pid, 60));
  halt(pid);
  goOn(pid);
  EXPECT_EQ(deathText(endChild(pid)), "exit code 3");
}

} // namespace
