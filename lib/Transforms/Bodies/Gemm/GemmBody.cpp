// GemmBody.cpp - which micro-kernel a gemm gets: its schedule names one, or
// its operands tell.
#include "lib/Transforms/GemmBody.h"

#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/Gemm/GemmBodies.h"
#include "lib/Transforms/Bodies/UnrolledSize.h"

using namespace mlir;
using namespace labgen;

static lab::MicroKernel microKernelOf(lab::GemmOp op) {
  return lab::kernelOf(op).kind.value_or(defaultMicroKernel(op));
}

static LogicalResult lowerGemm(lab::GemmOp op, int64_t vectorBytes) {
  bool dots = microKernelOf(op) == lab::MicroKernel::Dot;
  Type c = cast<MemRefType>(op.getC().getType()).getElementType();
  int64_t lanes = std::max<int64_t>(
      dots ? 1 : vectorBytes * 8 / c.getIntOrFloatBitWidth(), 1);
  if (failed(checkUnrolledSums(op, lanes)))
    return failure();
  if (c.isBF16() || c.isF16())
    return op.emitOpError("has no body that sums in ")
           << c << "; decompose it first, which sums in f32";
  return dots ? lowerGemmDot(op, vectorBytes) : lowerGemmOuter(op, vectorBytes);
}

namespace {
struct GemmBody : lab::LabBody::ExternalModel<GemmBody, lab::GemmOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerGemm(cast<lab::GemmOp>(op), vectorBytes);
  }
  bool dealsToThreads(Operation *op) const {
    return microKernelOf(cast<lab::GemmOp>(op)) == lab::MicroKernel::Dot;
  }
};
} // namespace

void labgen::registerGemmBody(DialectRegistry &registry) {
  registerBody<lab::GemmOp, GemmBody>(registry);
}
