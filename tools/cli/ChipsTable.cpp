// ChipsTable.cpp - one line per chip, or every cell of one.
#include "tools/cli/ChipsTable.h"

#include "runtime/report/TextTable.h"

#include <cstdio>

namespace labgen {

namespace {

std::string number(double value, const char *format = "%.6g") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
std::string orNa(const std::optional<double> &value) {
  return value ? number(*value) : "n/a";
}

/// The formats a table of chips has columns for; f8 in either kind.
struct Column {
  const char *title;
  std::vector<Format> formats;
  bool matrix;             ///< matrix units count too
  bool matrixOnly = false; ///< and only those
};
const std::vector<Column> &columns() {
  static const std::vector<Column> all = {
      {"f64", {Format::F64}, false},
      {"f64 matrix", {Format::F64}, true, true},
      {"f32", {Format::F32}, false},
      {"f32 matrix", {Format::F32}, true, true},
      {"tf32", {Format::TF32}, true},
      {"bf16", {Format::BF16}, true},
      {"f16", {Format::F16}, true},
      {"fp8", {Format::F8E4M3FN, Format::F8E4M3FNUZ}, true},
      {"int8", {Format::I8}, true},
      {"fp6", {Format::F6E2M3FN}, true},
      {"fp4", {Format::F4E2M1FN}, true},
      {"int4", {Format::I4}, true}};
  return all;
}

const ChipPeak *peakOf(const Chip &chip, const Column &column) {
  for (Format format : column.formats)
    if (const ChipPeak *peak = chip.peak(format, column.matrix))
      if (peak->matrix || !column.matrixOnly)
        return peak;
  return nullptr;
}

struct Cell {
  const char *title, *key, *unit;
  const ChipCell &cell;
};
std::vector<Cell> cells(const Chip &chip) {
  return {{"memory", "memory_gb", "GB (10^9 B)", chip.capacityGb},
          {"memory, by the driver", "driver_gb", "GB (10^9 B)", chip.driverGb},
          {"memory bandwidth", "bandwidth_tbps", "TB/s (10^12 B/s)",
           chip.bandwidthTbps},
          {"L2, all of it", "l2_mib", "MiB", chip.l2Mib},
          {"last level behind L2", "llc_mib", "MiB", chip.llcMib}};
}

std::string kind(const ChipPeak &peak) {
  return std::string(name(peak.format)) + (peak.matrix ? " matrix" : " vector");
}

} // namespace

std::string chipsText(const std::vector<Chip> &chips) {
  TextTable table;
  table.addColumn("chip");
  table.addColumn("target");
  for (const char *title : {"units", "GB", "TB/s"})
    table.addColumn(title, Align::Right);
  for (const Column &column : columns())
    table.addColumn(column.title, Align::Right);
  table.addColumn("ridge bf16", Align::Right);
  for (const Chip &chip : chips) {
    std::vector<std::string> line = {
        chip.name, chip.target, std::to_string(chip.units) + " " + chip.unit,
        orNa(chip.capacityGb.value), orNa(chip.bandwidthTbps.value)};
    for (const Column &column : columns()) {
      const ChipPeak *peak = peakOf(chip, column);
      line.push_back(
          peak ? number(peak->tera) +
                     (peak->confidence == Confidence::Unconfirmed ? "?" : "")
               : "n/a");
    }
    std::optional<double> ridge = chip.ridge(Format::BF16);
    line.push_back(ridge ? number(*ridge, "%.2f") : "n/a");
    table.addLine(line);
  }
  return "dense peaks in TFLOP/s (TOP/s for integers) with f32 (f64, i32) "
         "accumulation;\nridge in FLOP/B; ? is unconfirmed, n/a is not known "
         "or does not exist\n\n" +
         table.str();
}

std::string chipText(const Chip &chip) {
  std::string text =
      chip.name + ": " + std::to_string(chip.units) + " " + chip.unit +
      (chip.target.empty() ? "" : ", target " + chip.target) + "\n\n";
  TextTable facts;
  facts.addColumn("figure");
  facts.addColumn("value", Align::Right);
  for (const char *title : {"unit", "confidence", "source"})
    facts.addColumn(title);
  for (const Cell &cell : cells(chip))
    facts.addLine(
        {cell.title, orNa(cell.cell.value), cell.unit,
         cell.cell.value ? std::string(name(cell.cell.confidence)) : "n/a",
         cell.cell.value ? cell.cell.source : "n/a"});
  std::optional<double> ridge = chip.ridge(Format::BF16);
  facts.addLine({"ridge, bf16", ridge ? number(*ridge, "%.2f") : "n/a",
                 "FLOP/B", "derived", "peak / bandwidth"});
  TextTable peaks;
  peaks.addColumn("peak");
  peaks.addColumn("value", Align::Right);
  for (const char *title : {"unit", "sparsity", "accumulates in", "isa",
                            "units x per clock x GHz", "confidence", "source"})
    peaks.addColumn(title);
  for (const ChipPeak &peak : chip.peaks) {
    std::string check = "n/a";
    if (peak.perClock > 0)
      check =
          std::to_string(chip.units) + " x " + number(peak.perClock) + " x " +
          number(peak.ghz) + " = " +
          number(double(chip.units) * peak.perClock * peak.ghz / 1e3, "%.5g");
    peaks.addLine({kind(peak), number(peak.tera),
                   isInteger(peak.format) ? "TOP/s" : "TFLOP/s", "dense",
                   std::string(name(peak.accumulate)), peak.isa, check,
                   std::string(name(peak.confidence)), peak.source});
  }
  std::string none;
  for (const Column &column : columns())
    if (!peakOf(chip, column))
      none += (none.empty() ? "" : ", ") + std::string(column.title);
  text += facts.str() + "\n" + peaks.str();
  if (!none.empty())
    text += "n/a: " + none + "\n";
  return text;
}

Json chipJson(const Chip &chip) {
  Json::Object out = {{"name", chip.name},
                      {"target", chip.target},
                      {"units", chip.units},
                      {"unit_name", chip.unit}};
  for (const Cell &cell : cells(chip))
    out.emplace_back(
        cell.key,
        !cell.cell.value
            ? Json()
            : Json(Json::Object{{"value", *cell.cell.value},
                                {"source", cell.cell.source},
                                {"confidence", name(cell.cell.confidence)}}));
  Json::Array peaks;
  for (const ChipPeak &peak : chip.peaks)
    peaks.push_back(Json::Object{
        {"format", name(peak.format)},
        {"unit", peak.matrix ? "matrix" : "vector"},
        {"accumulate", name(peak.accumulate)},
        {"isa", peak.isa},
        {"tera_per_s", peak.tera},
        {"sparse", false},
        {"per_clock", peak.perClock > 0 ? Json(peak.perClock) : Json()},
        {"ghz", peak.ghz > 0 ? Json(peak.ghz) : Json()},
        {"source", peak.source},
        {"confidence", name(peak.confidence)}});
  out.emplace_back("peaks", std::move(peaks));
  out.emplace_back("ridge_bf16", Json::maybe(chip.ridge(Format::BF16)));
  return out;
}

} // namespace labgen
