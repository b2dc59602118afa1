// SpecTableTest.cpp - the rules of a spec against legal-specs.txt, which was
// written by hand from the contract.
#include "lib/Spec/KernelSpec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace labgen;

namespace {

struct Line {
  int number;
  std::string verdict, spec, why;
};

std::vector<Line> readTable() {
  std::vector<Line> lines;
  std::ifstream in(LABGEN_LEGAL_SPECS);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line[0] == '#')
      continue;
    Line row{number, {}, {}, {}};
    std::istringstream words(line);
    words >> row.verdict >> row.spec >> std::ws;
    std::getline(words, row.why);
    lines.push_back(row);
  }
  return lines;
}

TEST(SpecTable, SaysWhyOfEachLine) {
  std::vector<Line> table = readTable();
  EXPECT_GE(table.size(), 60u);
  for (const Line &line : table) {
    EXPECT_TRUE(line.verdict == "legal" || line.verdict == "illegal")
        << "line " << line.number << " begins with " << line.verdict;
    EXPECT_FALSE(line.why.empty()) << "line " << line.number << " gives none";
  }
}

TEST(SpecTable, IsWhatParsesAndValidates) {
  for (const Line &line : readTable()) {
    Result<KernelSpec> spec = KernelSpec::parse(line.spec);
    EXPECT_EQ(line.verdict == "legal", bool(spec))
        << "line " << line.number << ": " << line.spec << ": " << line.why
        << "\n  the code says: " << (spec ? "legal" : spec.status().message());
    if (!spec)
      continue;
    EXPECT_TRUE(validate(*spec)) << "line " << line.number;
    Result<KernelSpec> again = KernelSpec::parse(spec->str());
    ASSERT_TRUE(again) << "line " << line.number << ": " << spec->str();
    EXPECT_EQ(again->str(), spec->str()) << "line " << line.number;
  }
}

} // namespace
