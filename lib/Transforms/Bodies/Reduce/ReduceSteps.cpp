// ReduceSteps.cpp - see ReduceSteps.h.
#include "lib/Transforms/Bodies/Reduce/ReduceSteps.h"

#include "lib/Transforms/Numerics/FormatVectors.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace labgen::lab {

Value ReduceSteps::load(Value memref, Value at, int64_t n) {
  Value wide = e.widen(e.load(memref, n, at));
  return isNarrow ? e.make<arith::ExtFOp>(e.vec(n, acc), wide) : wide;
}

Value ReduceSteps::rounded(Value value) {
  if (!isNarrow)
    return value;
  FormatVectors half(e, Format::F16);
  return e.make<arith::ExtFOp>(
      value.getType(), half.toFloat(half.fromFloat(value, CastRules())));
}

Value ReduceSteps::result(Value value) {
  if (!isNarrow)
    return value;
  Value raw = FormatVectors(e, Format::F16).fromFloat(value, CastRules());
  Type f16 = e.b.getF16Type();
  int64_t n = cast<VectorType>(raw.getType()).getDimSize(0);
  return elementType(raw) == f16
             ? raw
             : e.make<vector::BitCastOp>(e.vec(n, f16), raw);
}

Value ReduceSteps::combine(Value a, Value b) {
  if (kind == ReduceKind::Min)
    return e.make<arith::MinimumFOp>(a, b);
  if (isMax)
    return e.make<arith::MaximumFOp>(a, b);
  return rounded(e.make<arith::AddFOp>(a, b));
}

Value ReduceSteps::isFinite(Value x) {
  Value infinity = e.floatSplat(cast<VectorType>(x.getType()).getDimSize(0),
                                std::numeric_limits<double>::infinity(), acc);
  return e.make<arith::CmpFOp>(arith::CmpFPredicate::OLT,
                               e.make<math::AbsFOp>(x), infinity);
}

void ReduceSteps::kahanAdd(Value &sum, Value &c, Value x) {
  Value y = rounded(e.make<arith::SubFOp>(x, c));
  Value t = rounded(e.make<arith::AddFOp>(sum, y));
  Value change = rounded(e.make<arith::SubFOp>(t, sum));
  c = rounded(e.make<arith::SubFOp>(change, y));
  // A correction that is not finite is dropped. It is finite where the change
  // is, which is known a step earlier.
  if (dropsCorrections)
    c = e.make<arith::SelectOp>(isFinite(change), c,
                                e.zeros(cast<VectorType>(x.getType())));
  sum = t;
}

void ReduceSteps::accumulate(Value &a, Value &c, Value x, Value y) {
  if (kind == ReduceKind::AbsMax || kind == ReduceKind::FiniteAbsMax)
    x = e.make<math::AbsFOp>(x);
  if (kind == ReduceKind::FiniteAbsMax) {
    int64_t n = cast<VectorType>(x.getType()).getDimSize(0);
    Value infinity =
        e.floatSplat(n, std::numeric_limits<double>::infinity(), acc);
    x = e.make<arith::SelectOp>(
        e.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, infinity), x,
        e.zeros(e.vec(n, acc)));
  }
  if (kind == ReduceKind::SumSq)
    y = x;
  bool product = kind == ReduceKind::Dot || kind == ReduceKind::SumSq;
  if (compensated)
    kahanAdd(a, c, product ? rounded(e.make<arith::MulFOp>(x, y)) : x);
  else
    a = product ? rounded(e.make<math::FmaOp>(x, y, a)) : combine(a, x);
}

void ReduceSteps::step(Value &a, Value &c, Value at, int64_t count) {
  int64_t lanes = cast<VectorType>(a.getType()).getDimSize(0);
  Value oldA = a, oldC = c;
  accumulate(a, c, loadPadded(op.getX(), at, count, lanes),
             op.getY() ? loadPadded(op.getY(), at, count, lanes) : Value());
  if (count == lanes)
    return;
  Value mask = e.firstLanes(count, lanes);
  a = e.make<arith::SelectOp>(mask, a, oldA);
  if (compensated)
    c = e.make<arith::SelectOp>(mask, c, oldC);
}

void ReduceSteps::addPair(Value &sum, Value &c, Value otherSum, Value otherC) {
  kahanAdd(sum, c, otherSum);
  kahanAdd(sum, c, e.make<arith::NegFOp>(otherC));
}

void ReduceSteps::storeResult(Value r) {
  if (auto divisor = op.getDivisorAttr())
    r = e.make<arith::DivFOp>(r,
                              e.floatSplat(1, divisor.getValueAsDouble(), acc));
  e.create<memref::StoreOp>(e.extract(result(r), 0), op.getR(), ValueRange());
}

} // namespace labgen::lab
