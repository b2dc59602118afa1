// Formats.cpp - the format table, asked of the device instead of a header.
//
// Ten values per format go through a cast kernel; what comes back is the
// largest, the smallest, the step at 1, and what becomes of ties at both ends.
#include "tools/labgen/labs/Lab.h"

#include "lib/Spec/Convert.h"

#include <cmath>

namespace labgen {

namespace {

/// Halfway from the largest value to the next there would be.
double overflowTie(const FormatInfo &f) {
  return f.max + std::ldexp(1.0, std::ilogb(f.max) - f.mantissaBits - 1);
}

/// The next value above `x` that a cast from `in` can be given.
double above(Format in, double x) {
  return in == Format::F64 ? std::nextafter(x, HUGE_VAL)
                           : double(std::nextafter(float(x), HUGE_VALF));
}

enum Probe {
  Largest,
  AtTie,
  BeyondTie,
  MinNormal,
  MinSubnormal,
  HalfMin,
  AboveHalfMin,
  NextToOne,
  HalfStep,
  AboveHalfStep
};

Values probesOf(Format in, const FormatInfo &f) {
  double tie = overflowTie(f), half = f.minSubnormal / 2;
  double step = std::ldexp(1.0, -f.mantissaBits);
  return {f.max,           tie,
          above(in, tie),  f.minNormal,
          f.minSubnormal,  half,
          above(in, half), 1 + step,
          1 + step / 2,    above(in, 1 + step / 2)};
}

/// Whether the ends and ties of the format are where its table says.
bool holds(const FormatInfo &f, const Values &y) {
  double step = std::ldexp(1.0, -f.mantissaBits);
  bool clamps = !f.hasInf && !f.hasNaN;
  return y[Largest] == f.max && y[MinNormal] == f.minNormal &&
         y[MinSubnormal] == f.minSubnormal && y[HalfMin] == 0 &&
         y[AboveHalfMin] == f.minSubnormal && y[NextToOne] == 1 + step &&
         y[HalfStep] == 1 && y[AboveHalfStep] == 1 + step &&
         (clamps ? y[BeyondTie] == f.max : !std::isfinite(y[BeyondTie]));
}

} // namespace

Result<LabReport> formatsLab(LabRunner &runner) {
  std::vector<Format> formats;
  std::vector<LabRun> runs;
  for (Format format : allFormats()) {
    // Nothing is wider than f64.
    if (!isFloat(format) || format == Format::F64)
      continue;
    Format in = format == Format::F32 ? Format::F64 : Format::F32;
    formats.push_back(format);
    runs.push_back({"cast:n=10,in=" + std::string(name(in)) +
                        ",out=" + std::string(name(format)),
                    {{"x", probesOf(in, info(format))}}});
  }
  Result<std::vector<LabResult>> results = runner.run(runs);
  if (!results)
    return results.status();
  LabReport report;
  LabTable table;
  table.columns = {{"format", Align::Left}, {"bits"},      {"largest"},
                   {"smallest normal"},     {"smallest"},  {"step at 1"},
                   {"overflow tie"},        {"tie gives"}, {"above gives"}};
  bool right = true;
  for (size_t i = 0; i < formats.size(); ++i) {
    const FormatInfo &f = info(formats[i]);
    const Values &y = (*results)[i].outputs.at("y");
    right &= holds(f, y);
    table.lines.push_back(
        {f.name, LabCell::count(f.bits), LabCell::number(y[Largest], 6),
         LabCell::number(y[MinNormal], 6), LabCell::number(y[MinSubnormal], 6),
         LabCell::number(y[NextToOne] - 1, 6),
         LabCell::number(overflowTie(f), 6), LabCell::number(y[AtTie], 6),
         LabCell::number(y[BeyondTie], 6)});
  }
  report.tables.push_back(std::move(table));
  report.notice = {
      "overflow happens after rounding: halfway to the next value that is "
      "not there, not at the largest one",
      "a tie goes to the even neighbour: beyond the end for f16, back to the "
      "largest for f8E4M3FN, whose largest code is even",
      "f4 and f6 have neither Inf nor NaN and clamp"};
  report.check("every largest, smallest and step comes back unchanged, half "
               "the smallest becomes 0, and half a step above 1 becomes 1",
               right);
  return report;
}

} // namespace labgen
