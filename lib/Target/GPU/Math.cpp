// Math.cpp - see Passes.td.
#include "lib/Target/GPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace labgen {
#define GEN_PASS_DEF_LABGPUMATH
#include "lib/Target/GPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;

/// What every back end selects without a library; empty for the rest.
static StringRef intrinsicOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AbsFOp) { return "llvm.fabs"; })
      .Case([](math::CopySignOp) { return "llvm.copysign"; })
      .Case([](math::FmaOp) { return "llvm.fma"; })
      .Case([](math::FloorOp) { return "llvm.floor"; })
      .Case([](math::RoundEvenOp) { return "llvm.roundeven"; })
      .Case([](math::RoundOp) { return "llvm.round"; })
      .Case([](math::TruncOp) { return "llvm.trunc"; })
      .Default([](Operation *) { return ""; });
}

namespace {

struct MathPass : labgen::impl::LabGpuMathBase<MathPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      StringRef name = intrinsicOf(op);
      if (name.empty())
        return;
      OpBuilder b(op);
      auto call = LLVM::CallIntrinsicOp::create(
          b, op->getLoc(), op->getResult(0).getType(), b.getStringAttr(name),
          op->getOperands());
      op->replaceAllUsesWith(call);
      op->erase();
    });
  }
};

} // namespace
