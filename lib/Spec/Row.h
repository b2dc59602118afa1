// Row.h - one result record: what was run, was it right, how fast, how fast it
// could have been.
//
// What isn't known, finite or measured is empty here and null in JSON. A row
// that is not ok or suspect never carries a time (setTime refuses).
// docs/schema/row.schema.json describes the JSON for others.
#ifndef LABGEN_SPEC_ROW_H
#define LABGEN_SPEC_ROW_H

#include "lib/Spec/Cost.h"
#include "lib/Support/Json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace labgen {

// clang-format off
#define LABGEN_ROW_STATUSES(X, E)                                              \
  X(E, Ok, "ok")                                                               \
  X(E, Wrong, "wrong")                                                         \
  X(E, Suspect, "suspect")                                                     \
  X(E, Skipped, "skipped")                                                     \
  X(E, Error, "error")
// clang-format on
LABGEN_ENUM(RowStatus, LABGEN_ROW_STATUSES);

struct TimeStats {
  double median = 0, iqr = 0; ///< seconds
  int64_t n = 0;              ///< samples
  std::string stop;           ///< which rule ended it: "deviation", "time", ...
};

/// Whether the samples' interquartile range is above 15% of their median: too
/// far apart for the median to say much.
bool isSpread(const TimeStats &stats);
/// What a row with such a time says.
std::string spreadFinding(const TimeStats &stats);

/// `gflops` and `isa` are of the fastest unit that can do the lab, `codeGflops`
/// and `codeIsa` of the instructions in the code (lower where the code does
/// not use that unit). Shares are of the first; what beats the second is
/// suspect. Names: simt, valu, mma, wgmma, tcgen05, mfma, wmma, avx2, avx512,
/// avx512_bf16, avx512_vnni, amx, and sse2, avx_vnni, avx512_fp16 where a CPU
/// has no better.
struct RowRoof {
  std::optional<double> gbps, gflops;
  std::string source; ///< datasheet | measured | derived
  std::string isa;
  std::optional<double> codeGflops;
  std::string codeIsa;
};

struct RowError {
  std::optional<double> maxAbs, rms, relFro, sqnrDb;
  std::optional<int64_t> maxCode; ///< distance from the oracle's codes
};

struct RowCounts {
  int64_t nan = 0, inf = 0, sat = 0, flush = 0, zeroGroups = 0;
};

struct Row {
  std::string spec; ///< canonical; the given text where it does not parse
  std::string target, device, chip;
  RowStatus status = RowStatus::Error;
  std::string reason; ///< empty when ok
  std::optional<Cost> cost;
  std::optional<double> predictedSeconds;
  std::string regime; ///< memory | compute | launch | cache
  std::optional<TimeStats> time;
  std::string cache;                  ///< cold | warm | llc
  std::optional<double> gbps, gflops; ///< achieved, from cost and time.median
  std::optional<RowRoof> roof;
  std::optional<RowError> error;
  std::optional<double> bound;
  std::string checked; ///< all | rows+freivalds
  std::optional<RowCounts> counts;
  std::vector<std::string> findings;
  std::map<std::string, double> counters;
  std::string schedule;
  std::optional<int64_t> threads;
  uint64_t seed = 1;
  std::string dist = "normal";
  std::string version;

  /// Only an ok or suspect row.
  bool mayCarryTime() const;
  /// Whether its time belongs in a summary: the row is ok and its samples are
  /// not spread.
  bool countsInSummary() const;
  /// Sets time, gbps and gflops (from cost); false, changing nothing, in a row
  /// that may not carry a time.
  bool setTime(const TimeStats &stats);

  /// docs/schema/row.schema.json; leaves time, gbps and gflops null in a row
  /// that may not carry them.
  Json toJson() const;
  /// Bad input where a member is missing or of another type, and where a time,
  /// a rate, a roof or a count is negative or not finite.
  static Result<Row> fromJson(const Json &json);
};

/// The exit code of a run from its rows: 1 when any is wrong or error, else ok.
ExitCode exitCode(const std::vector<Row> &rows);

} // namespace labgen

#endif // LABGEN_SPEC_ROW_H
