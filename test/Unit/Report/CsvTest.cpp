// CsvTest.cpp - CSV and JSON carry every value of a row and nothing made up.
#include "runtime/report/Report.h"
#include "test/Unit/Report/Rows.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

std::vector<std::string> fields(const std::string &line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted; // doubled quotes toggle twice
    if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

std::string line(const std::string &text, int number) {
  size_t begin = 0;
  while (number-- > 0)
    begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string value(const std::string &csv, int row, const std::string &column) {
  std::vector<std::string> titles = fields(line(csv, 0));
  std::vector<std::string> cells = fields(line(csv, row));
  EXPECT_EQ(titles.size(), cells.size());
  for (size_t i = 0; i < titles.size(); ++i)
    if (titles[i] == column)
      return cells[i];
  return "no column " + column;
}

TEST(Csv, valuesByColumn) {
  std::string csv = renderCsv({quantizeRow(), wrongRow()});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_EQ(value(csv, 1, "bytes_read"), "1024");
  EXPECT_EQ(value(csv, 1, "roof_gflops"), "50.0");
  EXPECT_EQ(value(csv, 1, "roof_isa"), "avx512_bf16");
  EXPECT_EQ(value(csv, 1, "roof_code_gflops"), "25.0");
  EXPECT_EQ(value(csv, 1, "roof_code_isa"), "avx2");
  EXPECT_EQ(value(csv, 1, "error_max_code"), "0");
  EXPECT_EQ(std::stod(value(csv, 1, "time_s_median")), 16.4e-9);
  EXPECT_EQ(value(csv, 1, "status"), "ok");
  // What isn't known is empty, never zero.
  EXPECT_EQ(value(csv, 2, "time_s_median"), "");
  EXPECT_EQ(value(csv, 2, "gbps"), "");
  EXPECT_EQ(value(csv, 2, "status"), "wrong");
}

TEST(Csv, quotesWhatNeedsIt) {
  std::string csv = renderCsv({quantizeRow()});
  EXPECT_EQ(value(csv, 1, "spec"), "\"" + quantizeRow().spec + "\"");
  EXPECT_EQ(value(csv, 1, "chip"), "\"A CPU, of \"\"this\"\" machine\"");
}

TEST(Csv, partsOfTheSpec) {
  Row asymmetric = quantizeRow();
  asymmetric.spec = "quantize:m=4,k=64,in=f32,out=u4,group=32,scale=f16,"
                    "zero=u4";
  std::string csv = renderCsv({quantizeRow(), asymmetric, wrongRow()});
  EXPECT_EQ(value(csv, 1, "op"), "quantize");
  EXPECT_EQ(value(csv, 1, "formats"), "f32 -> i8");
  EXPECT_EQ(value(csv, 1, "group"), "32");
  EXPECT_EQ(value(csv, 1, "scale"), "f32");
  EXPECT_EQ(value(csv, 1, "rule"), "absmax/127");
  EXPECT_EQ(value(csv, 1, "zero"), "");
  EXPECT_EQ(value(csv, 2, "rule"), "range/15");
  EXPECT_EQ(value(csv, 2, "zero"), "u4");
  EXPECT_EQ(value(csv, 3, "rule"), "");
}

TEST(Csv, everyKeyOfARowHasItsColumn) {
  std::string titles = line(renderCsv({}), 0);
  Json json = quantizeRow().toJson();
  for (const auto &[key, member] : *json.asObject()) {
    const Json::Object *inner = member.asObject();
    if (!inner || key == "counters") {
      EXPECT_NE(("," + titles + ",").find("," + key + ","), std::string::npos)
          << key;
      continue;
    }
    for (const auto &[name, unused] : *inner)
      EXPECT_NE(("," + titles + ",").find("," + key + "_" + name + ","),
                std::string::npos)
          << key << "." << name;
  }
}

TEST(JsonReport, contextFirstThenRows) {
  std::string text =
      renderJson({{"date", "today"}, {"cores", 2}}, {quantizeRow()});
  Result<Json> json = Json::parse(text);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->asObject()->front().first, "context");
  EXPECT_EQ(*json->find("context")->find("date")->asString(), "today");
  Result<Row> row = Row::fromJson(json->find("rows")->asArray()->front());
  ASSERT_TRUE(row) << row.status().message();
  EXPECT_EQ(row->toJson().dump(), quantizeRow().toJson().dump());
}

} // namespace
