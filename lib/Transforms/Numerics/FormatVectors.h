// FormatVectors.h - vectors between any number format and f32 or f64, exactly.
//
// One source for every small format, parametric in its exponent and mantissa
// bits: one rounding, subnormals read and produced. Upstream's expansions cover
// few formats and round some of them wrongly; the hardware's flush subnormals
// or saturate as they please.
#ifndef LABGEN_LIB_TRANSFORMS_NUMERICS_FORMATVECTORS_H
#define LABGEN_LIB_TRANSFORMS_NUMERICS_FORMATVECTORS_H

#include "lib/Spec/Convert.h"
#include "lib/Spec/Format.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// How a value between two codes is rounded and what becomes of one beyond the
/// largest.
struct CastRules {
  lab::Rounding round = lab::Rounding::Even;
  bool saturate = false; ///< finite overflow and Inf give the largest value
  bool nanIsMax = false; ///< NaN gives the largest value (formats without NaN)
  bool noNaN = false;    ///< no NaN comes, or what it gives does not matter
  /// No |x| reaches twice the power of two of the largest value.
  bool bounded = false;
  mlir::Value random; ///< i32 a lane, where rounding is stochastic

  /// To nearest even; what is too large becomes Inf or NaN where the format has
  /// one, else the largest value, and so does NaN.
  static CastRules defaultsOf(Format format) {
    CastRules rules;
    rules.saturate = defaultOverflow(format) == Overflow::Saturate;
    return rules;
  }
};

class FormatVectors {
public:
  FormatVectors(BodyBuilder &e, Format format)
      : e(e), format(format), row(info(format)) {}

  /// f32 of raw bits (f32 and f16 as themselves, everything else as integers of
  /// its storage, codes zero extended in i8). Exact; not for f64 and i32.
  mlir::Value toFloat(mlir::Value raw);
  /// Raw bits from f32 or f64: one rounding, then overflow. The sign may come
  /// from another vector, where x has lost that of a zero.
  mlir::Value fromFloat(mlir::Value x, CastRules rules,
                        mlir::Value signSource = {});

private:
  int64_t lanes(mlir::Value v) { return laneCount(v); }
  unsigned width(mlir::Value v) {
    return elementType(v).getIntOrFloatBitWidth();
  }
  mlir::Value bitsOf(mlir::Value x);
  mlir::Value floatOf(mlir::Value bits);
  /// An integer constant in every lane of a vector such as `like`.
  mlir::Value splat(mlir::Value like, uint64_t value) {
    return e.intSplat(lanes(like), static_cast<int64_t>(value), width(like));
  }
  mlir::Value floats(mlir::Value like, double value) {
    return e.floatSplat(lanes(like), value, elementType(like));
  }
  mlir::Value trunc(mlir::Value v, unsigned bits) {
    return e.make<mlir::arith::TruncIOp>(
        e.vec(lanes(v), e.b.getIntegerType(bits)), v);
  }
  mlir::Value select(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                     mlir::Value b, mlir::Value then, mlir::Value otherwise);
  mlir::Value toStorage(mlir::Value code);
  mlir::Value isNaN(mlir::Value x);
  /// x with the largest value for NaN where the rules make it that; then no NaN
  /// is left to care for.
  mlir::Value withoutNaN(mlir::Value x, CastRules &rules);

  // FormatVectors.cpp: f32 that stays f32.
  mlir::Value wideFloat(mlir::Value x, CastRules rules);

  // HalfDecode.cpp: small floats by way of f16.
  bool fitsHalf() const;
  mlir::Value halfToFloat(mlir::Value raw);

  // FromDouble.cpp: f64, by way of f32 where that cannot round twice.
  mlir::Value fromDouble(mlir::Value x, CastRules rules);
  /// f32 that rounds to the same code of this format as an f64 does: rounded
  /// to odd, so that what was dropped still counts. Not for f32 itself.
  mlir::Value oddFloat(mlir::Value x, CastRules rules);
  mlir::Value floatFromDouble(mlir::Value x, CastRules rules);
  /// Bits of the f32 at or next to x towards zero; `nearest` is the rounded x.
  mlir::Value bitsTowardsZero(mlir::Value x, mlir::Value nearest);

  // IntegerCodes.cpp: integers and E8M0.
  mlir::Value integerCode(mlir::Value x, CastRules rules);
  mlir::Value roundToInteger(mlir::Value x, CastRules rules);
  mlir::Value scaleCode(mlir::Value x, CastRules rules);
  mlir::Value stochasticScaleCode(mlir::Value x, CastRules rules);
  mlir::Value finishScaleCode(mlir::Value code, mlir::Value invalid,
                              CastRules rules);

  // NearestEven.cpp: formats of at most 16 bits with a narrower exponent.
  bool hasNarrowExponent() const {
    return row.bits <= 16 && row.exponentBits < 8;
  }
  mlir::Value nearestEven(mlir::Value x, CastRules rules,
                          mlir::Value signSource);
  mlir::Value clampedMagnitude(mlir::Value x, CastRules rules);
  mlir::Value signField(mlir::Value code, mlir::Value signSource,
                        CastRules rules);

  // NativeCodes.cpp: for instructions of the target, or nothing.
  mlir::Value nativeCode(mlir::Value x, CastRules rules,
                         mlir::Value signSource);
  mlir::Value nativeHalf(mlir::Value x);
  mlir::Value nativeFloat(mlir::Value codes);
  mlir::Value clamped(mlir::Value x, CastRules rules);

  // CutCodes.cpp: every format and rounding.
  mlir::Value cutCode(mlir::Value x, CastRules rules, mlir::Value signSource);
  mlir::Value magnitudeCode(mlir::Value magnitude, CastRules rules);
  mlir::Value cutMagnitude(mlir::Value magnitude, CastRules rules);

  /// Codes of magnitudes: the largest finite one, the one of the first value
  /// beyond it, and NaN's (a sign bit in FNUZ formats).
  struct Codes {
    uint64_t largest, infinity, nan;
    uint64_t beyond(CastRules rules) const {
      return rules.saturate ? largest : infinity;
    }
  };
  Codes codes() const;
  int magnitudeBits() const { return row.exponentBits + row.mantissaBits; }

  BodyBuilder &e;
  Format format;
  const FormatInfo &row;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_NUMERICS_FORMATVECTORS_H
