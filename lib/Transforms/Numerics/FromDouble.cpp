// FromDouble.cpp - casts from f64. A second rounding is what goes wrong here:
// f32 on the way is rounded to odd, and stochastic rounding, which needs every
// dropped bit, works on f64 itself.
#include "lib/Transforms/Numerics/FormatVectors.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;

namespace {
constexpr uint32_t signBit = 0x80000000, infinityBits = 0x7f800000;
constexpr uint32_t quietNaN = 0x7fc00000;
} // namespace

Value FormatVectors::fromDouble(Value x, CastRules rules) {
  bool stochastic = rules.round == lab::Rounding::Stochastic;
  // (An f32 has too few bits for the integers of 32.)
  if (isInteger(format) && (stochastic || format == Format::I32))
    return integerCode(x, rules);
  if (stochastic)
    return format == Format::F8E8M0FNU ? stochasticScaleCode(x, rules)
                                       : cutCode(x, rules, Value());
  if (format == Format::F32)
    return floatFromDouble(x, rules);
  return fromFloat(oddFloat(x, rules), rules);
}

Value FormatVectors::bitsTowardsZero(Value x, Value nearest) {
  Value bits = bitsOf(nearest);
  Value back = e.make<arith::ExtFOp>(x.getType(), nearest);
  Value beyond = e.make<arith::CmpFOp>(
      CmpFPredicate::OGT, e.make<math::AbsFOp>(back), e.make<math::AbsFOp>(x));
  return e.make<arith::SelectOp>(
      beyond, e.make<arith::SubIOp>(bits, splat(bits, 1)), bits);
}

Value FormatVectors::oddFloat(Value x, CastRules rules) {
  VectorType f32 = e.vec(lanes(x), e.b.getF32Type());
  Value nearest = e.make<arith::TruncFOp>(f32, x);
  Value back = e.make<arith::ExtFOp>(x.getType(), nearest);
  Value bits = bitsOf(nearest);
  // Towards zero, then odd where anything was dropped.
  Value inexact = e.make<arith::CmpFOp>(CmpFPredicate::ONE, back, x);
  Value odd = e.make<arith::OrIOp>(bitsTowardsZero(x, nearest), splat(bits, 1));
  if (!rules.saturate && rules.round != lab::Rounding::Zero) {
    // From 2^128 on it is beyond every format, and not cut to its largest.
    Value within = e.make<arith::CmpFOp>(
        CmpFPredicate::OLT, e.make<math::AbsFOp>(x),
        e.floatSplat(lanes(x), 0x1p128, e.b.getF64Type()));
    inexact = e.make<arith::AndIOp>(inexact, within);
  }
  return floatOf(e.make<arith::SelectOp>(inexact, odd, bits));
}

Value FormatVectors::floatFromDouble(Value x, CastRules rules) {
  VectorType f32 = e.vec(lanes(x), e.b.getF32Type());
  Type f64 = e.b.getF64Type();
  Value result = e.make<arith::TruncFOp>(f32, x);
  auto absolute = [&](Value v) { return e.make<math::AbsFOp>(v); };
  auto back = [&](Value v) { return e.make<arith::ExtFOp>(x.getType(), v); };
  if (rules.round != lab::Rounding::Even) {
    Value bits = bitsOf(result);
    Value down = bitsTowardsZero(x, result);
    result = floatOf(down);
    if (rules.round == lab::Rounding::Away) {
      Value up = floatOf(e.make<arith::AddIOp>(down, splat(bits, 1)));
      Value half = e.floatSplat(lanes(x), 0.5, f64);
      Value middle = e.make<arith::MulFOp>(
          e.make<arith::AddFOp>(back(result), back(up)), half);
      Value reaches = e.make<arith::CmpFOp>(CmpFPredicate::OGE, absolute(x),
                                            absolute(middle));
      result = e.make<arith::SelectOp>(reaches, up, result);
      // Beyond the largest by half a last place.
      Value tooLarge =
          e.make<arith::CmpFOp>(CmpFPredicate::OGE, absolute(x),
                                e.floatSplat(lanes(x), 0x1.ffffffp127, f64));
      Value sign = e.make<arith::AndIOp>(bits, splat(bits, signBit));
      Value infinity =
          floatOf(e.make<arith::OrIOp>(sign, splat(bits, infinityBits)));
      result = e.make<arith::SelectOp>(tooLarge, infinity, result);
    }
    Value isNan = e.make<arith::CmpFOp>(CmpFPredicate::UNO, x, x);
    result =
        e.make<arith::SelectOp>(isNan, floatOf(splat(bits, quietNaN)), result);
  }
  return wideFloat(result, rules);
}
