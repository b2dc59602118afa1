// Tile.cpp - the one tiling pass: any lab op, by its schedule.
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/ScheduleRules.h"
#include "lib/Transforms/Tiles/Tiler.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace labgen {
#define GEN_PASS_DEF_LABTILE
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

struct TilePass : labgen::impl::LabTileBase<TilePass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](LabAccess op) {
      if (op->hasAttr(scheduleAttrName))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (auto [phase, op] : llvm::enumerate(ops)) {
      auto schedule = op->getAttrOfType<ScheduleAttr>(scheduleAttrName);
      if (!schedule) {
        op->emitOpError("schedule must be a #lab.schedule attribute");
        return signalPassFailure();
      }
      if (failed(checkScheduleOfOp(cast<LabAccess>(op), schedule)))
        return signalPassFailure();
      op->removeAttr(scheduleAttrName);
      Tiler tiler(rewriter, getOperation(), schedule, phase);
      if (failed(tiler.run(op, schedule.getLevels(), 0)))
        return signalPassFailure();
    }
  }
};

} // namespace
