// QuantizeMath.cpp - see QuantizeMath.h.
#include "lib/Transforms/Bodies/Quantize/QuantizeMath.h"

#include "lib/Transforms/Numerics/RandomWords.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;

QuantizeRules labgen::rulesOf(lab::QuantizeOp op) {
  return {*lab::formatOf(op.getCodeType()),
          *lab::formatOf(op.getScaleFormat()),
          op.getRound(),
          op.getRange(),
          op.getInverse(),
          op.getDivisor(),
          op.getRule(),
          static_cast<bool>(op.getZero())};
}

static int64_t length(Value v) {
  return cast<VectorType>(v.getType()).getDimSize(0);
}

Value QuantizeMath::select(CmpFPredicate predicate, Value x, Value limit,
                           Value then, Value otherwise) {
  return e.make<arith::SelectOp>(e.make<arith::CmpFOp>(predicate, x, limit),
                                 then, otherwise);
}

SmallVector<Type, 3> QuantizeMath::statTypes() { return {e.b.getI32Type()}; }

QuantizeMath::Stats QuantizeMath::noStats(int64_t n) {
  Stats stats;
  for (Type type : statTypes())
    stats.push_back(e.zeros(e.vec(n, type)));
  return stats;
}

QuantizeMath::Stats QuantizeMath::gather(const Stats &stats, Value x) {
  int64_t n = length(x);
  Value bits = e.make<arith::BitcastOp>(e.vec(n, e.b.getI32Type()), x);
  bits = e.make<arith::AndIOp>(bits, e.intSplat(n, 0x7fffffff, 32));
  return combine(stats, {bits});
}

QuantizeMath::Stats QuantizeMath::combine(const Stats &a, const Stats &b) {
  return {e.make<arith::MaxUIOp>(a[0], b[0])};
}

QuantizeMath::Stats QuantizeMath::combineLanes(Stats stats) {
  return {e.broadcast(
      e.make<vector::ReductionOp>(vector::CombiningKind::MAXUI, stats[0]), 1)};
}

Value QuantizeMath::scaleOf(Value bits) {
  int64_t n = length(bits);
  Type f32 = e.b.getF32Type();
  Value amax = e.make<arith::BitcastOp>(e.vec(n, f32), bits);
  return e.make<arith::DivFOp>(amax, e.floatSplat(n, rules.grid().steps, f32));
}

Value QuantizeMath::store(Value s) {
  if (rules.scale == Format::F32)
    return s;
  Value limit =
      e.floatSplat(length(s), info(rules.scale).max, e.b.getF32Type());
  return e.narrow(select(CmpFPredicate::OGT, s, limit, limit, s),
                  rules.scale == Format::F16 ? Type(e.b.getF16Type())
                                             : Type(e.b.getBF16Type()));
}

/// The byte of an E8M0 scale. Rules and their users: OCP MX 6.3 (floor), cuBLAS
/// and cuDNN (rceil), torchao (ceil, even). Below 2^-126 the byte is 0 by every
/// rule, so that subnormal absmax need no care.
Value QuantizeMath::powerOfTwo(Value bits) {
  int64_t n = length(bits);
  auto splat = [&](int64_t v) { return e.intSplat(n, v, 32); };
  const FormatInfo &row = info(rules.code);
  int largestExponent = std::ilogb(row.max);
  uint32_t largest = llvm::bit_cast<uint32_t>(static_cast<float>(row.max));
  uint32_t fraction = 0x7fffff;
  Value rounded = bits;
  switch (rules.rule) {
  case lab::ScaleRule::Floor:
    break;
  case lab::ScaleRule::RCeil: // up where absmax is beyond max * 2^s
    rounded =
        e.make<arith::AddIOp>(bits, splat(fraction - (largest & fraction)));
    break;
  case lab::ScaleRule::Ceil:
    rounded = e.make<arith::AddIOp>(bits, splat(fraction));
    break;
  case lab::ScaleRule::Even:
    rounded = e.make<arith::AddIOp>(bits, splat(1 << (22 - row.mantissaBits)));
    break;
  }
  Value exponent = e.make<arith::ShRUIOp>(rounded, splat(23));
  Value byte = e.make<arith::SubIOp>(exponent, splat(largestExponent));
  return e.make<arith::MaxSIOp>(byte, splat(0));
}

