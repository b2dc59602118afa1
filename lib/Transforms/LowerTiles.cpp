// LowerTiles.cpp - gives every lab op that is left the body made for it.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/UnrolledSize.h"
#include "lib/Transforms/GemmBody.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace labgen {
#define GEN_PASS_DEF_LABLOWERTILES
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

/// Threads that share a tile must be dealt its parts, or each does all of it.
LogicalResult requireOneThread(Operation *op) {
  auto leaf = op->getAttrOfType<DictionaryAttr>(lab::leafAttrName);
  auto threads = leaf ? leaf.getAs<IntegerAttr>("threads") : IntegerAttr();
  if (!threads || threads.getInt() == 1)
    return success();
  return op->emitOpError("schedule's thread level lets ")
         << threads.getInt()
         << " threads share a tile, which this body does not deal; legal: 1";
}

/// The bodies that deal a tile: the rest is for one thread.
bool dealsToThreads(Operation *op) {
  if (auto reduce = dyn_cast<lab::ReduceOp>(op)) // one after the other
    return !lab::isSum(reduce.getKind()) ||
           reduce.getOrder() != lab::SumOrder::Sequential;
  return isa<lab::DequantizeOp, lab::GemmOp, lab::QuantizeOp>(op);
}

StringRef bodyOf(lab::GemmOp op) {
  auto leaf = op->getAttrOfType<DictionaryAttr>(lab::leafAttrName);
  auto body = leaf ? leaf.getAs<StringAttr>("body") : StringAttr();
  return body ? body.getValue() : defaultGemmBody(op);
}

LogicalResult lowerGemm(lab::GemmOp op, int64_t vectorBytes) {
  Type c = cast<MemRefType>(op.getC().getType()).getElementType();
  if (c.isBF16() || c.isF16())
    return op.emitOpError("has no body that sums in ")
           << c << "; decompose it first, which sums in f32";
  StringRef name = bodyOf(op);
  if (name == "outer")
    return failed(requireOneThread(op)) ? failure()
                                        : lowerGemmOuter(op, vectorBytes);
  if (name == "dot")
    return lowerGemmDot(op, vectorBytes);
  return op.emitOpError("schedule asks for body \"")
         << name << "\"; legal: \"outer\", \"dot\"";
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
      int64_t bytes = vectorBytes;
      auto gemm = dyn_cast<lab::GemmOp>(op);
      if ((!dealsToThreads(op) && failed(requireOneThread(op))) ||
          failed(checkUnrolledParts(op, gemm && bodyOf(gemm) == "dot", bytes)))
        return signalPassFailure();
      count.start(op);
      auto lowered =
          llvm::TypeSwitch<Operation *, LogicalResult>(op)
              .Case([&](lab::AxpyOp o) { return lowerAxpy(o, bytes); })
              .Case([&](lab::CastOp o) { return lowerCast(o, bytes); })
              .Case([&](lab::ExpOp o) { return lowerExp(o, bytes); })
              .Case([&](lab::CopyOp o) { return lowerCopy(o, bytes); })
              .Case([&](lab::DequantizeOp o) {
                return lowerDequantize(o, bytes);
              })
              .Case([&](lab::EncodeOp o) { return lowerEncode(o, bytes); })
              .Case([&](lab::GemmOp o) { return lowerGemm(o, bytes); })
              .Case([&](lab::QuantizeOp o) { return lowerQuantize(o, bytes); })
              .Case([&](lab::ReduceOp o) { return lowerReduce(o, bytes); })
              .Default(
                  [](Operation *o) { return o->emitOpError("has no body"); });
      if (failed(lowered) || failed(count.done()))
        return signalPassFailure();
    }
  }
};

} // namespace
