// IntegerCodes.cpp - casts to integers and to E8M0, which have no mantissa to
// cut: numbers are rounded as numbers, or exponents taken from their field.
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Numerics/RandomWords.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

/// x to an integer, as a float; x is far below 2^mantissa where it has a
/// fraction, so that every step is exact.
Value FormatVectors::roundToInteger(Value x, CastRules rules) {
  switch (rules.round) {
  case lab::Rounding::Even:
    return e.make<math::RoundEvenOp>(x);
  case lab::Rounding::Away:
    return e.make<math::RoundOp>(x);
  case lab::Rounding::Zero:
    return e.make<math::TruncOp>(x);
  case lab::Rounding::Stochastic:
    return roundByChance(e, x, rules.random);
  }
}

/// Integers saturate whatever the rules say; NaN gives 0.
Value FormatVectors::integerCode(Value x, CastRules rules) {
  Value source = x;
  auto clamp = [&](CmpFPredicate predicate, double limit) {
    Value bound = floats(x, limit);
    x = e.make<arith::SelectOp>(e.make<arith::CmpFOp>(predicate, x, bound), x,
                                bound);
  };
  // A NaN fails the first comparison and becomes the lower bound, so it is
  // taken out before.
  if (!rules.noNaN)
    x = e.make<arith::SelectOp>(isNaN(x), floats(x, 0), x);
  // The largest i32 is no f32: the one below it, and the rest by comparison.
  bool tooLarge = format == Format::I32 && width(x) == 32;
  clamp(CmpFPredicate::OGT, row.min);
  clamp(CmpFPredicate::OLT, tooLarge ? 0x7fffff80 : row.max);
  Value code = e.make<arith::FPToSIOp>(e.vec(lanes(x), e.b.getI32Type()),
                                       roundToInteger(x, rules));
  if (tooLarge)
    code = e.make<arith::SelectOp>(
        e.make<arith::CmpFOp>(CmpFPredicate::OGE, source,
                              floats(source, 0x1p31)),
        splat(code, 0x7fffffff), code);
  return toStorage(code);
}

/// E8M0: no sign, no zero; ties go to the even byte.
Value FormatVectors::scaleCode(Value x, CastRules rules) {
  if (rules.round == lab::Rounding::Stochastic) {
    Type f64 = e.b.getF64Type();
    return stochasticScaleCode(e.make<arith::ExtFOp>(e.vec(lanes(x), f64), x),
                               rules);
  }
  constexpr uint32_t infinityBits = 0x7f800000, implicitOne = 0x00800000;
  Value bits = bitsOf(x);
  auto shr = [&](Value v) { return e.make<arith::ShRUIOp>(v, splat(v, 23)); };
  Value exponent = shr(bits), code;
  Value half = splat(bits, 0x400000);
  if (rules.round == lab::Rounding::Even) {
    Value odd = e.make<arith::AndIOp>(exponent, splat(bits, 1));
    Value added = e.make<arith::AddIOp>(bits, splat(bits, 0x3fffff));
    code = shr(e.make<arith::AddIOp>(added, odd));
  } else if (rules.round == lab::Rounding::Away) {
    code = shr(e.make<arith::AddIOp>(bits, half));
  } else {
    code = exponent;
  }
  // Below 2^-126 the only values are 2^-127 and 2^-126.
  if (rules.round != lab::Rounding::Zero) {
    auto above = rules.round == lab::Rounding::Even ? CmpIPredicate::ugt
                                                    : CmpIPredicate::uge;
    Value low = select(above, bits, splat(bits, 0x600000), splat(bits, 1),
                       splat(bits, 0));
    code =
        select(CmpIPredicate::ult, bits, splat(bits, implicitOne), low, code);
  }
  // 0, negatives (their sign is the top bit), Inf and NaN.
  Value less = e.make<arith::SubIOp>(bits, splat(bits, 1));
  Value invalid = e.make<arith::CmpIOp>(CmpIPredicate::uge, less,
                                        splat(bits, infinityBits - 1));
  return finishScaleCode(code, invalid, rules);
}

/// In f64, where every f32 is normal: byte, and all bits below it.
Value FormatVectors::stochasticScaleCode(Value x, CastRules rules) {
  Value bits = bitsOf(x);
  auto shift = [&](int by) { return splat(bits, by); };
  Value field = trunc(e.make<arith::ShRUIOp>(bits, shift(52)), 32);
  Value dropped = trunc(e.make<arith::ShRUIOp>(bits, shift(20)), 32);
  Value up = e.make<arith::ExtUIOp>(
      e.vec(lanes(x), e.b.getI32Type()),
      e.make<arith::CmpIOp>(CmpIPredicate::ult, rules.random, dropped));
  Value byte = e.make<arith::SubIOp>(field, splat(field, 1023 - 127));
  Value zero = splat(byte, 0);
  Value code = select(CmpIPredicate::slt, byte, zero, zero,
                      e.make<arith::AddIOp>(byte, up));
  Value less = e.make<arith::SubIOp>(bits, splat(bits, 1));
  Value invalid = e.make<arith::CmpIOp>(CmpIPredicate::uge, less,
                                        splat(bits, 0x7fefffffffffffff));
  return finishScaleCode(code, invalid, rules);
}

Value FormatVectors::finishScaleCode(Value code, Value invalid,
                                     CastRules rules) {
  Value largest = splat(code, 0xfe), nan = splat(code, 0xff);
  code = select(CmpIPredicate::ugt, code, largest,
                rules.saturate ? largest : nan, code);
  return toStorage(e.make<arith::SelectOp>(invalid, nan, code));
}
