// LabCommand.cpp - labgen lab: the list of labs, and how they are shown.
#include "tools/labgen/Commands.h"

#include "lib/Support/Text.h"
#include "runtime/matrix/Interrupt.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/driver/CompileChild.h"
#include "tools/labgen/labs/Lab.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace labgen {

const std::vector<Lab> &allLabs() {
  static const std::vector<Lab> labs = {
      {"formats", "what the number formats can hold", formatsLab},
      {"exp-overflow", "where exp() leaves a format", expOverflowLab},
      {"vanishing-update", "steps too small for the weight they change",
       vanishingUpdateLab},
      {"dot", "one dot product, stored in four formats, added in three",
       dotLab},
      {"sum-orders", "one sum, many orders", sumOrdersLab},
      {"mixed-precision", "GEMM and axpy by input, accumulator and output",
       mixedPrecisionLab},
      {"group-sweep", "int8 weights with outliers, in ever smaller groups",
       groupSweepLab},
  };
  return labs;
}

LabCell LabCell::number(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.*g", digits, value);
  if (std::isfinite(value))
    return {text, Json(value)};
  return std::isnan(value) ? LabCell("nan") : LabCell(text);
}

LabCell LabCell::approximate(double value, int digits) {
  LabCell cell = number(value, digits);
  cell.value = Json(std::strtod(cell.text.c_str(), nullptr));
  return cell;
}

LabCell LabCell::count(int64_t value) {
  return {std::to_string(value), Json(value)};
}

bool LabReport::passed() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const Check &check) { return check.passed; });
}

namespace {

std::string textOf(const LabTable &table) {
  TextTable text;
  for (const LabColumn &column : table.columns)
    text.addColumn(column.title, column.align);
  for (const std::vector<LabCell> &line : table.lines) {
    std::vector<std::string> cells;
    for (const LabCell &cell : line)
      cells.push_back(cell.text);
    text.addLine(std::move(cells));
  }
  return (table.title.empty() ? "" : table.title + "\n\n") + text.str() + "\n";
}

Json jsonOf(const LabTable &table) {
  Json::Array lines;
  for (const std::vector<LabCell> &line : table.lines) {
    Json::Object cells;
    for (size_t i = 0; i < line.size(); ++i)
      cells.emplace_back(table.columns[i].title, line[i].value);
    lines.push_back(std::move(cells));
  }
  return Json::Object{{"title", table.title}, {"lines", std::move(lines)}};
}

void printText(const Lab &lab, const LabRunner &runner,
               const LabReport &report) {
  std::string text = "== " + std::string(lab.name) + ": " +
                     std::string(lab.title) + " (" + runner.target() + " on " +
                     runner.device() + ")\n\n";
  for (const LabTable &table : report.tables)
    text += textOf(table);
  for (const std::string &words : report.notice)
    text += "Notice: " + words + "\n";
  for (const LabReport::Check &check : report.checks)
    text += (check.passed ? "Passed: " : "FAILED: ") + check.what + "\n";
  print(text + "\n");
}

void printJson(const Lab &lab, const LabRunner &runner,
               const LabReport &report) {
  Json::Array tables, notice, checks;
  for (const LabTable &table : report.tables)
    tables.push_back(jsonOf(table));
  for (const std::string &words : report.notice)
    notice.push_back(words);
  for (const LabReport::Check &check : report.checks)
    checks.push_back(
        Json::Object{{"what", check.what}, {"passed", check.passed}});
  print(Json(Json::Object{{"lab", lab.name},
                          {"target", runner.target()},
                          {"device", runner.device()},
                          {"passed", report.passed()},
                          {"tables", std::move(tables)},
                          {"notice", std::move(notice)},
                          {"checks", std::move(checks)}})
            .dump() +
        "\n");
}

} // namespace

Result<ExitCode> labCommand(const Arguments &arguments) {
  const std::string &wanted = arguments.positional[0];
  std::vector<const Lab *> chosen;
  std::vector<std::string_view> names = {"all"};
  for (const Lab &lab : allLabs()) {
    names.push_back(lab.name);
    if (wanted == "all" || wanted == lab.name)
      chosen.push_back(&lab);
  }
  if (chosen.empty())
    return Status::badInput("unknown lab " + quoted(wanted) +
                            "; did you mean " + quoted(nearest(wanted, names)) +
                            "? (" + orList(names) + ")");
  watchInterrupts();
  Result<LabRunner> runner = LabRunner::make(arguments);
  if (!runner)
    return runner.status();
  prepareCompiler();
  bool passed = true;
  for (const Lab *lab : chosen) {
    int64_t before = runner->count();
    Result<LabReport> report = lab->make(*runner);
    if (!report)
      return report.status();
    report->check("all " + std::to_string(runner->count() - before) +
                      " kernels agree with their oracles",
                  true);
    passed &= report->passed();
    if (arguments.has("--json"))
      printJson(*lab, *runner, *report);
    else
      printText(*lab, *runner, *report);
    std::fflush(stdout);
  }
  return passed ? ExitCode::Ok : ExitCode::BadInput;
}

} // namespace labgen
