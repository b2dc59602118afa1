// GemmBody.cpp - which body a gemm gets: its schedule names one, or its
// operands tell.
#include "lib/Transforms/GemmBody.h"

#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/Gemm/GemmBodies.h"
#include "lib/Transforms/Bodies/UnrolledSize.h"

using namespace mlir;
using namespace labgen;

static StringRef bodyOf(lab::GemmOp op) {
  auto leaf = op->getAttrOfType<DictionaryAttr>(lab::leafAttrName);
  auto body = leaf ? leaf.getAs<StringAttr>("body") : StringAttr();
  return body ? body.getValue() : defaultGemmBody(op);
}

static LogicalResult lowerGemm(lab::GemmOp op, int64_t vectorBytes) {
  StringRef name = bodyOf(op);
  Type c = cast<MemRefType>(op.getC().getType()).getElementType();
  int64_t lanes = std::max<int64_t>(
      name == "dot" ? 1 : vectorBytes * 8 / c.getIntOrFloatBitWidth(), 1);
  if (failed(checkUnrolledSums(op, lanes)))
    return failure();
  if (c.isBF16() || c.isF16())
    return op.emitOpError("has no body that sums in ")
           << c << "; decompose it first, which sums in f32";
  if (name == "outer")
    return lowerGemmOuter(op, vectorBytes);
  if (name == "dot")
    return lowerGemmDot(op, vectorBytes);
  return op.emitOpError("schedule asks for body \"")
         << name << "\"; legal: \"outer\", \"dot\"";
}

namespace {
struct GemmBody : lab::LabBody::ExternalModel<GemmBody, lab::GemmOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerGemm(cast<lab::GemmOp>(op), vectorBytes);
  }
  bool dealsToThreads(Operation *op) const {
    return bodyOf(cast<lab::GemmOp>(op)) != "outer";
  }
};
} // namespace

void labgen::registerGemmBody(DialectRegistry &registry) {
  registerBody<lab::GemmOp, GemmBody>(registry);
}
