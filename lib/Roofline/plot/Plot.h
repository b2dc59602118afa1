// Plot.h - a roofline as SVG.
//
// Log-log: FLOP per byte to the right, GFLOP/s upwards; a diagonal per memory
// level, a roof per dtype, a numbered mark per row with its line in the list
// below. Nothing is told by colour alone: lines differ in dashes and carry
// their names, marks differ in shape. The byte model is compulsory traffic, and
// the axis says so.
#ifndef LABGEN_ROOFLINE_PLOT_PLOT_H
#define LABGEN_ROOFLINE_PLOT_PLOT_H

#include "lib/Roofline/chips/Chip.h"

#include <string>
#include <vector>

namespace labgen {

struct PlotLine {
  std::string label; ///< "DRAM: 5300 GB/s", "bf16, f16: 989.4 TFLOP/s"
  double value;      ///< GB/s of a diagonal, GFLOP/s of a roof
};
struct PlotPoint {
  std::string label;
  double intensity;       ///< FLOP/B, above 0
  double gflops;          ///< above 0
  bool predicted = false; ///< hollow mark
};
struct Plot {
  std::string title, subtitle;
  std::vector<PlotLine> diagonals, roofs;
  std::vector<PlotPoint> points;
};

/// The datasheet roofs of a chip; equal ones share a line.
Plot chipPlot(const Chip &chip);
/// Measured roofs with all threads, a diagonal per memory level (read mix).
Plot measuredPlot(const MachineRoofs &roofs);

/// The picture. Points and roofs decide the ranges of the axes.
std::string svg(const Plot &plot);

} // namespace labgen

#endif // LABGEN_ROOFLINE_PLOT_PLOT_H
