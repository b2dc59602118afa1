// Peaks.h - the loops that measure arithmetic peaks.
//
// Register-only loops of the instruction each ISA does its multiply-adds with.
// What bounds a kernel is the rate of that instruction on this chip, not
// whether the chip has it: vdpbf16ps runs at two a cycle on one CPU and at half
// a one on another.
#ifndef LABGEN_RUNTIME_MEASURE_PEAKS_H
#define LABGEN_RUNTIME_MEASURE_PEAKS_H

#include "lib/Spec/Format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace labgen {

struct PeakLoop {
  Format format;   ///< f64, f32, f16, bf16, i8
  const char *isa; ///< as in Peak::isa
  /// Features the loop needs beyond x86-64, comma separated, LLVM's names.
  const char *needs;
  /// Where sums are narrower than a lab of the format needs.
  std::optional<Format> accumulate;
  int64_t flopsPerIteration; ///< a multiply-add is two
  void (*run)(int64_t iterations);
};

/// Every loop this build has, whether or not the machine can run it.
const std::vector<PeakLoop> &peakLoops();

/// Whether `features` (of a CPU, or of a compiled kernel) include all of
/// `needs`.
bool hasAll(const std::vector<std::string> &features, const char *needs);

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_PEAKS_H
