// HostChip.cpp - this machine as a chip, from its probe.
#include "lib/Roofline/chips/Chip.h"

#include <algorithm>

using namespace labgen;

Chip labgen::hostChip(const MachineRoofs &measured, int64_t memoryBytes) {
  Chip chip;
  chip.name = "host";
  chip.target = "cpu:native";
  chip.unit = "core";
  std::string source = "probe of " + measured.chip + ", " + measured.date;
  auto cell = [&](double value) {
    return value > 0 ? ChipCell{value, source, Confidence::Measured}
                     : ChipCell();
  };
  int threads = 1;
  for (const Peak &peak : measured.peaks)
    threads = std::max(threads, peak.threads);
  chip.units = threads;
  chip.capacityGb = cell(double(memoryBytes) / 1e9);
  const Bandwidth *dram = nullptr;
  for (const Bandwidth &b : measured.bandwidths)
    if (b.mix == Mix::Read && b.threads == threads &&
        (!dram || b.footprintBytes > dram->footprintBytes))
      dram = &b;
  chip.bandwidthTbps = cell(dram ? dram->gbps / 1e3 : 0);
  chip.l2Mib = cell(double(measured.l2Bytes) / 1048576);
  chip.llcMib = cell(double(measured.llcBytes) / 1048576);
  for (const Peak &peak : measured.peaks)
    if (peak.threads == threads)
      chip.peaks.push_back(
          {peak.format, peak.isa == "amx",
           peak.accumulate.value_or(peak.format == Format::F64 ? Format::F64
                                    : isInteger(peak.format)   ? Format::I32
                                                               : Format::F32),
           peak.isa, peak.gflops / 1e3, 0, 0, source, Confidence::Measured});
  return chip;
}
