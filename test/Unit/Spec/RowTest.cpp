// RowTest.cpp - rows to JSON and back, and what a wrong row may not carry.
#include "lib/Spec/Row.h"
#include "lib/Spec/Schema.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

Row fullRow() {
  Row row;
  row.spec = "axpy:n=1000,type=f32";
  row.target = "cpu:native";
  row.device = "cpu";
  row.chip = "Some CPU";
  row.status = RowStatus::Ok;
  row.cost = cost(*KernelSpec::parse(row.spec));
  row.predictedSeconds = 1e-6;
  row.regime = "cache";
  EXPECT_TRUE(row.setTime({2e-6, 1e-7, 50, "deviation"}));
  row.cache = "warm";
  row.roof =
      RowRoof{50.0, std::nullopt, "measured", "avx512_bf16", 12.5, "avx2"};
  row.error = RowError{1e-7, 2e-8, 3e-8, 140.5, std::nullopt};
  row.bound = 2e-7;
  row.checked = "all";
  row.counts = RowCounts{1, 2, 3, 4, 5};
  row.findings = {"memcheck: nothing"};
  row.counters = {{"sectors", 12.0}};
  row.schedule = "block=4096";
  row.threads = 2;
  row.seed = 7;
  row.version = "0.1.0";
  return row;
}

// The contract's keys, in its order.
const char *const keys[] = {
    "spec",        "target",     "device",        "chip",     "status",
    "reason",      "bytes_read", "bytes_written", "flops",    "bits_per_weight",
    "predicted_s", "regime",     "time_s",        "cache",    "gbps",
    "gflops",      "roof",       "error",         "bound",    "checked",
    "counts",      "findings",   "counters",      "schedule", "threads",
    "seed",        "dist",       "version"};

TEST(Row, HasExactlyTheContractsKeys) {
  for (const Row &row : {Row(), fullRow()}) {
    Json json = row.toJson();
    ASSERT_TRUE(json.asObject());
    ASSERT_EQ(json.asObject()->size(), std::size(keys));
    for (size_t i = 0; i < std::size(keys); ++i)
      EXPECT_EQ((*json.asObject())[i].first, keys[i]);
    Status status = checkSchema(json, rowSchema());
    EXPECT_TRUE(status) << status.message();
    EXPECT_EQ(json.dump().find('\n'), std::string::npos);
  }
}

TEST(Row, ReadsBackTheSame) {
  for (const Row &row : {Row(), fullRow()}) {
    std::string text = row.toJson().dump();
    Result<Json> json = Json::parse(text);
    ASSERT_TRUE(json);
    Result<Row> back = Row::fromJson(*json);
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_EQ(back->toJson().dump(), text);
  }
}

TEST(Row, SubobjectsHaveTheContractsKeys) {
  Json json = fullRow().toJson();
  EXPECT_EQ(json.find("time_s")->dump(),
            R"({"median": 2e-06, "iqr": 1e-07, "n": 50, "stop": "deviation"})");
  EXPECT_EQ(json.find("roof")->dump(),
            R"({"gbps": 50.0, "gflops": null, "isa": "avx512_bf16", )"
            R"("code_gflops": 12.5, "code_isa": "avx2", )"
            R"("source": "measured"})");
  EXPECT_EQ(json.find("error")->dump(),
            R"({"max_abs": 1e-07, "rms": 2e-08, "rel_fro": 3e-08, )"
            R"("sqnr_db": 140.5, "max_code": null})");
  EXPECT_EQ(json.find("counts")->dump(),
            R"({"nan": 1, "inf": 2, "sat": 3, "flush": 4, "zero_groups": 5})");
}

TEST(Row, RatesComeFromCostAndMedian) {
  Row row = fullRow();
  EXPECT_DOUBLE_EQ(*row.gbps, 12004 / 2e-6 / 1e9);
  EXPECT_DOUBLE_EQ(*row.gflops, 2000 / 2e-6 / 1e9);
}

TEST(Row, OnlyARightRowCarriesATime) {
  for (RowStatus status : {RowStatus::Ok, RowStatus::Suspect, RowStatus::Wrong,
                           RowStatus::Skipped, RowStatus::Error}) {
    bool right = status == RowStatus::Ok || status == RowStatus::Suspect;
    Row row = fullRow(); // timed first, judged later
    row.status = status;
    Json json = row.toJson();
    for (const char *key : {"time_s", "gbps", "gflops"})
      EXPECT_EQ(json.find(key)->isNull(), !right) << key << name(status);
    EXPECT_FALSE(json.find("predicted_s")->isNull());
    Row fresh;
    fresh.status = status;
    EXPECT_EQ(fresh.setTime({1, 0, 1, "time"}), right);
    EXPECT_EQ(fresh.time.has_value(), right);
  }
  Json forged = fullRow().toJson();
  std::string text = forged.dump();
  size_t at = text.find("\"ok\"");
  ASSERT_NE(at, text.npos);
  text.replace(at, 4, "\"wrong\"");
  EXPECT_FALSE(Row::fromJson(*Json::parse(text)));
}

