// ProgressTest.cpp - the bar fits its line and ends full.
#include "runtime/report/Progress.h"

#include <gtest/gtest.h>

using namespace labgen;

TEST(Progress, line) {
  EXPECT_EQ(Progress::line("measure", 10, 40, "axpy", 79),
            "measure [#####...............] 10/40 axpy");
  EXPECT_EQ(Progress::line("measure", 40, 40, "", 79),
            "measure [####################] 40/40 ");
  EXPECT_EQ(Progress::line("m", 0, 0, "x", 79),
            "m [####################] 0/0 x");
}

TEST(Progress, neverWiderThanTheTerminal) {
  EXPECT_EQ(Progress::line("measure", 10, 40, std::string(200, 'x'), 60).size(),
            60u);
}

TEST(Progress, silentWithoutTerminal) {
  // Under a test runner stderr is no terminal.
  testing::internal::CaptureStderr();
  Progress progress("measure");
  progress.show(1, 2, "axpy");
  progress.clear();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}
