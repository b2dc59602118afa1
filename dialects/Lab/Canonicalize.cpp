// Canonicalize.cpp - folders and canonicalizations of the lab ops: casts to
// static shapes are absorbed, ops that touch no element go away.
#include "dialects/Lab/Lab.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace labgen::lab;

/// Whether every output of the op has no element. (A gemm with k = 0 still
/// writes zeros, a reduction of nothing its identity.)
static bool writesNothing(DestinationStyleOpInterface op) {
  if (auto quantize = dyn_cast<QuantizeOp>(op.getOperation()))
    if (quantize.getGlobal() && !quantize.getGlobalKnown())
      return false;
  return llvm::all_of(op.getDpsInits(), [](Value v) {
    return llvm::is_contained(cast<MemRefType>(v.getType()).getShape(), 0);
  });
}

/// Unlike memref::foldMemRefCast, a cast that adds a size stays: the op needs
/// to see it.
LogicalResult labgen::lab::absorbCasts(Operation *op) {
  bool absorbed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<memref::CastOp>();
    if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
      continue;
    operand.set(cast.getSource());
    absorbed = true;
  }
  return success(absorbed);
}

LogicalResult
labgen::lab::eraseIfNothingIsWritten(DestinationStyleOpInterface op,
                                     PatternRewriter &rewriter) {
  if (!writesNothing(op))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
