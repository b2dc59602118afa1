// Bench.cpp - measuring, progress, report files, and what the user sees.
#include "runtime/matrix/Bench.h"

#include "lib/Support/ReadFile.h"
#include "runtime/matrix/Context.h"
#include "runtime/matrix/Interrupt.h"
#include "runtime/report/Progress.h"
#include "runtime/report/Report.h"
#include "runtime/report/RowLog.h"
#include "runtime/report/Say.h"

#include <cstdio>

namespace labgen {

static void show(const ReportContext &context, const std::vector<Row> &rows,
                 bool json) {
  std::string text;
  if (json)
    for (const Row &row : rows)
      text += row.toJson().dump() + "\n";
  else
    text = renderTable(context, rows);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

Result<ExitCode> measureAndReport(const Manifest &manifest,
                                  const BenchRequest &request) {
  MeasureOptions options = request.measure;
  Progress progress("measure");
  options.progress = [&](size_t done, size_t total, const std::string &spec) {
    progress.show(done, total, spec);
  };
  Result<Measured> measured =
      interrupted() ? Measured{{}, true}
                    : measureFolder(request.folder, manifest.kernels, options);
  progress.clear();
  if (!measured)
    return measured.status();
  if (measured->wasInterrupted) {
    sayNote("interrupted; this goes on from here: " + request.resume);
    return ExitCode::Interrupted;
  }
  ReportContext context = hostContext(manifest);
  if (Status status = writeReport(request.folder, context, measured->rows);
      !status)
    return status;
  show(context, measured->rows, request.json);
  return exitCode(measured->rows);
}

/// The context the report of `folder` was made in; where there is no report
/// yet, what the manifest says.
static ReportContext savedContext(const std::string &folder,
                                  const Manifest &manifest) {
  Result<std::string> text = readFile(folder + "/report.json");
  Result<Json> report = text ? Json::parse(*text) : text.status();
  const Json *context = report ? report->find("context") : nullptr;
  if (context && context->asObject())
    return *context->asObject();
  return {{"matrix", manifest.matrix}};
}

Result<ExitCode> reportFolder(const std::string &folder, bool json) {
  Result<Manifest> manifest = Manifest::read(folder);
  if (!manifest)
    return manifest.status();
  Result<std::vector<Row>> log = readRows(folder + "/rows.jsonl");
  if (!log)
    return log.status();
  std::vector<Row> rows = latestRows(*log);
  ReportContext context = savedContext(folder, *manifest);
  if (Status status = writeReport(folder, context, rows); !status)
    return status;
  show(context, rows, json);
  return exitCode(rows);
}

} // namespace labgen
