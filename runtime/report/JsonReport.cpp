// JsonReport.cpp - the context block first, then the rows; and the three files.
#include "runtime/report/Report.h"

#include "lib/Support/AtomicFile.h"

namespace labgen {

std::string renderJson(const ReportContext &context,
                       const std::vector<Row> &rows) {
  Json::Object about(context.begin(), context.end());
  Json::Array list;
  for (const Row &row : rows)
    list.push_back(row.toJson());
  return Json(Json::Object{{"context", std::move(about)},
                           {"rows", std::move(list)}})
             .dump(2) +
         "\n";
}

Status writeReport(const std::string &folder, const ReportContext &context,
                   const std::vector<Row> &rows) {
  const std::pair<const char *, std::string> files[] = {
      {"report.txt", renderTable(context, rows)},
      {"report.csv", renderCsv(rows)},
      {"report.json", renderJson(context, rows)}};
  for (const auto &[name, text] : files)
    if (Status status = writeFile(folder + "/" + name, text); !status)
      return status;
  return Status::ok();
}

} // namespace labgen
