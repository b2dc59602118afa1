// AxpyBody.cpp - y <- alpha x + y on a static run of elements.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

static LogicalResult lowerAxpy(lab::AxpyOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Type type = elementType(op.getX());
  Type acc = type.isF64() ? type : e.b.getF32Type();
  int64_t n = dimension(op.getX(), 0);
  int64_t lanes = e.lanes(e.isSimt ? type : acc);
  Value alpha = e.widen(e.make<vector::BroadcastOp>(
      e.vec(1, type), e.make<memref::LoadOp>(op.getAlpha())));
  auto step = [&](Value at, int64_t count) {
    Value x = e.widen(e.load(op.getX(), count, at));
    Value y = e.widen(e.load(op.getY(), count, at));
    Value r = e.make<math::FmaOp>(e.broadcast(alpha, count), x, y);
    e.store(e.narrow(r, type), op.getY(), at);
  };
  constexpr int64_t unroll = 4;
  int64_t whole = n / (lanes * unroll) * lanes * unroll;
  e.forLoop(0, whole, lanes * unroll, [&](Value i) {
    e.prefetch(op.getX(), Value(), i);
    e.prefetch(op.getY(), Value(), i);
    for (int64_t u = 0; u < unroll; ++u)
      step(e.add(i, u * lanes), lanes);
  });
  int64_t at = whole;
  for (int64_t piece : pieces(n - whole, lanes)) {
    step(e.index(at), piece);
    at += piece;
  }
  op->erase();
  return success();
}

namespace {
struct AxpyBody : lab::LabBody::ExternalModel<AxpyBody, lab::AxpyOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerAxpy(cast<lab::AxpyOp>(op), vectorBytes);
  }
};
} // namespace

void labgen::registerAxpyBody(DialectRegistry &registry) {
  registerBody<lab::AxpyOp, AxpyBody>(registry);
}
