// EncodeBody.cpp - codes of a static tile for one scale that is known already.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/Quantize/QuantizeMath.h"
#include "lib/Transforms/Numerics/RandomWords.h"
#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/CodeVectors.h"

using namespace mlir;
using namespace labgen;

static LogicalResult lowerEncode(lab::EncodeOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  int64_t lanes = e.lanes(e.b.getF32Type()), k = dimension(op.getX(), 1);
  std::unique_ptr<QuantizeMath> math = QuantizeMath::make(
      e,
      {*lab::formatOf(op.getCodeType()), *lab::formatOf(op.getScaleFormat()),
       op.getRound(), op.getRange(), op.getInverse(), lab::Divisor::Stored,
       lab::ScaleRule::Floor, static_cast<bool>(op.getZero())},
      op.getGlobal());
  CodeVectors codes(e, op.getQ(), op.getCodeType());
  Value zero = e.index(0), divisor, point;
  if (op.getDivisor())
    divisor = e.load(op.getDivisor(), 1, {zero, zero});
  if (op.getZero())
    point = CodeVectors(e, op.getZero(), op.getCodeType()).load(zero, zero, 1);
  QuantizeMath::Scales scales =
      math->fromStored(e.load(op.getScale(), 1, {zero, zero}), divisor, point);
  RandomWords words(e, op.getSeed(), op.getPosition(), k);
  math->encodeGroup(scales, [&](const QuantizeMath::Scales &own) {
    auto step = [&](Value r, Value at, int64_t n, bool nontemporal) {
      Value x = e.widen(e.load(op.getX(), n, {r, at}));
      codes.store(
          math->encode(x, math->broadcast(own, 0, n), words.at(r, at, n)), r,
          at, nontemporal);
    };
    e.forLoop(0, dimension(op.getX(), 0), 1, [&](Value r) {
      int64_t whole = k / lanes * lanes;
      e.forLoop(0, whole, lanes, [&](Value at) {
        e.prefetch(op.getX(), r, at);
        step(r, at, lanes, e.kernel.nontemporal);
      });
      int64_t at = whole;
      for (int64_t n : pieces(k - whole, lanes, codes.granule())) {
        step(r, e.index(at), n, false);
        at += n;
      }
    });
  });
  op->erase();
  return success();
}

namespace {
struct EncodeBody : lab::LabBody::ExternalModel<EncodeBody, lab::EncodeOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerEncode(cast<lab::EncodeOp>(op), vectorBytes);
  }
};
} // namespace

void labgen::registerEncodeBody(DialectRegistry &registry) {
  registerBody<lab::EncodeOp, EncodeBody>(registry);
}
