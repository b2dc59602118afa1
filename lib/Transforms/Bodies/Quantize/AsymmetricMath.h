// AsymmetricMath.h - the arithmetic of a quantizer with zero points: integer
// codes from a group's extremes, 0 among them.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_ASYMMETRICMATH_H
#define LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_ASYMMETRICMATH_H

#include "lib/Transforms/Bodies/Quantize/QuantizeMath.h"

namespace labgen {

class AsymmetricMath final : public QuantizeMath {
public:
  using QuantizeMath::QuantizeMath;

  /// Stats: least and largest value (0 included), and a sum that is NaN once a
  /// NaN or Inf was met.
  llvm::SmallVector<mlir::Type, 3> statTypes() override;
  Stats gather(const Stats &stats, mlir::Value x) override;
  Stats combine(const Stats &a, const Stats &b) override;
  Stats combineLanes(Stats stats) override;
  Scales fromStats(const Stats &stats) override;
  Scales fromPlainStats(const Stats &stats) override;
  mlir::Value plain(const Stats &stats) override;
  mlir::Value integerCodes(mlir::Value x, const Scales &scales,
                           mlir::Value random) override;

private:
  mlir::Value least(mlir::Value x, mlir::Value y);
  mlir::Value largest(mlir::Value x, mlir::Value y);
  /// (max - min) / steps; Inf where the difference overflows.
  mlir::Value scaleOf(const Stats &stats);
  /// The same of the halves of both ends and of steps, which never overflows.
  mlir::Value scaleOfHalves(const Stats &stats);
  /// clamp(rne(qmin - low / s)), in f32.
  mlir::Value zeroPoint(mlir::Value low, mlir::Value s);
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_ASYMMETRICMATH_H
