// QuantizeMath.h - the arithmetic of a symmetric quantizer on vectors: the
// scales of some groups from their absmax, and codes from values.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZEMATH_H
#define LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZEMATH_H

#include "lib/Transforms/Bodies/BodyBuilder.h"
#include "lib/Transforms/Bodies/FormatVectors.h"

namespace labgen {

/// What the contract lets a quantizer decide.
struct QuantizeRules {
  Format code, scale;
  lab::Rounding round;
  lab::IntRange range;
  lab::Inverse inverse;
  lab::Divisor divisor;
  lab::ScaleRule rule = lab::ScaleRule::Floor; ///< of E8M0 scales

  bool isInteger() const { return labgen::isInteger(code); }
  bool isPowerOfTwo() const { return scale == Format::F8E8M0FNU; }
  /// Whether codes come from a division (by a power of two it is a product).
  bool divides() const {
    return inverse == lab::Inverse::Divide && !isPowerOfTwo();
  }
  double lowest() const;  ///< smallest code
  double highest() const; ///< largest code
  double steps() const;   ///< absmax over this is the scale
};

class QuantizeMath {
public:
  /// `global`: vector<1 x f32> that scales are relative to, or none.
  QuantizeMath(BodyBuilder &e, QuantizeRules rules, mlir::Value global = {})
      : e(e), rules(rules), codes(e, rules.code), scaleFormat(e, rules.scale),
        global(global) {}

  /// Per group, one lane each: what its values are turned into codes with.
  struct Scales {
    mlir::Value stored;     ///< as written to memory
    mlir::Value shift;      ///< power of two that keeps the quotient exact
    mlir::Value negated;    ///< -s * shift
    mlir::Value reciprocal; ///< 1 / (s * shift)
    mlir::Value keep;       ///< i32 mask: 0 where all codes are 0
    // Without shift and keep the scales are plain: see plain().
  };

  /// Bits of |x| as i32, whose unsigned order is that of |x|, NaN on top.
  mlir::Value absBits(mlir::Value x);
  /// Scales from the largest absBits of each group.
  Scales fromAbsMax(mlir::Value bits);
  /// Scales that are stored already.
  Scales fromStored(mlir::Value stored);
  /// fromAbsMax where plain() holds: no shift, no mask.
  Scales fromPlainAbsMax(mlir::Value bits);
  bool divides() const { return rules.divides(); }
  /// i1: every group is all zero, or finite with a scale in the middle of its
  /// type's range, where quotients are exact as they stand and stay in range.
  mlir::Value plain(mlir::Value bits);
  /// The scales of one group (a lane), repeated n times; `stored` stays empty.
  Scales broadcast(const Scales &scales, int64_t lane, int64_t n);
  /// Codes of f32 values, one group's broadcast scales beside them, as i32
  /// whose low byte is the code.
  mlir::Value encode(mlir::Value x, const Scales &scales);
  /// encode(), as bytes.
  mlir::Value encodeBytes(mlir::Value x, const Scales &scales);
  /// The low bytes of two or four vectors of encode(), in order.
  mlir::Value toBytes(llvm::ArrayRef<mlir::Value> codes);

private:
  mlir::Value scaleOf(mlir::Value bits);
  mlir::Value store(mlir::Value s);
  mlir::Value storedScale(mlir::Value s, mlir::Value bits);
  /// f32 of stored scales, times the global one.
  mlir::Value valueOf(mlir::Value stored);
  mlir::Value powerOfTwo(mlir::Value bits);
  Scales divideBy(mlir::Value s, mlir::Value alive);
  mlir::Value select(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                     mlir::Value limit, mlir::Value then,
                     mlir::Value otherwise);
  mlir::Value roundToInt(mlir::Value q);

  BodyBuilder &e;
  QuantizeRules rules;
  FormatVectors codes, scaleFormat;
  mlir::Value global;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZEMATH_H
