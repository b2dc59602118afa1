// CastBody.cpp - cast and exp on a static run of elements.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/ElementVectors.h"
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Numerics/RandomWords.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

namespace {

/// Runs `convert` over all elements: as many registers at a time as fill one of
/// bytes or of 4-bit codes (with `unroll`), then one by one, then a padded
/// rest. `convert` is told where its elements lie.
void forAllElements(BodyBuilder &e, int64_t n, Value x, Format in, Value y,
                    Format out, bool unroll,
                    function_ref<Value(Value, Value)> convert) {
  ElementVectors source(e, x, in), target(e, y, out);
  auto isWide = [](Format f) { return f == Format::F64 || f == Format::I32; };
  Type widest =
      isWide(in) || isWide(out) ? Type(e.b.getF64Type()) : e.b.getF32Type();
  // Packed elements start on a byte at every eighth.
  int64_t lanes = std::max<int64_t>(e.lanes(widest), 8);
  int64_t narrowest = std::min(info(in).storageBits, info(out).storageBits);
  int64_t wide = !unroll ? lanes : (narrowest == 4 ? 8 : 4) * lanes;
  bool nontemporal = e.kernel.nontemporal;
  auto step = [&](Value at, int64_t count, int64_t width, bool around) {
    target.store(convert(source.load(at, count, width), at), at, count, around);
  };
  // A GPU's thread touches its elements at once, as its neighbours touch
  // theirs.
  if (e.isSimt && n <= 16)
    return step(e.index(0), n, n % 4 ? llvm::alignTo(n, 8) : n, false);
  int64_t whole = n / wide * wide, single = n / lanes * lanes;
  e.forLoop(0, whole, wide, [&](Value at) {
    source.prefetch(at, wide);
    step(at, wide, wide, nontemporal);
  });
  e.forLoop(whole, single, lanes,
            [&](Value at) { step(at, lanes, lanes, false); });
  if (single < n)
    step(e.index(single), n - single, lanes, false);
}

/// f64 to f64: what the rules make of Inf and NaN.
Value wideDouble(BodyBuilder &e, Value x, CastRules rules) {
  int64_t n = cast<VectorType>(x.getType()).getDimSize(0);
  Value max =
      e.floatSplat(n, std::numeric_limits<double>::max(), e.b.getF64Type());
  Value result = x;
  if (rules.saturate) {
    Value isInf = e.make<arith::CmpFOp>(arith::CmpFPredicate::OGT,
                                        e.make<math::AbsFOp>(x), max);
    result = e.make<arith::SelectOp>(isInf, e.make<math::CopySignOp>(max, x),
                                     result);
  }
  if (rules.nanIsMax) {
    Value isNan = e.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
    result = e.make<arith::SelectOp>(isNan, max, result);
  }
  return result;
}

Value convertElements(BodyBuilder &e, Value raw, Format in, Format out,
                      CastRules rules) {
  if (in == Format::I32 && out == Format::I32)
    return raw;
  FormatVectors source(e, in), target(e, out);
  VectorType f64 =
      e.vec(cast<VectorType>(raw.getType()).getDimSize(0), e.b.getF64Type());
  // What f32 does not hold goes through f64.
  Value x = in == Format::F64   ? raw
            : in == Format::I32 ? e.make<arith::SIToFPOp>(f64, raw)
                                : source.toFloat(raw);
  if (out != Format::F64)
    return target.fromFloat(x, rules);
  if (x.getType() != f64)
    x = e.make<arith::ExtFOp>(f64, x);
  return wideDouble(e, x, rules);
}

/// e^x in f32. x = n ln 2 + r with |r| <= ln 2 / 2, so that e^x = 2^n e^r; ln 2
/// in two parts (Cody and Waite, 1980), e^r by its Taylor series to r^7, whose
/// next term is below 2^-30. 2^n in two steps, for subnormal results.
Value expFloat(BodyBuilder &e, Value x) {
  int64_t n = cast<VectorType>(x.getType()).getDimSize(0);
  Type f32 = e.b.getF32Type();
  auto splat = [&](double v) { return e.floatSplat(n, v, f32); };
  auto clampTo = [&](Value v, arith::CmpFPredicate p, double limit) {
    return e.make<arith::SelectOp>(e.make<arith::CmpFOp>(p, v, splat(limit)),
                                   splat(limit), v);
  };
  // Beyond these e^x is Inf or 0 whatever x is; NaN passes.
  Value in = clampTo(x, arith::CmpFPredicate::OGT, 89.0);
  in = clampTo(in, arith::CmpFPredicate::OLT, -104.0);
  Value turns = e.make<math::RoundEvenOp>(
      e.make<arith::MulFOp>(in, splat(1.44269504088896341)));
  // The first product is exact; what the second rounding drops is kept, it
  // would cost up to a quarter of an ulp.
  Value high = e.make<math::FmaOp>(turns, splat(-0x1.62e4p-1), in);
  Value low = splat(-0x1.7f7d1cp-20);
  Value r = e.make<math::FmaOp>(turns, low, high);
  Value dropped =
      e.make<math::FmaOp>(turns, low, e.make<arith::SubFOp>(high, r));
  Value p = splat(1.0 / 5040);
  for (double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5})
    p = e.make<math::FmaOp>(p, r, splat(c));
  // 1 + (r + (r^2 p + dropped)): the large part is added last.
  Value small = e.make<math::FmaOp>(e.make<arith::MulFOp>(r, r), p, dropped);
  Value result =
      e.make<arith::AddFOp>(e.make<arith::AddFOp>(r, small), splat(1.0));
  VectorType i32 = e.vec(n, e.b.getI32Type());
  Value exponent = e.make<arith::FPToSIOp>(i32, turns);
  Value half = e.make<arith::ShRSIOp>(exponent, e.intSplat(n, 1, 32));
  auto power = [&](Value k) {
    Value biased = e.make<arith::AddIOp>(k, e.intSplat(n, 127, 32));
    return e.make<arith::BitcastOp>(
        e.vec(n, f32), e.make<arith::ShLIOp>(biased, e.intSplat(n, 23, 32)));
  };
  result = e.make<arith::MulFOp>(result, power(half));
  result = e.make<arith::MulFOp>(result,
                                 power(e.make<arith::SubIOp>(exponent, half)));
  Value isNan = e.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
  return e.make<arith::SelectOp>(isNan, x, result);
}

} // namespace