/// 1 / 2^s of a byte (i32), in f32: normal, since the element formats reach
/// beyond 2 and keep the byte below 254.
Value QuantizeMath::inversePowerOfTwo(Value byte) {
  int64_t n = length(byte);
  Value field = e.make<arith::SubIOp>(e.intSplat(n, 254, 32), byte);
  return e.make<arith::BitcastOp>(
      e.vec(n, e.b.getF32Type()),
      e.make<arith::ShLIOp>(field, e.intSplat(n, 23, 32)));
}

/// Scales as they lie in memory, of finite groups.
Value QuantizeMath::storedScale(Value s, Value bits) {
  if (global) {
    CastRules cast;
    cast.saturate = true;
    Value relative = e.make<arith::DivFOp>(s, e.broadcast(global, length(s)));
    return scaleFormat.fromFloat(relative, cast);
  }
  if (!rules.isPowerOfTwo())
    return store(s);
  return e.make<arith::TruncIOp>(e.vec(length(bits), e.b.getI8Type()),
                                 powerOfTwo(bits));
}

Value QuantizeMath::valueOf(Value stored) {
  Value s = scaleFormat.toFloat(stored);
  return global ? e.make<arith::MulFOp>(s, e.broadcast(global, length(s))) : s;
}

QuantizeMath::Scales QuantizeMath::fromStats(const Stats &stats) {
  Value bits = stats[0];
  int64_t n = length(bits);
  Type f32 = e.b.getF32Type();
  Value finite = e.make<arith::CmpIOp>(arith::CmpIPredicate::ult, bits,
                                       e.intSplat(n, 0x7f800000, 32));
  Value isZero = e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, bits,
                                       e.intSplat(n, 0, 32));
  // NaN is chosen in f32: LLVM calls a library to select between bf16.
  Value nan = e.floatSplat(n, std::numeric_limits<double>::quiet_NaN(), f32);
  Value s = e.make<arith::SelectOp>(finite, scaleOf(bits), nan);
  Value stored = storedScale(s, bits);
  if (isa<IntegerType>(elementType(stored))) {
    // The byte that a rule gives zeros is no zero by itself; nor is anything
    // over a global scale of zero, which absmax may round to.
    if (global) {
      Value none = e.zeros(e.vec(n, f32));
      isZero = e.make<arith::OrIOp>(
          isZero, e.make<arith::CmpFOp>(CmpFPredicate::OEQ,
                                        e.broadcast(global, n), none));
    }
    stored = e.make<arith::SelectOp>(isZero, e.zeros(e.vec(n, e.b.getI8Type())),
                                     stored);
    Value nanByte = e.intSplat(n, rules.isPowerOfTwo() ? 0xff : 0x7f, 8);
    stored = e.make<arith::SelectOp>(finite, stored, nanByte);
  }
  Value nonZero = e.make<arith::CmpIOp>(arith::CmpIPredicate::ne, bits,
                                        e.intSplat(n, 0, 32));
  Value alive = e.make<arith::AndIOp>(finite, nonZero);
  if (rules.isPowerOfTwo()) {
    Scales scales;
    scales.stored = stored;
    scales.reciprocal = inversePowerOfTwo(powerOfTwo(bits));
    scales.keep = e.make<arith::ExtSIOp>(e.vec(n, e.b.getI32Type()), alive);
    return scales;
  }
  Value widened = valueOf(stored);
  alive = e.make<arith::AndIOp>(
      alive, e.make<arith::CmpFOp>(CmpFPredicate::ONE, widened,
                                   e.zeros(e.vec(n, f32))));
  bool unrounded = rules.divisor == lab::Divisor::Unrounded;
  Scales scales = divideBy(unrounded ? s : widened, alive);
  scales.stored = stored;
  return scales;
}

Value QuantizeMath::inTheMiddle(Value s) {
  auto splat = [&](double v) {
    return e.floatSplat(length(s), v, e.b.getF32Type());
  };
  bool isF16 = rules.scale == Format::F16;
  Value above = e.make<arith::CmpFOp>(CmpFPredicate::OGE, s,
                                      splat(isF16 ? 0x1p-14 : 0x1p-64));
  Value below = e.make<arith::CmpFOp>(CmpFPredicate::OLE, s,
                                      splat(isF16 ? 0x1p15 : 0x1p64));
  return e.make<arith::AndIOp>(above, below);
}

