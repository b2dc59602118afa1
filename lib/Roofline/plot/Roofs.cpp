// Roofs.cpp - the lines of a plot, from a chip or from a probe.
#include "lib/Roofline/plot/Plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

using namespace labgen;

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string rate(double gflops, bool integers) {
  std::string unit = integers ? "OP/s" : "FLOP/s";
  return gflops < 1000 ? number(gflops) + " G" + unit
                       : number(gflops / 1000) + " T" + unit;
}

/// Peaks of one height share a roof; its label lists them.
class RoofList {
public:
  void add(double gflops, const std::string &label, bool integers) {
    for (Entry &entry : entries)
      if (std::abs(entry.gflops / gflops - 1) < 0.002) {
        if (std::find(entry.labels.begin(), entry.labels.end(), label) ==
            entry.labels.end())
          entry.labels.push_back(label);
        entry.integers &= integers;
        return;
      }
    entries.push_back({gflops, {label}, integers});
  }
  std::vector<PlotLine> lines() const {
    std::vector<PlotLine> out;
    for (const Entry &entry : entries) {
      std::string text;
      for (const std::string &label : entry.labels)
        text += (text.empty() ? "" : ", ") + label;
      out.push_back(
          {text + ": " + rate(entry.gflops, entry.integers), entry.gflops});
    }
    return out;
  }

private:
  struct Entry {
    double gflops;
    std::vector<std::string> labels;
    bool integers;
  };
  std::vector<Entry> entries;
};

} // namespace

Plot labgen::chipPlot(const Chip &chip) {
  Plot plot;
  plot.title = chip.name;
  plot.subtitle = "datasheet, dense; vector and matrix units";
  if (chip.bandwidthTbps.value) {
    double gbps = *chip.bandwidthTbps.value * 1e3;
    plot.diagonals.push_back({"memory: " + number(gbps) + " GB/s", gbps});
  }
  RoofList roofs;
  for (const ChipPeak &peak : chip.peaks) {
    std::string label(name(peak.format));
    bool usual = chip.peak(peak.format) == &peak ||
                 chip.peak(peak.format, false) == &peak;
    if (!usual)
      label += " (" + std::string(name(peak.accumulate)) + " sums)";
    roofs.add(peak.tera * 1e3, label + (peak.matrix ? "" : " vector"),
              isInteger(peak.format));
  }
  plot.roofs = roofs.lines();
  return plot;
}

Plot labgen::measuredPlot(const MachineRoofs &measured) {
  Plot plot;
  plot.title = measured.chip;
  int threads = 1;
  for (const Bandwidth &b : measured.bandwidths)
    threads = std::max(threads, b.threads);
  plot.subtitle = "measured " + measured.date + ", " + std::to_string(threads) +
                  (threads == 1 ? " thread" : " threads");
  struct Level {
    const char *name;
    double bytes; ///< an array of half this size lies in the level
  };
  int64_t all = measured.llcBytes;
  for (const Level &level : {Level{"L1", double(measured.l1Bytes) * threads},
                             Level{"L2", double(measured.l2Bytes) * threads},
                             Level{"last-level cache", double(all)},
                             Level{"DRAM", 16.0 * double(all)}}) {
    std::optional<Bandwidth> b =
        level.bytes > 0 ? bandwidthAt(measured, Mix::Read,
                                      int64_t(level.bytes / 2), threads)
                        : std::nullopt;
    if (b)
      plot.diagonals.push_back(
          {std::string(level.name) + ": " + number(b->gbps) + " GB/s",
           b->gbps});
  }
  RoofList roofs;
  std::map<Format, const Peak *> fastest;
  for (const Peak &peak : measured.peaks) {
    const Peak *&best = fastest[peak.format];
    if (peak.threads == threads && (!best || peak.gflops > best->gflops))
      best = &peak;
  }
  for (const auto &[format, peak] : fastest)
    if (peak)
      roofs.add(peak->gflops, std::string(name(format)) + " " + peak->isa,
                isInteger(format));
  plot.roofs = roofs.lines();
  return plot;
}
