// ChannelTest.cpp - texts of a kernel's process are bounded and no more than
// claims.
#include "runtime/isolate/Channel.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

TEST(Channel, TextsAreCutAndCleaned) {
  char field[8];
  writeText(field, sizeof field, "a long text");
  EXPECT_EQ(readText(field, sizeof field), "a long ");
  writeText(field, sizeof field, "a\nb\x1b[c");
  EXPECT_EQ(readText(field, sizeof field), "a?b?[c");
  std::fill(field, field + sizeof field, 'x'); // no end
  EXPECT_EQ(readText(field, sizeof field), "xxxxxxxx");
}

TEST(Channel, ReportsComeBack) {
  RunReport report{{"a \"finding\"\n", "another"},
                   {{"bytes", 12.0}, {"n", 0.5}}};
  Result<RunReport> back = unpackReport(packReport(report, 1000));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->findings, report.findings);
  EXPECT_EQ(back->counters, report.counters);
}

TEST(Channel, FindingsThatDoNotFitAreCounted) {
  RunReport report{std::vector<std::string>(1000, std::string(100, 'x')), {}};
  std::string text = packReport(report, 5000);
  EXPECT_LT(text.size(), 5000u);
  Result<RunReport> back = unpackReport(text);
  ASSERT_TRUE(back);
  size_t kept = back->findings.size() - 1;
  EXPECT_GT(kept, 10u);
  EXPECT_EQ(back->findings.back(),
            std::to_string(1000 - kept) + " more findings");
}

TEST(Channel, WhatIsNoReportIsRefused) {
  for (const char *text : {"", "x", "[]", "{}", "{\"findings\": []}",
                           "{\"findings\": [1], \"counters\": {}}",
                           "{\"findings\": [], \"counters\": {\"a\": \"b\"}}"})
    EXPECT_FALSE(unpackReport(text)) << text;
}

} // namespace
