// Cost.h - the only byte and FLOP model in labgen.
//
// Compulsory traffic in closed form: every operand byte once, nothing for
// caches or workspaces. The dialect's cost interface, the roofline prediction
// and every reported GB/s come from here.
#ifndef LABGEN_SPEC_COST_H
#define LABGEN_SPEC_COST_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

struct Cost {
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// A multiply-add is two; an add, multiply, divide, comparison, max,
  /// absolute value or rounding is one; an exp in f32 is 20 (see Cost.cpp).
  int64_t flops = 0;
  /// Bits per code with scales, zero points and global billed; empty where the
  /// lab has no codes.
  std::optional<double> bitsPerWeight;

  int64_t bytes() const { return bytesRead + bytesWritten; }
  /// FLOP per byte; 0 where no byte moves.
  double intensity() const {
    return bytes() ? double(flops) / double(bytes()) : 0;
  }
};

Cost cost(const KernelSpec &spec);

/// Whether all sizes, bytes and FLOPs of `spec` fit 64 bits; specs that came
/// out of KernelSpec::parse or validate do.
Status checkCounts(const KernelSpec &spec);

} // namespace labgen

#endif // LABGEN_SPEC_COST_H
