// Lab.h - what a numerics lab is: kernels run, figures read off them, checks.
//
// A lab computes nothing of what it shows: every figure comes out of a lab
// kernel on the target and device asked for, so the same table on a CPU and on
// a GPU is itself a result.
#ifndef LABGEN_TOOLS_LABGEN_LABS_LAB_H
#define LABGEN_TOOLS_LABGEN_LABS_LAB_H

#include "runtime/report/TextTable.h"
#include "tools/labgen/labs/Runner.h"

namespace labgen {

/// A figure: as the table prints it, and as JSON has it.
struct LabCell {
  LabCell(std::string words) : text(words), value(std::move(words)) {}
  LabCell(const char *words) : LabCell(std::string(words)) {}
  LabCell(std::string_view words) : LabCell(std::string(words)) {}
  LabCell(std::string text, Json value)
      : text(std::move(text)), value(std::move(value)) {}
  /// With `digits` significant ones; all of them in JSON ("inf", "nan" as
  /// words, which JSON has no numbers for).
  static LabCell number(double value, int digits = 10);
  static LabCell count(int64_t value);
  /// What a kernel's bound and not its bits decide: JSON has it as printed too.
  static LabCell approximate(double value, int digits);

  std::string text;
  Json value;
};

struct LabColumn {
  std::string title;
  Align align = Align::Right;
};

struct LabTable {
  std::string title;
  std::vector<LabColumn> columns;
  std::vector<std::vector<LabCell>> lines;
};

struct LabReport {
  std::vector<LabTable> tables;
  std::vector<std::string> notice; ///< what the reader should see
  struct Check {
    std::string what;
    bool passed;
  };
  std::vector<Check> checks;

  void check(std::string what, bool passed) {
    checks.push_back({std::move(what), passed});
  }
  bool passed() const;
};

struct Lab {
  std::string_view name, title;
  /// A Status is what could not be run; what came out wrong is a failed check.
  Result<LabReport> (*make)(LabRunner &runner);
};
const std::vector<Lab> &allLabs();

Result<LabReport> formatsLab(LabRunner &runner);
Result<LabReport> expOverflowLab(LabRunner &runner);
Result<LabReport> vanishingUpdateLab(LabRunner &runner);
Result<LabReport> dotLab(LabRunner &runner);
Result<LabReport> sumOrdersLab(LabRunner &runner);
Result<LabReport> mixedPrecisionLab(LabRunner &runner);
Result<LabReport> groupSweepLab(LabRunner &runner);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_LABS_LAB_H
