// TableTest.cpp - what a person reads: columns, shares of the roof, summary.
#include "runtime/report/Report.h"
#include "runtime/report/TextTable.h"
#include "test/Unit/Report/Rows.h"

#include <gtest/gtest.h>

using namespace labgen;

TEST(TextTable, alignsAndDropsEmptyColumns) {
  TextTable table;
  table.addColumn("name");
  table.addColumn("nothing");
  table.addColumn("n", Align::Right);
  table.addLine({"a", "", "5"});
  table.addLine({"longer", "", "1234"});
  EXPECT_EQ(table.str(), "name       n\n"
                         "------  ----\n"
                         "a          5\n"
                         "longer  1234\n");
}

TEST(RoofShare, theRoofThatBinds) {
  Row row = quantizeRow();
  EXPECT_DOUBLE_EQ(*roofShare(row), 0.8);
  row.regime = "compute";
  EXPECT_DOUBLE_EQ(*roofShare(row), 0.62);
  row.roof->gflops.reset();
  EXPECT_DOUBLE_EQ(*roofShare(row), 0.8);
  row.roof.reset();
  EXPECT_FALSE(roofShare(row));
  row = quantizeRow();
  row.time.reset();
  EXPECT_FALSE(roofShare(row));
}

TEST(Table, showsARow) {
  std::string text =
      renderTable({{"cpu", "A CPU"}, {"cores", 2}}, {quantizeRow()});
  EXPECT_EQ(text.find("cpu: A CPU\ncores: 2\n\nquantize\n"), 0u) << text;
  for (const char *part :
       {"f32 -> i8", "32", "4x64", "absmax/127", "80.0", "80%", "avx2",
        "13.0 ns", "16.4 ns", "memory", "42.2", "1.23e-02", "1.57e-02", "ok"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  // FLOP/s of a quantizer is no figure anybody compares.
  EXPECT_EQ(text.find("GFLOP/s"), std::string::npos);
  EXPECT_NE(text.find("1 row: 1 ok; median of the ok rows 80% of the roof\n"),
            std::string::npos)
      << text;
}

/// The cell of a column in the only row of a table.
static std::string cell(const std::string &text, const std::string &title) {
  size_t titles = text.find("formats"), end = text.find('\n', titles);
  std::string head = text.substr(titles, end - titles);
  size_t line = text.find('\n', end + 1) + 1;             // below the rule
  size_t at = head.find("  " + title) + 2 + title.size(); // right-aligned
  size_t begin = text.rfind(' ', line + at - 1) + 1;
  return text.substr(begin, line + at - begin);
}

TEST(Table, quantizedRowsSayWhatTheyLost) {
  Row row = quantizeRow();
  row.spec = "quantize:m=4,k=64,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU,"
             "rule=rceil";
  row.counts = RowCounts{3, 1, 4, 15, 92};
  for (auto [bits, want] : {std::pair(4.25, "4.25"), std::pair(8.125, "8.125"),
                            std::pair(4.5, "4.5"), std::pair(9.0, "9")}) {
    row.cost->bitsPerWeight = bits;
    EXPECT_EQ(cell(renderTable({}, {row}), "bits/w"), want);
  }
  std::string text = renderTable({}, {row});
  for (const char *part : {"f32 -> f4E2M1FN", "f8E8M0FNU", "rceil"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(cell(text, "NaN"), "3");
  EXPECT_EQ(cell(text, "Inf"), "1");
  EXPECT_EQ(cell(text, "sat"), "4");
  EXPECT_EQ(cell(text, "flush"), "15");
  EXPECT_EQ(cell(text, "0 groups"), "92");
  // Nothing lost is said too.
  EXPECT_EQ(cell(renderTable({}, {quantizeRow()}), "flush"), "0");
  Row axpy = wrongRow();
  axpy.counts = RowCounts{};
  EXPECT_EQ(renderTable({}, {axpy}).find("flush"), std::string::npos);
}

TEST(Table, slightlyAboveTheRoofIsAtTheRoof) {
  Row row = quantizeRow();
  row.gbps = 109;
  EXPECT_NE(renderTable({}, {row}).find("at roof"), std::string::npos);
  row.gbps = 111;
  EXPECT_EQ(renderTable({}, {row}).find("at roof"), std::string::npos);
  EXPECT_NE(renderTable({}, {row}).find("111%"), std::string::npos);
}

TEST(Table, suspectRowsStayOutOfTheSummary) {
  Row suspect = quantizeRow();
  suspect.status = RowStatus::Suspect;
  suspect.gbps = 150;
  suspect.findings = {"faster than the roof"};
  std::string text = renderTable({}, {quantizeRow(), suspect});
  EXPECT_NE(text.find("2 rows: 1 ok, 1 suspect; median of the ok rows 80%"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("note: " + suspect.spec + ": faster than the roof"),
            std::string::npos);
}

TEST(Table, spreadRowsStayOutOfTheSummary) {
  Row spread = quantizeRow();
  spread.gbps = 20;
  spread.time->iqr = 0.2 * spread.time->median;
  spread.findings = {spreadFinding(*spread.time)};
  std::string text = renderTable({}, {quantizeRow(), spread});
  EXPECT_NE(text.find("2 rows: 2 ok; median of the ok rows 80%"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("note: " + spread.spec +
                      ": spread: half of the samples "
                      "lie 20% of their median apart"),
            std::string::npos)
      << text;
}

// Names in rows are other people's: none makes a line of its own.
TEST(Table, whatIsInARowStaysOnItsLine) {
  Row row = wrongRow();
  row.spec = "no spec\nok: forged";
  row.reason = "line one\nerror: forged\x1b[2J";
  row.findings = {"a\rb\u202e", std::string(3000, 'x')};
  std::string text = renderTable({{"chip", Json("c\nerror: forged")}}, {row});
  EXPECT_EQ(text.find("\nerror: forged"), std::string::npos) << text;
  EXPECT_EQ(text.find("\nok: forged"), std::string::npos) << text;
  for (char c : text)
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int(c);
  EXPECT_NE(text.find("line one\\nerror: forged\\x1b[2J"), std::string::npos);
  EXPECT_LT(text.size(), 2500u);
}

TEST(Table, saysWhyARowIsNotOk) {
  Row bad = wrongRow();
  bad.spec = "no spec at all";
  std::string text = renderTable({}, {wrongRow(), bad});
  EXPECT_NE(text.find("wrong: axpy:n=100,type=f32: y[3] is 2, want 3\n"),
            std::string::npos);
  EXPECT_NE(text.find("not a spec\n"), std::string::npos);
  EXPECT_NE(text.find("2.50 ms"), std::string::npos); // predicted all the same
  EXPECT_NE(text.find("2 rows: 2 wrong\n"), std::string::npos);
}
