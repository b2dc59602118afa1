// ChipRoofs.cpp - between chips and the roofs that predictions are made from.
#include "lib/Roofline/chips/Chip.h"

#include <algorithm>

using namespace labgen;

namespace {

constexpr double gemmEfficiency = 0.78, memoryEfficiency = 0.92;
constexpr double launchSeconds = 2e-6;

constexpr Mix everyMix[] = {Mix::Read,      Mix::Copy,      Mix::Triad,
                            Mix::FourToOne, Mix::OneToFour, Mix::Update};

MachineRoofs roofsOf(const Chip &chip, double peakShare, double memoryShare) {
  MachineRoofs roofs;
  roofs.chip = chip.name;
  roofs.source = "datasheet";
  roofs.l2Bytes = int64_t(chip.l2Mib.value.value_or(0) * 1048576);
  // The last level there is.
  roofs.llcBytes = int64_t(
      chip.llcMib.value.value_or(chip.l2Mib.value.value_or(0)) * 1048576);
  int units = int(chip.units);
  if (chip.bandwidthTbps.value)
    for (Mix mix : everyMix)
      roofs.bandwidths.push_back(
          {mix, std::max<int64_t>(roofs.llcBytes, 1), units,
           *chip.bandwidthTbps.value * 1e3 * memoryShare, false, "dram"});
  for (const ChipPeak &peak : chip.peaks)
    roofs.peaks.push_back({peak.format, peak.isa, units,
                           peak.tera * 1e3 * peakShare, peak.accumulate,
                           peak.matrix});
  return roofs;
}

} // namespace

MachineRoofs labgen::datasheetRoofs(const Chip &chip) {
  return roofsOf(chip, 1, 1);
}

MachineRoofs labgen::achievableRoofs(const Chip &chip) {
  MachineRoofs roofs = roofsOf(chip, gemmEfficiency, memoryEfficiency);
  roofs.source = "derived";
  roofs.launchSeconds = launchSeconds;
  return roofs;
}

std::optional<RowRoof>
labgen::datasheetRoof(const KernelSpec &spec, const Chip &chip,
                      const std::vector<std::string> &isa) {
  MachineRoofs roofs = datasheetRoofs(chip);
  int units = int(chip.units);
  std::optional<Prediction> best = predict(spec, cost(spec), roofs, units);
  if (!best)
    return std::nullopt;
  RowRoof row{best->gbps, best->gflops, "datasheet", best->isa, {}, ""};
  if (isa.empty()) // no code
    return row;
  bool usesMatrixUnit = isa.size() > 1;
  if (!usesMatrixUnit)
    roofs.peaks.erase(
        std::remove_if(roofs.peaks.begin(), roofs.peaks.end(),
                       [](const Peak &p) { return p.matrixUnit; }),
        roofs.peaks.end());
  if (std::optional<Peak> code = fastestPeak(spec, roofs, units)) {
    row.codeGflops = code->gflops;
    row.codeIsa = code->matrixUnit ? isa.back() : isa.front();
  }
  return row;
}

ChipPrediction labgen::predictOn(const KernelSpec &spec, const Chip &chip) {
  Cost c = cost(spec);
  int units = int(chip.units);
  return {predict(spec, c, datasheetRoofs(chip), units),
          predict(spec, c, achievableRoofs(chip), units)};
}
