// HostParallelTest.cpp - everything is done once, and a terminal is told.
#include "runtime/cpu/HostParallel.h"

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace labgen;

namespace {

/// What `body` writes to stderr while stderr is `file`.
template <typename Body> void withStderr(int file, const Body &body) {
  int before = dup(STDERR_FILENO);
  dup2(file, STDERR_FILENO);
  body();
  dup2(before, STDERR_FILENO);
  close(before);
}

void runAll(double afterSeconds) {
  std::atomic<int64_t> sum{0};
  hostParallel("check", "a lab",
               afterSeconds)(100, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      sum += i;
  });
  EXPECT_EQ(sum, 4950);
}

TEST(HostParallel, TellsATerminalHowFarItIs) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(master, 0);
  ASSERT_EQ(grantpt(master), 0);
  ASSERT_EQ(unlockpt(master), 0);
  int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
  if (terminal < 0)
    GTEST_SKIP() << "no pseudo terminal can be had here";
  withStderr(terminal, [] { runAll(0); });
  char text[4096] = {};
  ssize_t size = read(master, text, sizeof text - 1);
  ASSERT_GT(size, 0);
  EXPECT_NE(std::string(text).find("check ["), std::string::npos) << text;
  EXPECT_NE(std::string(text).find("/100 a lab"), std::string::npos) << text;
  close(terminal);
  close(master);
}

TEST(HostParallel, IsSilentElsewhereAndWhenShort) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  withStderr(ends[1], [] {
    runAll(0);    // no terminal
    runAll(1000); // short
  });
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), -1);
  close(ends[0]);
  close(ends[1]);
}

} // namespace
