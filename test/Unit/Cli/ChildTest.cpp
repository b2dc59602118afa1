// ChildTest.cpp - whatever a child does, its parent gets an answer.
#include "runtime/matrix/Child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
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
