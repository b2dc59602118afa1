// Row.cpp - a row to JSON and back, by the contract's keys in their order.
#include "lib/Spec/Row.h"
#include "lib/Support/JsonReader.h"
#include "lib/Support/Text.h"

#include <cmath>

namespace labgen {

bool isSpread(const TimeStats &stats) {
  return stats.iqr > 0.15 * stats.median;
}

std::string spreadFinding(const TimeStats &stats) {
  return "spread: half of the samples lie " +
         std::to_string(std::lround(100 * stats.iqr / stats.median)) +
         "% of their median apart, in the second measurement as well; quiet "
         "the machine and measure again";
}

bool Row::countsInSummary() const {
  return status == RowStatus::Ok && !(time && isSpread(*time));
}

bool Row::mayCarryTime() const {
  return status == RowStatus::Ok || status == RowStatus::Suspect;
}

bool Row::setTime(const TimeStats &stats) {
  if (!mayCarryTime())
    return false;
  time = stats;
  gbps.reset();
  gflops.reset();
  if (cost && stats.median > 0) {
    gbps = double(cost->bytes()) / stats.median / 1e9;
    gflops = double(cost->flops) / stats.median / 1e9;
  }
  return true;
}

Json Row::toJson() const {
  bool timed = time && mayCarryTime();
  Json timeJson, roofJson, errorJson, countsJson;
  if (timed)
    timeJson = Json::Object{{"median", numberOrNull(time->median)},
                            {"iqr", numberOrNull(time->iqr)},
                            {"n", time->n},
                            {"stop", textOrNull(time->stop)}};
  if (roof)
    roofJson = Json::Object{{"gbps", numberOrNull(roof->gbps)},
                            {"gflops", numberOrNull(roof->gflops)},
                            {"isa", textOrNull(roof->isa)},
                            {"code_gflops", numberOrNull(roof->codeGflops)},
                            {"code_isa", textOrNull(roof->codeIsa)},
                            {"source", textOrNull(roof->source)}};
  if (error)
    errorJson = Json::Object{{"max_abs", numberOrNull(error->maxAbs)},
                             {"rms", numberOrNull(error->rms)},
                             {"rel_fro", numberOrNull(error->relFro)},
                             {"sqnr_db", numberOrNull(error->sqnrDb)},
                             {"max_code", Json::maybe(error->maxCode)}};
  if (counts)
    countsJson = Json::Object{{"nan", counts->nan},
                              {"inf", counts->inf},
                              {"sat", counts->sat},
                              {"flush", counts->flush},
                              {"zero_groups", counts->zeroGroups}};
  Json::Array findingsJson(findings.begin(), findings.end());
  Json::Object countersJson;
  for (const auto &counter : counters)
    countersJson.emplace_back(counter.first, numberOrNull(counter.second));

  return Json::Object{
      {"spec", textOrNull(spec)},
      {"target", textOrNull(target)},
      {"device", textOrNull(device)},
      {"chip", textOrNull(chip)},
      {"status", name(status)},
      {"reason", textOrNull(reason)},
      {"bytes_read", cost ? Json(cost->bytesRead) : Json()},
      {"bytes_written", cost ? Json(cost->bytesWritten) : Json()},
      {"flops", cost ? Json(cost->flops) : Json()},
      {"bits_per_weight", cost ? numberOrNull(cost->bitsPerWeight) : Json()},
      {"predicted_s", numberOrNull(predictedSeconds)},
      {"regime", textOrNull(regime)},
      {"time_s", timeJson},
      {"cache", textOrNull(cache)},
      {"gbps", timed ? numberOrNull(gbps) : Json()},
      {"gflops", timed ? numberOrNull(gflops) : Json()},
      {"roof", roofJson},
      {"error", errorJson},
      {"bound", numberOrNull(bound)},
      {"checked", textOrNull(checked)},
      {"counts", countsJson},
      {"findings", std::move(findingsJson)},
      {"counters", std::move(countersJson)},
      {"schedule", textOrNull(schedule)},
      {"threads", Json::maybe(threads)},
      {"seed", seed},
      {"dist", textOrNull(dist)},
      {"version", textOrNull(version)}};
}

static void readCost(const JsonReader &in, Row &row) {
  std::optional<int64_t> read, written, flops;
  std::optional<double> bits;
  in.read("bytes_read", read);
  in.read("bytes_written", written);
  in.read("flops", flops);
  in.read("bits_per_weight", bits);
  if (!read && !written && !flops)
    return;
  if (!read || !written || !flops)
    return in.failKey("flops", "and the bytes are not null together");
  row.cost = Cost();
  row.cost->bytesRead = *read;
  row.cost->bytesWritten = *written;
  row.cost->flops = *flops;
  row.cost->bitsPerWeight = bits;
}

static void readTime(const JsonReader &in, Row &row, Status &status) {
  const Json *json = in.maybe("time_s");
  if (!json)
    return;
  if (!row.mayCarryTime())
    return in.failKey("time_s", "is a time in a row that is not ok");
  JsonReader time(*json, "time_s", status);
  std::optional<double> median, iqr;
  row.time = TimeStats();
  time.read("median", median);
  time.read("iqr", iqr);
  time.read("n", row.time->n);
  time.read("stop", row.time->stop);
  row.time->median = median.value_or(0);
  row.time->iqr = iqr.value_or(0);
}

static void readParts(const JsonReader &in, Row &row, Status &status) {
  if (const Json *json = in.maybe("roof")) {
    JsonReader roof(*json, "roof", status);
    row.roof = RowRoof();
    roof.read("gbps", row.roof->gbps);
    roof.read("gflops", row.roof->gflops);
    roof.read("source", row.roof->source);
    roof.read("isa", row.roof->isa);
    roof.read("code_gflops", row.roof->codeGflops);
    roof.read("code_isa", row.roof->codeIsa);
  }
  if (const Json *json = in.maybe("error")) {
    JsonReader error(*json, "error", status);
    row.error = RowError();
    error.read("max_abs", row.error->maxAbs);
    error.read("rms", row.error->rms);
    error.read("rel_fro", row.error->relFro);
    error.read("sqnr_db", row.error->sqnrDb);
    error.read("max_code", row.error->maxCode);
  }
  if (const Json *json = in.maybe("counts")) {
    JsonReader counts(*json, "counts", status);
    row.counts = RowCounts();
    counts.read("nan", row.counts->nan);
    counts.read("inf", row.counts->inf);
    counts.read("sat", row.counts->sat);
    counts.read("flush", row.counts->flush);
    counts.read("zero_groups", row.counts->zeroGroups);
  }
  for (const Json::Member &counter : in.object("counters"))
    if (std::optional<double> number = counter.second.asDouble())
      row.counters[counter.first] = *number;
    else if (!counter.second.isNull())
      in.failKey("counters", "holds something that is no number");
}

/// Nothing is computed from a quantity that cannot be: a rate below zero has no
/// logarithm, and an infinite one no axis.
static void checkAmounts(const JsonReader &in, const Row &row) {
  auto check = [&](const char *key, std::optional<double> amount) {
    if (amount && !(*amount >= 0 && std::isfinite(*amount)))
      in.failKey(key, "is not a finite number from 0 on");
  };
  if (row.cost) {
    check("bytes_read", double(row.cost->bytesRead));
    check("bytes_written", double(row.cost->bytesWritten));
    check("flops", double(row.cost->flops));
    check("bits_per_weight", row.cost->bitsPerWeight);
  }
  check("predicted_s", row.predictedSeconds);
  if (row.time) {
    check("time_s", row.time->median);
    check("time_s", row.time->iqr);
    check("time_s", double(row.time->n));
  }
  check("gbps", row.gbps);
  check("gflops", row.gflops);
  if (row.roof)
    for (const std::optional<double> &roof :
         {row.roof->gbps, row.roof->gflops, row.roof->codeGflops})
      check("roof", roof);
  if (row.threads)
    check("threads", double(*row.threads));
}

Result<Row> Row::fromJson(const Json &json) {
  Status status;
  JsonReader in(json, "row", status);
  Row row;
  in.read("spec", row.spec);
  in.read("target", row.target);
  in.read("device", row.device);
  in.read("chip", row.chip);
  std::string statusText;
  in.read("status", statusText);
  if (std::optional<RowStatus> parsed = parseWord<RowStatus>(statusText))
    row.status = *parsed;
  else
    in.failKey("status", "is " + quoted(statusText) + ", not " +
                             orList(wordsOf<RowStatus>()));
  in.read("reason", row.reason);
  readCost(in, row);
  in.read("predicted_s", row.predictedSeconds);
  in.read("regime", row.regime);
  readTime(in, row, status);
  in.read("cache", row.cache);
  in.read("gbps", row.gbps);
  in.read("gflops", row.gflops);
  in.read("bound", row.bound);
  in.read("checked", row.checked);
  readParts(in, row, status);
  in.read("findings", row.findings);
  in.read("schedule", row.schedule);
  in.read("threads", row.threads);
  int64_t seed = 0;
  in.read("seed", seed);
  row.seed = uint64_t(seed);
  in.read("dist", row.dist);
  in.read("version", row.version);
  checkAmounts(in, row);
  if (!status)
    return status;
  return row;
}

ExitCode exitCode(const std::vector<Row> &rows) {
  for (const Row &row : rows)
    if (row.status == RowStatus::Wrong || row.status == RowStatus::Error)
      return ExitCode::BadInput;
  return ExitCode::Ok;
}

} // namespace labgen
