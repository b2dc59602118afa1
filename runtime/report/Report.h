// Report.h - rows as people and programs read them.
//
// The same rows three ways: a text table grouped by op, CSV with one column per
// value, and JSON whose context block (date, CPU, caches, versions) comes
// first, as Google Benchmark's does. Suspect rows and rows whose samples are
// spread are shown and stay out of the summary.
#ifndef LABGEN_RUNTIME_REPORT_REPORT_H
#define LABGEN_RUNTIME_REPORT_REPORT_H

#include "lib/Spec/Row.h"

#include <utility>

namespace labgen {

/// Where and when rows were made, in the order it is printed.
using ReportContext = std::vector<std::pair<std::string, Json>>;

std::string renderTable(const ReportContext &context,
                        const std::vector<Row> &rows);
std::string renderCsv(const std::vector<Row> &rows);
std::string renderJson(const ReportContext &context,
                       const std::vector<Row> &rows);

/// Writes report.txt, report.csv and report.json into `folder`.
Status writeReport(const std::string &folder, const ReportContext &context,
                   const std::vector<Row> &rows);

/// Share of the roof that binds a row, 1.0 = at the roof: FLOP/s where the
/// regime is compute, bytes/s elsewhere. Nothing without a time or a roof.
std::optional<double> roofShare(const Row &row);

} // namespace labgen

#endif // LABGEN_RUNTIME_REPORT_REPORT_H