Value QuantizeMath::plain(const Stats &stats) {
  Value bits = stats[0];
  int64_t n = length(bits);
  if (rules.isPowerOfTwo()) {
    // Exponents far enough from both ends of f32 for the scale's and its
    // reciprocal's.
    Value above = e.make<arith::CmpIOp>(arith::CmpIPredicate::uge, bits,
                                        e.intSplat(n, 64 << 23, 32));
    Value below = e.make<arith::CmpIOp>(arith::CmpIPredicate::ule, bits,
                                        e.intSplat(n, 190 << 23, 32));
    return e.make<vector::ReductionOp>(vector::CombiningKind::AND,
                                       e.make<arith::AndIOp>(above, below));
  }
  Value s = scaleOf(bits), good = inTheMiddle(s);
  if (global) { // relative to it the scale must be a normal E4M3
    Value relative = e.make<arith::DivFOp>(s, e.broadcast(global, n));
    Value normal =
        e.make<arith::CmpFOp>(CmpFPredicate::OGE, relative,
                              e.floatSplat(n, 0x1p-6, e.b.getF32Type()));
    good = e.make<arith::AndIOp>(good, normal);
  }
  // Zeros of a float format have signs, which codes of zero groups have not.
  if (rules.isInteger()) {
    Value zero = e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, bits,
                                       e.intSplat(n, 0, 32));
    good = e.make<arith::OrIOp>(good, zero);
  }
  return e.make<vector::ReductionOp>(vector::CombiningKind::AND, good);
}

QuantizeMath::Scales QuantizeMath::fromPlainStats(const Stats &stats) {
  Scales scales;
  if (rules.isPowerOfTwo()) {
    int64_t n = length(stats[0]);
    Value byte = powerOfTwo(stats[0]);
    scales.stored = e.make<arith::TruncIOp>(e.vec(n, e.b.getI8Type()), byte);
    scales.reciprocal = inversePowerOfTwo(byte);
    return scales;
  }
  Value s = scaleOf(stats[0]);
  scales.stored = storedScale(s, stats[0]);
  if (rules.divisor == lab::Divisor::Stored)
    s = valueOf(scales.stored);
  divideByPlain(s, scales);
  return scales;
}

void QuantizeMath::divideByPlain(Value s, Scales &scales) {
  Type f32 = e.b.getF32Type();
  Value one = e.floatSplat(length(s), 1.0, f32);
  // The values of a zero group are 0, whatever they are divided by.
  s = select(CmpFPredicate::ONE, s, e.zeros(e.vec(length(s), f32)), s, one);
  if (rules.divides())
    scales.negated = e.make<arith::NegFOp>(s);
  scales.reciprocal = e.make<arith::DivFOp>(one, s);
}

QuantizeMath::Scales QuantizeMath::fromStored(Value stored, Value divisor,
                                              Value zero) {
  Value s = valueOf(stored), none = e.zeros(cast<VectorType>(s.getType()));
  // Ordered and not equal: neither 0 nor NaN.
  Value alive = e.make<arith::CmpFOp>(CmpFPredicate::ONE, s, none);
  Scales scales = divideBy(divisor ? divisor : s, alive);
  if (zero)
    scales.zero = codes.toFloat(zero);
  return scales;
}

QuantizeMath::Scales QuantizeMath::divideBy(Value s, Value alive) {
  int64_t n = length(s);
  Type f32 = e.b.getF32Type();
  auto splat = [&](double v) { return e.floatSplat(n, v, f32); };
  Scales scales;
  Value one = splat(1.0);
  s = e.make<arith::SelectOp>(alive, s, one);
  if (rules.divides()) {
    // Far from 1 the remainder below would be rounded or the reciprocal lost:
    // move both sides by a power of two first.
    scales.shift = select(
        CmpFPredicate::OLT, s, splat(0x1p-100), splat(0x1p100),
        select(CmpFPredicate::OGT, s, splat(0x1p100), splat(0x1p-100), one));
    s = e.make<arith::MulFOp>(s, scales.shift);
    scales.negated = e.make<arith::NegFOp>(s);
    scales.reciprocal = e.make<arith::DivFOp>(one, s);
  } else {
    // 1 / s is beyond f32 up to here: such groups are divided as well.
    Value divided =
        e.make<arith::CmpFOp>(CmpFPredicate::OLE, s, splat(0x1p-128));
    scales.shift = e.make<arith::SelectOp>(divided, splat(0x1p100), one);
    s = e.make<arith::MulFOp>(s, scales.shift);
    scales.reciprocal = e.make<arith::DivFOp>(one, s);
    Value none = splat(0.0);
    scales.negated =
        e.make<arith::SelectOp>(divided, e.make<arith::NegFOp>(s), none);
    scales.correction =
        e.make<arith::SelectOp>(divided, scales.reciprocal, none);
  }
  Type i32 = e.b.getI32Type();
  scales.keep = e.make<arith::ExtSIOp>(e.vec(n, i32), alive);
  return scales;
}

