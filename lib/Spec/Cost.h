// Cost.h - the only byte and FLOP model in labgen.
//
// Compulsory traffic in closed form: every operand byte once, nothing for
// caches or workspaces. The dialect's cost interface, the roofline prediction
// and every reported GB/s come from here.
#ifndef LABGEN_SPEC_COST_H
#define LABGEN_SPEC_COST_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// A non-negative count that remembers whether it left 64 bits.
struct CheckedCount {
  int64_t value = 0;
  bool overflows = false;

  CheckedCount(int64_t value) : value(value) {}
  friend CheckedCount operator*(CheckedCount a, int64_t b) {
    CheckedCount out(0);
    out.overflows = __builtin_mul_overflow(a.value, b, &out.value);
    // Zero times what does not fit is zero: the lab is empty.
    out.overflows |= a.overflows && b != 0;
    return out;
  }
  friend CheckedCount operator+(CheckedCount a, CheckedCount b) {
    CheckedCount out(0);
    out.overflows = __builtin_add_overflow(a.value, b.value, &out.value) ||
                    a.overflows || b.overflows;
    return out;
  }
};

/// exp in f32: x log2(e) and its rounding (2), a two-step reduction (2 fused
/// multiply-adds: 4), a polynomial of degree 6 (6 fused: 12), 2^n put into the
/// exponent (1), the last multiply (1).
constexpr int64_t expFlops = 20;

struct Cost {
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// A multiply-add is two; an add, multiply, divide, comparison, max,
  /// absolute value or rounding is one; an exp in f32 is expFlops.
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
