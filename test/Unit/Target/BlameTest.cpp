// Whom errors of upstream are blamed on.
#include "lib/Driver/Blame.h"

#include <gtest/gtest.h>

using namespace labgen;

TEST(Blame, ErrorsThatSayWhatToDoStay) {
  for (Given given : {Given::Spec, Given::Schedule, Given::File}) {
    Status why = blame("tile 48 is odd; nearest legal: 32", "pass p", given);
    EXPECT_EQ(why.message(), "tile 48 is odd; nearest legal: 32");
    EXPECT_EQ(why.exitCode(), ExitCode::BadInput);
  }
}

TEST(Blame, OthersGetTheirStepAndWhatToDo) {
  auto text = [](Given given) {
    return blame("no", "pass p", given).message();
  };
  EXPECT_EQ(text(Given::Spec), "pass p failed: no; this is a fault of labgen, "
                               "report it with the spec");
  EXPECT_EQ(text(Given::Schedule),
            "pass p failed: no; choose another schedule, and report this one "
            "with the spec");
  EXPECT_EQ(text(Given::File),
            "pass p failed: no; correct the file: it may hold what `labgen "
            "compile SPEC --stop-after STAGE` prints");
}

TEST(Blame, ErrorsWithoutText) {
  EXPECT_EQ(blame("", "pass p", Given::Spec).message(),
            "pass p failed: no reason given; this is a fault of labgen, report "
            "it with the spec");
}

// What a user would change is not there to be changed.
TEST(Blame, ScheduleThatLabgenChose) {
  std::string what = "'lab.exp' op schedule level 1 (block [8]) is odd; give 4";
  EXPECT_EQ(blame(what, "pass lab-tile", Given::Schedule).message(), what);
  EXPECT_EQ(
      blame(what, "pass lab-tile", Given::Spec).message(),
      "pass lab-tile failed: 'lab.exp' op schedule level 1 (block [8]) is "
      "odd; this is a fault of labgen, report it with the spec");
}
