// CastBody.cpp - cast on a static run of elements.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/ElementVectors.h"
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Numerics/RandomWords.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

namespace {

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

} // namespace

static LogicalResult lowerCast(lab::CastOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Format in = *lab::formatOf(op.getInType()),
         out = *lab::formatOf(op.getOutType());
  CastRules rules = CastRules::defaultsOf(out);
  rules.round = op.getRound();
  if (op.getOverflow())
    rules.saturate = *op.getOverflow() == lab::Overflow::Saturate;
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
