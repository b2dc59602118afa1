// LowerTiles.cpp - gives every lab op that is left the body made for it.
#include "dialects/Lab/Lab.h"
#include "lib/Transforms/Bodies/UnrolledSize.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace labgen {
#define GEN_PASS_DEF_LABLOWERTILES
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

/// What would be overlooked: the micro-kernel under an older name or as another
/// attribute.
LogicalResult requireKernelAttribute(Operation *op) {
  if (op->hasAttr("leaf"))
    return op->emitOpError("has `leaf`, which has a new name; write `kernel = "
                           "#lab.kernel<...>`");
  Attribute kernel = op->getAttr(lab::kernelAttrName);
  if (!kernel || isa<lab::KernelAttr>(kernel))
    return success();
  return op->emitOpError("has kernel = ")
         << kernel << "; write `kernel = #lab.kernel<...>`";
}

/// Lanes that share a tile must be dealt its parts, or each does all of it.
LogicalResult requireOneThread(Operation *op) {
  int64_t lanes = lab::kernelOf(op).lanes.value_or(1);
  if (lanes == 1)
    return success();
  return op->emitOpError("schedule's warp level lets ")
         << lanes
         << " lanes share a tile, which this body does not deal; make it a "
            "thread level";
}

/// Replaces the op by the body made for it.
LogicalResult lowerOp(Operation *op, int64_t vectorBytes) {
  auto body = dyn_cast<lab::LabBody>(op);
  if (!body)
    return op->emitOpError(
        "has no body on a tile; implement LabBody for it in "
        "lib/Transforms/Bodies, or decompose it into ops that have one");
  if (failed(requireKernelAttribute(op)))
    return failure();
  if (!body.dealsToThreads() && failed(requireOneThread(op)))
    return failure();
  return body.lower(vectorBytes);
}

struct LowerTilesPass : labgen::impl::LabLowerTilesBase<LowerTilesPass> {
  using LabLowerTilesBase::LabLowerTilesBase;

  void runOnOperation() override {
    if (vectorBytes != 16 && vectorBytes != 32 && vectorBytes != 64) {
      getOperation().emitError("vector-bytes must be 16, 32 or 64, got ")
          << vectorBytes.getValue();
      return signalPassFailure();
    }
    SmallVector<Operation *> ops;
    getOperation().walk([&](lab::LabAccess op) { ops.push_back(op); });
    OperationCount count(&getContext());
    for (Operation *op : ops) {
      count.start(op);
      if (failed(lowerOp(op, vectorBytes)) || failed(count.done()))
        return signalPassFailure();
    }
  }
};

} // namespace
