// QuantizeMath.h - the arithmetic of a quantizer on vectors: the scales of some
// groups from what was gathered of their values, and codes from values. This
// one is symmetric; AsymmetricMath.h replaces what zero points change.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_QUANTIZEMATH_H
#define LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_QUANTIZEMATH_H

#include "lib/Spec/KernelSpec.h"
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// What the contract lets a quantizer decide.
struct QuantizeRules {
  Format code, scale;
  lab::Rounding round;
  lab::IntRange range;
  lab::Inverse inverse;
  lab::Divisor divisor;
  lab::ScaleRule rule = lab::ScaleRule::Floor; ///< of E8M0 scales
  bool asymmetric = false;

  bool isInteger() const { return labgen::isInteger(code); }
  bool isPowerOfTwo() const { return scale == Format::F8E8M0FNU; }
  /// Whether codes come from a division (by a power of two it is a product).
  /// Groups whose 1 / s is beyond f32 are divided whatever this says.
  bool divides() const {
    return inverse == lab::Inverse::Divide && !isPowerOfTwo();
  }
  CodeGrid grid() const {
    return codeGrid(code, static_cast<IntRange>(range), asymmetric);
  }
};

QuantizeRules rulesOf(lab::QuantizeOp op);

class QuantizeMath {
public:
  virtual ~QuantizeMath() = default;
  /// By the rules; `global`: a memref<1xf32>, or none.
  static std::unique_ptr<QuantizeMath> make(BodyBuilder &e, QuantizeRules rules,
                                            mlir::Value global);

  /// `global`: vector<1 x f32> that scales are relative to, or none.
  QuantizeMath(BodyBuilder &e, QuantizeRules rules, mlir::Value global = {})
      : e(e), rules(rules), codes(e, rules.code), scaleFormat(e, rules.scale),
        global(global) {}

  /// Per group, one lane each: what its values are turned into codes with.
  struct Scales {
    mlir::Value stored;     ///< as written to memory
    mlir::Value shift;      ///< power of two that keeps the quotient exact
    mlir::Value negated;    ///< -s * shift; 0 in a group that is not divided
    mlir::Value reciprocal; ///< 1 / (s * shift)
    mlir::Value correction; ///< reciprocal; 0 in a group that is not divided
    mlir::Value keep;       ///< i32 mask: 0 where all codes are 0 (zero)
    mlir::Value zero;       ///< asymmetric: zero points, in f32
    // Without shift and keep the scales are plain: see plain(). Nothing is
    // divided without `negated`; `reciprocal` is an empty `correction`.
  };

  /// What is gathered of a group's values: here the bits of the largest |x| as
  /// i32, whose unsigned order is that of |x|, NaN on top.
  using Stats = llvm::SmallVector<mlir::Value, 3>;
  /// Element types of the stats, and what they start from.
  virtual llvm::SmallVector<mlir::Type, 3> statTypes();
  Stats noStats(int64_t n);
  virtual Stats gather(const Stats &stats, mlir::Value x);
  virtual Stats combine(const Stats &a, const Stats &b);
  /// All lanes combined, as vectors of one.
  virtual Stats combineLanes(Stats stats);

  /// Scales from the stats of each group.
  virtual Scales fromStats(const Stats &stats);
  /// fromStats where plain() holds: no shift, no mask.
  virtual Scales fromPlainStats(const Stats &stats);
  /// i1: every group is all zero, or finite with a scale in the middle of its
  /// type's range, where quotients are exact as they stand and stay in range.
  virtual mlir::Value plain(const Stats &stats);
  /// Scales that are stored already; `divisor` is what codes are divided by if
  /// that is another number, `zero` the codes of the zero points.
  Scales fromStored(mlir::Value stored, mlir::Value divisor, mlir::Value zero);
  bool divides() const { return rules.divides(); }
  /// Calls `encode` with the scales of one group. Nearly no group that
  /// multiplies by a reciprocal is divided, so that case gets code of its own.
  void encodeGroup(const Scales &scales,
                   llvm::function_ref<void(const Scales &)> encode);
  /// The scales of one group (a lane), repeated n times; `stored` stays empty.
  Scales broadcast(const Scales &scales, int64_t lane, int64_t n);
  /// Codes of f32 values, their groups' broadcast scales beside them, as i8;
  /// `random` as in CastRules.
  mlir::Value encode(mlir::Value x, const Scales &scales, mlir::Value random);

protected:
  /// s in its type; beyond it saturates.
  mlir::Value store(mlir::Value s);
  /// f32 of stored scales, times the global one.
  mlir::Value valueOf(mlir::Value stored);
  /// Whether scales are in the middle of their type's range.
  mlir::Value inTheMiddle(mlir::Value s);
  /// What divideBy() is without its care for extremes and dead groups.
  void divideByPlain(mlir::Value s, Scales &scales);
  Scales divideBy(mlir::Value s, mlir::Value alive);
  mlir::Value select(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                     mlir::Value limit, mlir::Value then,
                     mlir::Value otherwise);
  /// x / s in f32, correctly rounded (or x * (1 / s)).
  mlir::Value quotient(mlir::Value x, const Scales &scales);
  mlir::Value roundToInt(mlir::Value q, mlir::Value random);
  /// Codes of an integer type, as i32 whose low byte is the code.
  virtual mlir::Value integerCodes(mlir::Value x, const Scales &scales,
                                   mlir::Value random);

  BodyBuilder &e;
  QuantizeRules rules;

private:
  mlir::Value scaleOf(mlir::Value bits);
  mlir::Value storedScale(mlir::Value s, mlir::Value bits);
  mlir::Value powerOfTwo(mlir::Value bits);
  mlir::Value inversePowerOfTwo(mlir::Value byte);

  FormatVectors codes, scaleFormat;
  mlir::Value global;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_QUANTIZEMATH_H