static LogicalResult lowerCast(lab::CastOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Format in = *lab::formatOf(op.getInType()),
         out = *lab::formatOf(op.getOutType());
  CastRules rules;
  rules.round = op.getRound();
  const FormatInfo &target = info(out);
  rules.saturate = op.getOverflow()
                       ? *op.getOverflow() == lab::Overflow::Saturate
                       : isInteger(out) || (!target.hasInf && !target.hasNaN);
  rules.nanIsMax = op.getNan() && *op.getNan() == lab::NanRule::Max;
  RandomWords words(e, op.getSeed(), op.getPosition(), /*rowLength=*/0);
  // Random words are too much code to have several times.
  bool unroll = rules.round != lab::Rounding::Stochastic;
  forAllElements(e, lab::elementCount(op), op.getX(), in, op.getY(), out,
                 unroll, [&](Value raw, Value at) {
                   int64_t n = cast<VectorType>(raw.getType()).getDimSize(0);
                   rules.random = words.at(e.index(0), at, n);
                   return convertElements(e, raw, in, out, rules);
                 });
  op->erase();
  return success();
}

static LogicalResult lowerExp(lab::ExpOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Format in = *lab::formatOf(op.getInType()),
         out = *lab::formatOf(op.getOutType());
  const FormatInfo &target = info(out);
  CastRules rules;
  rules.saturate = isInteger(out) || (!target.hasInf && !target.hasNaN);
  FormatVectors source(e, in), result(e, out);
  forAllElements(e, lab::elementCount(op), op.getX(), in, op.getY(), out,
                 /*unroll=*/true, [&](Value raw, Value) {
                   return result.fromFloat(expFloat(e, source.toFloat(raw)),
                                           rules);
                 });
  op->erase();
  return success();
}

namespace {
struct CastBody : lab::LabBody::ExternalModel<CastBody, lab::CastOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerCast(cast<lab::CastOp>(op), vectorBytes);
  }
};
} // namespace

void labgen::registerCastBody(DialectRegistry &registry) {
  registerBody<lab::CastOp, CastBody>(registry);
}

namespace {
struct ExpBody : lab::LabBody::ExternalModel<ExpBody, lab::ExpOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerExp(cast<lab::ExpOp>(op), vectorBytes);
  }
};
} // namespace

void labgen::registerExpBody(DialectRegistry &registry) {
  registerBody<lab::ExpOp, ExpBody>(registry);
}
