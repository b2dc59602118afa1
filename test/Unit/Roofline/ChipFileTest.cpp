// ChipFileTest.cpp - chips that users add, and what is refused of them.
#include "lib/Roofline/chips/Chip.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

const std::string good =
    R"({"name": "Lab One", "aliases": ["L1X"], "units": 100,
 "memory_gb": 64, "bandwidth_tbps": 2.5, "source": "our measurement",
 "peaks": [{"format": "bf16", "unit": "matrix", "accumulate": "f32",
 "tera_per_s": 204.8, "sparse": false, "per_clock": 1024, "ghz": 2.0}]})";

std::string with(const std::string &from, const std::string &to) {
  std::string text = good;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
std::string refusal(const std::string &text) {
  ChipTable table;
  Status status = table.addJson(text, "c.json");
  EXPECT_FALSE(status) << text;
  EXPECT_EQ(status.exitCode(), ExitCode::BadInput);
  EXPECT_EQ(status.message().find('\n'), std::string::npos);
  return status.message();
}

TEST(ChipFile, AddsAChip) {
  ChipTable table;
  ASSERT_TRUE(table.addJson(good, "c.json"));
  Result<Chip> chip = table.find("l1x");
  ASSERT_TRUE(chip);
  EXPECT_EQ(chip->name, "Lab One");
  EXPECT_DOUBLE_EQ(*chip->ridge(Format::BF16), 81.92);
  EXPECT_EQ(chip->peaks[0].confidence, Confidence::User);
  EXPECT_EQ(chip->peaks[0].source, "our measurement");
  EXPECT_FALSE(chip->l2Mib.value);
}

TEST(ChipFile, AddsAList) {
  ChipTable table;
  std::string second = good;
  second.replace(second.find("Lab One"), 7, "Lab Two");
  second.replace(second.find("L1X"), 3, "L2X");
  ASSERT_TRUE(table.addJson("[" + good + "," + second + "]", "c.json"));
  EXPECT_TRUE(table.find("Lab Two"));
}

TEST(ChipFile, SparsePeaksAreRefused) {
  EXPECT_EQ(refusal(with("false", "true")),
            "c.json: peaks[0]: a sparse peak is no roof of a dense kernel; "
            "give the dense figure (half of it with 2:4 sparsity)");
  EXPECT_EQ(refusal(with("\"sparse\": false, ", "")),
            "c.json: peaks[0]: sparse is not said; give \"sparse\": false and "
            "the dense figure");
  // Sparse in all but name: twice what the units do.
  EXPECT_EQ(refusal(with("204.8", "409.6")),
            "c.json: peaks[0]: tera_per_s is 409.6 but units x per_clock x ghz "
            "gives 204.8; give the dense figure, not the sparse one");
  EXPECT_EQ(refusal(with("204.8", "210")),
            "c.json: peaks[0]: tera_per_s is 210 but units x per_clock x ghz "
            "gives 204.8; correct one of them");
}

TEST(ChipFile, NamesWhatIsWrong) {
  EXPECT_EQ(refusal(with("\"units\": 100", "\"units\": 0")),
            "c.json: units is no positive number; give a whole number above 0");
  EXPECT_EQ(refusal(with("\"units\": 100", "\"units\": 1.5")),
            "c.json: units is no positive number; give a whole number above 0");
  EXPECT_EQ(refusal(with("2.5", "2500")),
            "c.json: bandwidth_tbps is 2500; give TB/s, not GB/s");
  EXPECT_EQ(refusal(with("\"memory_gb\"", "\"memory_gib\"")),
            "c.json: has an unknown key 'memory_gib'; did you mean "
            "'memory_gb'?");
  EXPECT_EQ(refusal(with("bf16", "bf61")),
            "c.json: peaks[0]: format 'bf61' is no format; see labgen formats");
  EXPECT_EQ(refusal(with("Lab One", "mi300x")),
            "c.json: chip name 'mi300x' is taken by the chip 'MI300X'; choose "
            "another name");
  EXPECT_EQ(refusal(with("\"source\": \"our measurement\",", "")),
            "c.json: source is missing; give \"source\": \"...\"");
  EXPECT_EQ(refusal("[1]"),
            "c.json: is no object; write {\"name\": ..., \"peaks\": [...]}");
  EXPECT_EQ(refusal("{").substr(0, 8), "c.json: ");
  EXPECT_EQ(refusal(with("matrix", "tensor")),
            "c.json: peaks[0]: unit is 'tensor'; give \"matrix\" or "
            "\"vector\"");
}

} // namespace
