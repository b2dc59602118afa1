// Shuffles.cpp - see Passes.td.
#include "lib/Target/NVVM/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace labgen {
#define GEN_PASS_DEF_LABNVVMSHUFFLES
#include "lib/Target/NVVM/Passes.h.inc"
} // namespace labgen

using namespace mlir;

namespace {

constexpr int64_t warpSize = 32;

NVVM::ShflKind kindOf(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return NVVM::ShflKind::bfly;
  case gpu::ShuffleMode::DOWN:
    return NVVM::ShflKind::down;
  case gpu::ShuffleMode::UP:
    return NVVM::ShflKind::up;
  case gpu::ShuffleMode::IDX:
    return NVVM::ShflKind::idx;
  }
  llvm_unreachable("every mode is handled");
}

/// Ones for the `width` lanes around this one.
Value maskOf(OpBuilder &b, Location loc, int64_t width) {
  Type i32 = b.getI32Type();
  auto constant = [&](int64_t v) -> Value {
    return LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(v));
  };
  if (width == warpSize)
    return constant(-1);
  Value lane = NVVM::LaneIdOp::create(b, loc, i32);
  Value first = LLVM::AndOp::create(b, loc, lane, constant(-width));
  return LLVM::ShlOp::create(b, loc, constant((int64_t(1) << width) - 1),
                             first);
}

LogicalResult lower(gpu::ShuffleOp op) {
  APInt width;
  if (!matchPattern(op.getWidth(), m_ConstantInt(&width)) ||
      !width.isPowerOf2() || width.ugt(warpSize))
    return op.emitOpError("needs a constant power of two up to 32 as width");
  if (!op.getValue().getType().isInteger(32))
    return op.emitOpError("shuffles i32 only; bitcast the value");
  if (!op.getValid().use_empty())
    return op.emitOpError("`valid` is not available; compare lanes instead");
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type i32 = b.getI32Type();
  int64_t lanes = width.getSExtValue();
  // The clamp of PTX: segments of `lanes`, and which lanes are out of range.
  int64_t clamp = ((warpSize - lanes) << 8) |
                  (op.getMode() == gpu::ShuffleMode::UP ? 0 : warpSize - 1);
  Value result = NVVM::ShflOp::create(
      b, loc, i32, maskOf(b, loc, lanes), op.getValue(), op.getOffset(),
      LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(clamp)),
      kindOf(op.getMode()), UnitAttr());
  op.getShuffleResult().replaceAllUsesWith(result);
  op.erase();
  return success();
}

struct ShufflesPass : labgen::impl::LabNvvmShufflesBase<ShufflesPass> {
  void runOnOperation() override {
    SmallVector<gpu::ShuffleOp> ops;
    getOperation()->walk([&](gpu::ShuffleOp op) { ops.push_back(op); });
    for (gpu::ShuffleOp op : ops)
      if (failed(lower(op)))
        return signalPassFailure();
  }
};

} // namespace