TEST(Row, WhatIsNotFiniteIsNull) {
  Row row = fullRow();
  row.error->sqnrDb = INFINITY;
  row.bound = NAN;
  row.counters["x"] = INFINITY;
  Json json = row.toJson();
  EXPECT_TRUE(json.find("bound")->isNull());
  EXPECT_TRUE(json.find("error")->find("sqnr_db")->isNull());
  EXPECT_TRUE(json.find("counters")->find("x")->isNull());
  EXPECT_TRUE(Row::fromJson(json));
}

/// Whatever reads rows divides by these and takes their logarithm.
TEST(Row, AmountsThatCannotBeAreRefused) {
  Row row = fullRow();
  row.roof->gflops = 60;
  row.cost->bitsPerWeight = 4.5;
  std::string good = row.toJson().dump();
  auto with = [&](const std::string &key, const std::string &value) {
    std::string text = good;
    size_t at = text.find("\"" + key + "\": ") + key.size() + 4;
    EXPECT_LT(at, text.size()) << key;
    text.replace(at, text.find_first_of(",}", at) - at, value);
    Result<Json> json = Json::parse(text);
    return json ? Row::fromJson(*json).status() : json.status();
  };
  for (const char *key : {"bytes_read", "bytes_written", "flops",
                          "bits_per_weight", "predicted_s", "median", "iqr",
                          "n", "gbps", "gflops", "code_gflops", "threads"}) {
    EXPECT_TRUE(with(key, "0")) << key;
    for (const char *value : {"-1", "1e999", "-1e999", "\"1\"", "NaN"}) {
      Status status = with(key, value);
      EXPECT_FALSE(status) << key << " " << value;
      EXPECT_EQ(status.message().find('\n'), std::string::npos);
    }
  }
  EXPECT_NE(with("gflops", "-1")
                .message()
                .find("key 'gflops' is not a finite number from 0 on; "),
            std::string::npos);
}

TEST(Row, MalformedRowsAreNamed) {
  std::string good = fullRow().toJson().dump();
  auto broken = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
    Result<Row> row = Row::fromJson(*Json::parse(text));
    EXPECT_FALSE(row) << to;
    return row ? "" : row.status().message();
  };
  EXPECT_NE(broken("\"ok\"", "\"fine\"").find("'fine'"), std::string::npos);
  EXPECT_NE(broken("\"target\"", "\"tarket\"").find("'target' is missing"),
            std::string::npos);
  broken("\"threads\": 2", "\"threads\": 2.5");
  broken("\"seed\": 7", "\"seed\": null");
  broken("\"flops\": 2000", "\"flops\": null");
  broken("\"findings\": [", "\"findings\": [1, ");
  broken("\"median\": 2e-06, ", "");
  broken("\"chip\": \"Some CPU\"", "\"chip\": 3");
  EXPECT_FALSE(Row::fromJson(Json()));
  EXPECT_FALSE(Row::fromJson(Json(Json::Array{})));
}

TEST(Row, Statuses) {
  for (RowStatus status : {RowStatus::Ok, RowStatus::Wrong, RowStatus::Suspect,
                           RowStatus::Skipped, RowStatus::Error})
    EXPECT_EQ(parseWord<RowStatus>(name(status)), status);
  EXPECT_EQ(parseWord<RowStatus>("OK"), std::nullopt);
}

TEST(Row, ExitCodes) {
  auto code = [](std::vector<RowStatus> statuses) {
    std::vector<Row> rows;
    for (RowStatus status : statuses) {
      rows.emplace_back();
      rows.back().status = status;
    }
    return exitCode(rows);
  };
  EXPECT_EQ(code({}), ExitCode::Ok);
  EXPECT_EQ(code({RowStatus::Ok, RowStatus::Suspect, RowStatus::Skipped}),
            ExitCode::Ok);
  EXPECT_EQ(code({RowStatus::Ok, RowStatus::Wrong}), ExitCode::BadInput);
  EXPECT_EQ(code({RowStatus::Error, RowStatus::Ok}), ExitCode::BadInput);
}

} // namespace
