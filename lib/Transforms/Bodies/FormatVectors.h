// FormatVectors.h - vectors between any number format and f32, exactly.
//
// One source for every small format, parametric in its exponent and mantissa
// bits: integer arithmetic on the bits of f32, one rounding, subnormals read
// and produced. Upstream's expansions cover few formats and round some of them
// wrongly; the hardware's flush subnormals or saturate as they please.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_FORMATVECTORS_H
#define LABGEN_LIB_TRANSFORMS_BODIES_FORMATVECTORS_H

#include "lib/Spec/Format.h"
#include "lib/Transforms/Bodies/BodyBuilder.h"

namespace labgen {

/// How a value between two codes is rounded and what becomes of one beyond the
/// largest.
struct CastRules {
  lab::Rounding round = lab::Rounding::Even;
  bool saturate = false; ///< finite overflow and Inf give the largest value
  bool nanIsMax = false; ///< NaN gives the largest value (formats without NaN)
};

class FormatVectors {
public:
  FormatVectors(BodyBuilder &e, Format format)
      : e(e), format(format), row(info(format)) {}

  /// f32 of raw bits (f32 and f16 as themselves, everything else as integers of
  /// its storage, codes zero extended in i8). Exact.
  mlir::Value toFloat(mlir::Value raw);
  /// Raw bits from f32: one rounding, then overflow.
  mlir::Value fromFloat(mlir::Value x, CastRules rules);
  /// The same before it is cut to its storage: codes of float formats of 16
  /// bits and less, as i32.
  mlir::Value codeOf(mlir::Value x, CastRules rules, mlir::Value sign = {});
  /// f32 that rounds to the same code of this format as an f64 does: rounded
  /// to odd, so that what was dropped still counts. Not for f32 itself.
  mlir::Value oddFloat(mlir::Value x, CastRules rules);
  /// f32 of f64 by the rules (this format is f32).
  mlir::Value floatFromDouble(mlir::Value x, CastRules rules);

private:
  int64_t lanes(mlir::Value v) {
    return llvm::cast<mlir::VectorType>(v.getType()).getDimSize(0);
  }
  mlir::Value bitsOf(mlir::Value x);
  mlir::Value floatOf(mlir::Value bits);
  mlir::Value splat(mlir::Value like, uint32_t bits) {
    return e.intSplat(lanes(like), bits, 32);
  }
  mlir::Value select(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                     mlir::Value b, mlir::Value then, mlir::Value otherwise);
  /// Bits of the f32 at or next to x towards zero; `nearest` is the rounded x.
  mlir::Value bitsTowardsZero(mlir::Value x, mlir::Value nearest);
  mlir::Value toStorage(mlir::Value code);
  mlir::Value wideFloat(mlir::Value x, CastRules rules);
  mlir::Value integerCode(mlir::Value x, CastRules rules);
  mlir::Value scaleCode(mlir::Value x, CastRules rules);
  mlir::Value magnitudeCode(mlir::Value magnitude, CastRules rules);
  mlir::Value nearestEvenCode(mlir::Value magnitude);
  mlir::Value anyRoundingCode(mlir::Value magnitude, CastRules rules);

  BodyBuilder &e;
  Format format;
  const FormatInfo &row;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_FORMATVECTORS_H
