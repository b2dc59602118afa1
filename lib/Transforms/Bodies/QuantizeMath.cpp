// QuantizeMath.cpp - see QuantizeMath.h.
#include "lib/Transforms/Bodies/QuantizeMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numeric>

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;

double QuantizeRules::highest() const { return code.isInteger(4) ? 7 : 127; }
double QuantizeRules::lowest() const {
  return range == lab::IntRange::Full ? -highest() - 1 : -highest();
}
double QuantizeRules::steps() const {
  return range == lab::IntRange::Full ? highest() + 0.5 : highest();
}

static int64_t length(Value v) {
  return cast<VectorType>(v.getType()).getDimSize(0);
}

Value QuantizeMath::select(CmpFPredicate predicate, Value x, Value limit,
                           Value then, Value otherwise) {
  return e.make<arith::SelectOp>(e.make<arith::CmpFOp>(predicate, x, limit),
                                 then, otherwise);
}

Value QuantizeMath::absBits(Value x) {
  int64_t n = length(x);
  Value bits = e.make<arith::BitcastOp>(e.vec(n, e.b.getI32Type()), x);
  return e.make<arith::AndIOp>(bits, e.intSplat(n, 0x7fffffff, 32));
}

Value QuantizeMath::scaleOf(Value bits) {
  int64_t n = length(bits);
  Type f32 = e.b.getF32Type();
  Value amax = e.make<arith::BitcastOp>(e.vec(n, f32), bits);
  return e.make<arith::DivFOp>(amax, e.floatSplat(n, rules.steps(), f32));
}

/// s in its type; beyond it saturates.
Value QuantizeMath::store(Value s) {
  if (rules.scale.isF32())
    return s;
  Value limit = e.floatSplat(
      length(s), rules.scale.isF16() ? 65504.0 : 0x1.fep127, e.b.getF32Type());
  return e.narrow(select(CmpFPredicate::OGT, s, limit, limit, s), rules.scale);
}

QuantizeMath::Scales QuantizeMath::fromAbsMax(Value bits) {
  int64_t n = length(bits);
  Type f32 = e.b.getF32Type();
  Value finite = e.make<arith::CmpIOp>(arith::CmpIPredicate::ult, bits,
                                       e.intSplat(n, 0x7f800000, 32));
  // NaN is chosen in f32: LLVM calls a library to select between bf16.
  Value nan = e.floatSplat(n, std::numeric_limits<double>::quiet_NaN(), f32);
  Value s = e.make<arith::SelectOp>(finite, scaleOf(bits), nan);
  Value stored = store(s);
  Value nonZero = e.make<arith::CmpFOp>(CmpFPredicate::ONE, e.widen(stored),
                                        e.zeros(e.vec(n, f32)));
  bool unrounded = rules.divisor == lab::Divisor::Unrounded;
  Scales scales = divideBy(unrounded ? s : e.widen(stored),
                           e.make<arith::AndIOp>(finite, nonZero));
  scales.stored = stored;
  return scales;
}

Value QuantizeMath::plain(Value bits) {
  int64_t n = length(bits);
  auto splat = [&](double v) { return e.floatSplat(n, v, e.b.getF32Type()); };
  Value s = scaleOf(bits);
  bool isF16 = rules.scale.isF16();
  Value above = e.make<arith::CmpFOp>(CmpFPredicate::OGE, s,
                                      splat(isF16 ? 0x1p-14 : 0x1p-100));
  Value below = e.make<arith::CmpFOp>(CmpFPredicate::OLE, s,
                                      splat(isF16 ? 0x1p15 : 0x1p100));
  Value zero = e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, bits,
                                     e.intSplat(n, 0, 32));
  Value good = e.make<arith::OrIOp>(e.make<arith::AndIOp>(above, below), zero);
  return e.make<vector::ReductionOp>(vector::CombiningKind::AND, good);
}

QuantizeMath::Scales QuantizeMath::fromPlainAbsMax(Value bits) {
  int64_t n = length(bits);
  Type f32 = e.b.getF32Type();
  Value s = scaleOf(bits), one = e.floatSplat(n, 1.0, f32);
  Scales scales;
  scales.stored = store(s);
  if (rules.divisor == lab::Divisor::Stored)
    s = e.widen(scales.stored);
  // The values of a zero group are 0, whatever they are divided by.
  s = select(CmpFPredicate::ONE, s, e.zeros(e.vec(n, f32)), s, one);
  if (rules.inverse == lab::Inverse::Divide)
    scales.negated = e.make<arith::NegFOp>(s);
  scales.reciprocal = e.make<arith::DivFOp>(one, s);
  return scales;
}

QuantizeMath::Scales QuantizeMath::fromStored(Value stored) {
  Value s = e.widen(stored);
  Value zero = e.zeros(cast<VectorType>(s.getType()));
  // Ordered and not equal: neither 0 nor NaN.
  return divideBy(s, e.make<arith::CmpFOp>(CmpFPredicate::ONE, s, zero));
}

