// AsymmetricMath.cpp - see AsymmetricMath.h.
#include "lib/Transforms/Bodies/Quantize/AsymmetricMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;

static int64_t length(Value v) {
  return cast<VectorType>(v.getType()).getDimSize(0);
}

Value AsymmetricMath::least(Value x, Value y) {
  return select(CmpFPredicate::OLT, x, y, x, y);
}
Value AsymmetricMath::largest(Value x, Value y) {
  return select(CmpFPredicate::OGT, x, y, x, y);
}

SmallVector<Type, 3> AsymmetricMath::statTypes() {
  return SmallVector<Type, 3>(3, e.b.getF32Type());
}

QuantizeMath::Stats AsymmetricMath::gather(const Stats &stats, Value x) {
  Value zero = e.zeros(cast<VectorType>(x.getType()));
  return {least(x, stats[0]), largest(x, stats[1]),
          e.make<math::FmaOp>(x, zero, stats[2])};
}

QuantizeMath::Stats AsymmetricMath::combine(const Stats &a, const Stats &b) {
  return {least(a[0], b[0]), largest(a[1], b[1]),
          e.make<arith::AddFOp>(a[2], b[2])};
}

QuantizeMath::Stats AsymmetricMath::combineLanes(Stats stats) {
  for (int64_t half = length(stats[0]) / 2; half; half /= 2) {
    Stats low, high;
    for (Value stat : stats) {
      low.push_back(e.slice(stat, 0, half));
      high.push_back(e.slice(stat, half, half));
    }
    stats = combine(low, high);
  }
  return stats;
}

Value AsymmetricMath::scaleOf(const Stats &stats) {
  Value range = e.make<arith::SubFOp>(stats[1], stats[0]);
  return e.make<arith::DivFOp>(
      range, e.floatSplat(length(range), rules.grid().steps, e.b.getF32Type()));
}

Value AsymmetricMath::scaleOfHalves(const Stats &stats) {
  auto splat = [&](double v) {
    return e.floatSplat(length(stats[0]), v, e.b.getF32Type());
  };
  auto halved = [&](Value v) { return e.make<arith::MulFOp>(v, splat(0.5)); };
  Value range = e.make<arith::SubFOp>(halved(stats[1]), halved(stats[0]));
  return e.make<arith::DivFOp>(range, splat(rules.grid().steps / 2));
}

Value AsymmetricMath::zeroPoint(Value low, Value s) {
  auto splat = [&](double v) {
    return e.floatSplat(length(s), v, e.b.getF32Type());
  };
  Value zero = e.make<arith::SubFOp>(splat(rules.grid().lowest),
                                     e.make<arith::DivFOp>(low, s));
  zero = least(zero, splat(rules.grid().highest));
  // Adding and taking away 1.5 * 2^23 leaves the nearest integer, ties to even.
  Value magic = splat(0x1.8p23);
  return e.make<arith::SubFOp>(e.make<arith::AddFOp>(zero, magic), magic);
}

QuantizeMath::Scales AsymmetricMath::fromStats(const Stats &stats) {
  int64_t n = length(stats[0]);
  auto splat = [&](double v) { return e.floatSplat(n, v, e.b.getF32Type()); };
  Value finite = e.make<arith::CmpFOp>(CmpFPredicate::ORD, stats[2], stats[2]);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value nan = splat(std::numeric_limits<double>::quiet_NaN());
  Value s = scaleOf(stats);
  s = select(CmpFPredicate::OEQ, s, splat(infinity), scaleOfHalves(stats), s);
  s = e.make<arith::SelectOp>(finite, s, nan);
  Value stored = store(s), widened = valueOf(stored);
  // Ordered and not equal: neither 0 nor NaN.
  Value alive = e.make<arith::CmpFOp>(CmpFPredicate::ONE, widened, splat(0));
  Value divisor = rules.divisor == lab::Divisor::Stored ? widened : s;
  Scales scales = divideBy(divisor, alive);
  scales.stored = stored;
  Value zero =
      zeroPoint(stats[0], e.make<arith::SelectOp>(alive, divisor, splat(1.0)));
  zero = e.make<arith::SelectOp>(alive, zero, splat(rules.grid().lowest));
  scales.zero = e.make<arith::SelectOp>(finite, zero, splat(0));
  return scales;
}

Value AsymmetricMath::plain(const Stats &stats) {
  Value s = scaleOf(stats), zero = e.zeros(cast<VectorType>(s.getType()));
  Value isZero = e.make<arith::CmpFOp>(CmpFPredicate::OEQ, s, zero);
  Value isNothing = e.make<arith::AndIOp>(
      isZero, e.make<arith::CmpFOp>(CmpFPredicate::OEQ, stats[0], stats[1]));
  Value finite = e.make<arith::CmpFOp>(CmpFPredicate::ORD, stats[2], stats[2]);
  Value good = e.make<arith::OrIOp>(inTheMiddle(s), isNothing);
  return e.make<vector::ReductionOp>(vector::CombiningKind::AND,
                                     e.make<arith::AndIOp>(good, finite));
}

QuantizeMath::Scales AsymmetricMath::fromPlainStats(const Stats &stats) {
  Value s = scaleOf(stats);
  Scales scales;
  scales.stored = store(s);
  if (rules.divisor == lab::Divisor::Stored)
    s = valueOf(scales.stored);
  divideByPlain(s, scales);
  // A zero group is divided by anything but 0; its zero point is qmin.
  Value one = e.floatSplat(length(s), 1.0, e.b.getF32Type());
  Value zero = e.zeros(cast<VectorType>(s.getType()));
  scales.zero =
      zeroPoint(stats[0], select(CmpFPredicate::ONE, s, zero, s, one));
  return scales;
}

Value AsymmetricMath::integerCodes(Value x, const Scales &scales,
                                   Value random) {
  auto splat = [&](double v) {
    return e.floatSplat(length(x), v, e.b.getF32Type());
  };
  // clamp(round(q) + zero) = round(clamp(q)) + zero, the clamp moved by zero.
  Value q = quotient(x, scales);
  q = least(q, e.make<arith::SubFOp>(splat(rules.grid().highest), scales.zero));
  q = largest(q,
              e.make<arith::SubFOp>(splat(rules.grid().lowest), scales.zero));
  Value codes = roundToInt(q, random);
  if (scales.keep)
    codes = e.make<arith::AndIOp>(codes, scales.keep);
  Value zero =
      e.make<arith::FPToSIOp>(e.vec(length(x), e.b.getI32Type()), scales.zero);
  return e.make<arith::AddIOp>(codes, zero);
}

std::unique_ptr<QuantizeMath>
QuantizeMath::make(BodyBuilder &e, QuantizeRules rules, Value global) {
  Value one = global ? e.load(global, 1, e.index(0)) : Value();
  if (rules.asymmetric)
    return std::make_unique<AsymmetricMath>(e, rules, one);
  return std::make_unique<QuantizeMath>(e, rules, one);
}