QuantizeMath::Scales QuantizeMath::broadcast(const Scales &scales, int64_t lane,
                                             int64_t n) {
  SmallVector<int64_t> same(n, lane);
  auto repeat = [&](Value v) { return v ? e.shuffle(v, v, same) : Value(); };
  return {Value(),
          repeat(scales.shift),
          repeat(scales.negated),
          repeat(scales.reciprocal),
          repeat(scales.correction),
          repeat(scales.keep),
          repeat(scales.zero)};
}

Value QuantizeMath::roundToInt(Value q, Value random) {
  int64_t n = length(q);
  Type f32 = e.b.getF32Type();
  VectorType i32 = e.vec(n, e.b.getI32Type());
  if (rules.round == lab::Rounding::Even) {
    // Adding 1.5 * 2^23 leaves the nearest integer, ties to even, in the low
    // bits of the sum.
    Value magic = e.floatSplat(n, 12582912.0, f32);
    return e.make<arith::BitcastOp>(i32, e.make<arith::AddFOp>(q, magic));
  }
  if (random)
    return e.make<arith::FPToSIOp>(i32, roundByChance(e, q, random));
  if (rules.round == lab::Rounding::Away) {
    // The largest float below 0.5: 0.5 itself would carry 0.49999997 to 1.
    Value half = e.floatSplat(n, 0x1.fffffep-2, f32);
    q = e.make<arith::AddFOp>(q, e.make<math::CopySignOp>(half, q));
  }
  return e.make<arith::FPToSIOp>(i32, q);
}

Value QuantizeMath::quotient(Value x, const Scales &scales) {
  // x / s rounded correctly without a division per element: one step of
  // remainder correction (Markstein, IBM J. Res. Dev. 34(1), 1990). Compared
  // with division on every mantissa of s and around every tie of a code.
  if (scales.shift)
    x = e.make<arith::MulFOp>(x, scales.shift);
  Value q0 = e.make<arith::MulFOp>(x, scales.reciprocal);
  if (!scales.negated)
    return q0;
  Value rest = e.make<math::FmaOp>(q0, scales.negated, x);
  return e.make<math::FmaOp>(
      rest, scales.correction ? scales.correction : scales.reciprocal, q0);
}

Value QuantizeMath::integerCodes(Value x, const Scales &scales, Value random) {
  int64_t n = length(x);
  Type f32 = e.b.getF32Type();
  Value q = quotient(x, scales);
  // Plain quotients are below highest + 0.5 but in the full range, whose
  // largest one rounds to a code too many; chance may round up any.
  bool plain = !scales.keep;
  if (!plain || random || rules.range == lab::IntRange::Full) {
    Value high = e.floatSplat(n, rules.grid().highest, f32);
    q = select(CmpFPredicate::OLT, q, high, q, high);
  }
  if (!plain || random) {
    Value low = e.floatSplat(n, rules.grid().lowest, f32);
    q = select(CmpFPredicate::OGT, q, low, q, low);
  }
  Value codes = roundToInt(q, random);
  return plain ? codes : e.make<arith::AndIOp>(codes, scales.keep);
}

Value QuantizeMath::encode(Value x, const Scales &scales, Value random) {
  if (rules.isInteger())
    return e.lanePieces(integerCodes(x, scales, random), 8, 0);
  CastRules cast;
  cast.round = rules.round;
  cast.saturate = true;
  cast.noNaN = true; // codes of such groups are masked
  cast.bounded = !scales.keep;
  cast.random = random;
  Value q = quotient(x, scales);
  // The remainder, or 0 in place of NaN, loses the sign of -0. (On a CPU it is
  // faster to take it from x, whose sign is there before the quotient's.)
  Value sign = rules.isPowerOfTwo() && e.isSimt ? Value() : x;
  if (!scales.keep)
    return codes.fromFloat(q, cast, sign);
  if (!e.isSimt)
    return e.make<arith::AndIOp>(codes.fromFloat(q, cast, sign),
                                 e.lanePieces(scales.keep, 8, 0));
  // Lanes are registers there, and an instruction may pack its codes: what it
  // gets is masked instead.
  if (sign)
    q = e.make<math::CopySignOp>(q, sign);
  auto f32 = llvm::cast<VectorType>(q.getType());
  Value bits = e.make<arith::BitcastOp>(f32.clone(e.b.getI32Type()), q);
  q = e.make<arith::BitcastOp>(f32, e.make<arith::AndIOp>(bits, scales.keep));
  return codes.fromFloat(q, cast);
}