QuantizeMath::Scales QuantizeMath::divideBy(Value s, Value alive) {
  int64_t n = length(s);
  Type f32 = e.b.getF32Type();
  auto splat = [&](double v) { return e.floatSplat(n, v, f32); };
  Scales scales;
  Value one = splat(1.0);
  s = e.make<arith::SelectOp>(alive, s, one);
  if (rules.inverse == lab::Inverse::Divide) {
    // Far from 1 the remainder below would be rounded or the reciprocal lost:
    // move both sides by a power of two first.
    scales.shift = select(
        CmpFPredicate::OLT, s, splat(0x1p-100), splat(0x1p100),
        select(CmpFPredicate::OGT, s, splat(0x1p100), splat(0x1p-100), one));
    s = e.make<arith::MulFOp>(s, scales.shift);
    scales.negated = e.make<arith::NegFOp>(s);
  }
  scales.reciprocal = e.make<arith::DivFOp>(one, s);
  Type i32 = e.b.getI32Type();
  scales.keep = e.make<arith::ExtSIOp>(e.vec(n, i32), alive);
  return scales;
}

QuantizeMath::Scales QuantizeMath::broadcast(const Scales &scales, int64_t lane,
                                             int64_t n) {
  SmallVector<int64_t> same(n, lane);
  auto repeat = [&](Value v) { return v ? e.shuffle(v, v, same) : Value(); };
  return {Value(), repeat(scales.shift), repeat(scales.negated),
          repeat(scales.reciprocal), repeat(scales.keep)};
}

Value QuantizeMath::roundToInt(Value q) {
  int64_t n = length(q);
  Type f32 = e.b.getF32Type();
  VectorType i32 = e.vec(n, e.b.getI32Type());
  if (rules.round == lab::Rounding::Even) {
    // Adding 1.5 * 2^23 leaves the nearest integer, ties to even, in the low
    // bits of the sum.
    Value magic = e.floatSplat(n, 12582912.0, f32);
    return e.make<arith::BitcastOp>(i32, e.make<arith::AddFOp>(q, magic));
  }
  if (rules.round == lab::Rounding::Away) {
    // The largest float below 0.5: 0.5 itself would carry 0.49999997 to 1.
    Value half = e.floatSplat(n, 0x1.fffffep-2, f32);
    q = e.make<arith::AddFOp>(q, e.make<math::CopySignOp>(half, q));
  }
  return e.make<arith::FPToSIOp>(i32, q);
}

Value QuantizeMath::encode(Value x, const Scales &scales) {
  int64_t n = length(x);
  Type f32 = e.b.getF32Type();
  Value q;
  if (rules.inverse == lab::Inverse::Reciprocal) {
    q = e.make<arith::MulFOp>(x, scales.reciprocal);
    // 0 times the infinite reciprocal of a tiny scale.
    if (scales.keep)
      q = select(CmpFPredicate::ORD, q, q, q, e.zeros(e.vec(n, f32)));
  } else {
    // x / s rounded correctly without a division per element: one step of
    // remainder correction (Markstein, IBM J. Res. Dev. 34(1), 1990). Compared
    // with division on every mantissa of s and around every tie of a code.
    if (scales.shift)
      x = e.make<arith::MulFOp>(x, scales.shift);
    Value q0 = e.make<arith::MulFOp>(x, scales.reciprocal);
    Value rest = e.make<math::FmaOp>(q0, scales.negated, x);
    q = e.make<math::FmaOp>(rest, scales.reciprocal, q0);
  }
  // Plain quotients are below highest + 0.5 but in the full range, whose
  // largest one rounds to a code too many.
  bool plain = !scales.keep;
  if (!plain || rules.range == lab::IntRange::Full) {
    Value high = e.floatSplat(n, rules.highest(), f32);
    q = select(CmpFPredicate::OLT, q, high, q, high);
  }
  if (!plain) {
    Value low = e.floatSplat(n, rules.lowest(), f32);
    q = select(CmpFPredicate::OGT, q, low, q, low);
  }
  Value codes = roundToInt(q);
  if (!plain)
    codes = e.make<arith::AndIOp>(codes, scales.keep);
  return codes;
}

Value QuantizeMath::encodeBytes(Value x, const Scales &scales) {
  return e.make<arith::TruncIOp>(e.vec(length(x), e.b.getI8Type()),
                                 encode(x, scales));
}

Value QuantizeMath::toBytes(ArrayRef<Value> codes) {
  // Their low bytes, by shuffles that a target with byte permutes does in one
  // step for two registers.
  int64_t n = length(codes.front());
  VectorType bytes = e.vec(4 * n, e.b.getI8Type());
  auto lowBytes = [&](Value x, Value y) {
    SmallVector<int64_t> low;
    for (int64_t i = 0; i < 2 * n; ++i)
      low.push_back(4 * i);
    return e.shuffle(e.make<vector::BitCastOp>(bytes, x),
                     e.make<vector::BitCastOp>(bytes, y), low);
  };
  SmallVector<Value> parts;
  for (size_t i = 0; i + 1 < codes.size(); i += 2)
    parts.push_back(lowBytes(codes[i], codes[i + 1]));
  if (parts.size() == 1)
    return parts.front();
  SmallVector<int64_t> all(4 * n);
  std::iota(all.begin(), all.end(), 0);
  return e.shuffle(parts[0], parts[1], all);
}
