// ChildTest.cpp - whatever a child does, its parent gets an answer.
#include "runtime/matrix/Child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace labgen;

namespace {

Result<Json> answer(const std::function<Result<Json>()> &work,
                    double seconds = 60) {
  return runInChild("the work", seconds, work);
}

std::string errorOf(const std::function<Result<Json>()> &work,
                    double seconds = 60) {
  Result<Json> result = answer(work, seconds);
  return result ? "no error" : result.status().message();
}

TEST(Child, handsValuesOn) {
  // Larger than a pipe holds, with every kind of byte that needs escaping.
  std::string text(1 << 20, 'x');
  text += "\n\"\\\t";
  Result<Json> result = answer([&]() -> Result<Json> { return Json(text); });
  ASSERT_TRUE(result) << result.status().message();
  EXPECT_EQ(*result->asString(), text);
}

TEST(Child, handsErrorsOn) {
  Result<Json> bad = answer(
      []() -> Result<Json> { return Status::badInput("no good; do better"); });
  EXPECT_EQ(bad.status().message(), "no good; do better");
  EXPECT_EQ(bad.status().exitCode(), ExitCode::BadInput);
  Result<Json> missing = answer(
      []() -> Result<Json> { return Status::missing("not here; go there"); });
  EXPECT_EQ(missing.status().exitCode(), ExitCode::Missing);
}

TEST(Child, crashesAreErrors) {
  EXPECT_EQ(errorOf([]() -> Result<Json> { abort(); }),
            "the work crashed (signal 6: Aborted); report it with the spec");
  EXPECT_EQ(errorOf([]() -> Result<Json> {
              raise(SIGSEGV);
              return Json();
            }),
            "the work crashed (signal 11: Segmentation fault); report it with "
            "the spec");
  EXPECT_EQ(errorOf([]() -> Result<Json> { _exit(3); }),
            "the work crashed (exit code 3); report it with the spec");
  EXPECT_EQ(errorOf([]() -> Result<Json> { _exit(0); }),
            "the work crashed (no answer); report it with the spec");
}

TEST(Child, lastWordsAreKept) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(errorOf([]() -> Result<Json> {
              fprintf(stderr, "\nLLVM ERROR: cannot select\x01\nstack\n");
              abort();
            }),
            "the work crashed (signal 6: Aborted: LLVM ERROR: cannot select?); "
            "report it with the spec");
  // None of it reaches the user's terminal.
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Child, whatHangsIsStopped) {
  EXPECT_EQ(errorOf(
                []() -> Result<Json> {
                  while (true)
                    pause();
                },
                0.2),
            "the work did not end within 0.2 s; it was stopped");
}

/// A pipe whose reading end sees the end of whoever holds the other one.
struct Lifeline {
  int ends[2] = {-1, -1};
  Lifeline() { EXPECT_EQ(pipe(ends), 0); }
  ~Lifeline() { close(ends[0]); }
  /// Whether all that were forked with it are gone within ten seconds.
  bool goes() {
    close(ends[1]);
    pollfd file = {ends[0], POLLIN, 0};
    return poll(&file, 1, 10000) == 1 && (file.revents & POLLHUP);
  }
};

void forever() {
  while (true)
    pause();
}

/// Starts a process that never ends and is no child's child to anyone.
void leaveAProcess() {
  if (fork() == 0)
    forever();
}

TEST(Child, whatClosesItsDescriptorsAndSleepsIsStopped) {
  for (bool ignoring : {false, true})
    EXPECT_EQ(errorOf([&]() -> Result<Json> {
                for (int file = 0; file < 1024; ++file)
                  close(file);
                if (ignoring)
                  signal(SIGTERM, SIG_IGN);
                forever();
                return Json();
              }),
              "the work crashed (it closed its pipe and did not end); report "
              "it with the spec");
}

TEST(Child, whatAChildStartedEndsWithIt) {
  Lifeline answered, hung, crashed;
  EXPECT_TRUE(answer([]() -> Result<Json> {
    leaveAProcess();
    return Json(1);
  }));
  EXPECT_TRUE(answered.goes());
  errorOf(
      []() -> Result<Json> {
        leaveAProcess();
        forever();
        return Json();
      },
      0.2);
  EXPECT_TRUE(hung.goes());
  errorOf([]() -> Result<Json> {
    leaveAProcess();
    abort();
  });
  EXPECT_TRUE(crashed.goes());
}

TEST(Child, whatAChildStartedEndsWithAParentThatIsKilled) {
  Lifeline line;
  int started[2];
  ASSERT_EQ(pipe(started), 0);
  pid_t parent = fork();
  if (parent == 0) {
    (void)answer([&]() -> Result<Json> {
      leaveAProcess();
      EXPECT_EQ(write(started[1], "x", 1), 1);
      forever();
      return Json();
    });
    _exit(0);
  }
  char byte;
  ASSERT_EQ(read(started[0], &byte, 1), 1);
  kill(parent, SIGKILL);
  EXPECT_TRUE(line.goes());
  waitpid(parent, nullptr, 0);
  close(started[0]);
  close(started[1]);
}

TEST(Child, severalAtATime) {
  std::vector<Child> children;
  for (int i = 0; i < 3; ++i) {
    Result<Child> child = startAnswer([=]() -> Result<Json> {
      usleep(i == 1 ? 0 : 300000);
      return Json(i);
    });
    ASSERT_TRUE(child);
    children.push_back(std::move(*child));
  }
  std::vector<Child *> waiting;
  for (Child &child : children)
    waiting.push_back(&child);
  size_t first = waitForAny(waiting, 60);
  ASSERT_EQ(first, 1u);
  EXPECT_EQ(waitForAny({waiting[0], waiting[2]}, 0.01), 2u); // not yet
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(takeAnswer(children[size_t(i)], "it", 60)->asInt(), i);
}

TEST(Child, linesInOrderThenTheEnd) {
  Result<Child> child = Child::start([](const Child::Send &send) {
    send("one");
    send("");
    send("three");
  });
  ASSERT_TRUE(child);
  std::string line;
  for (const char *want : {"one", "", "three"}) {
    ASSERT_EQ(child->next(line, 60), Child::Event::Line);
    EXPECT_EQ(line, want);
  }
  EXPECT_EQ(child->next(line, 60), Child::Event::End);
  EXPECT_EQ(child->finish(), "");
}

} // namespace
