// PrintCost.cpp - what lib/Spec says about every lab op of a function, as
// remarks: a look at the cost interface without compiling anything.
#include "lib/Transforms/Passes.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace labgen {
#define GEN_PASS_DEF_LABPRINTCOST
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;

namespace {

struct PrintCostPass : labgen::impl::LabPrintCostBase<PrintCostPass> {
  void runOnOperation() override {
    getOperation().walk([](labgen::lab::LabCost op) {
      FailureOr<labgen::KernelSpec> spec = op.getSpec();
      if (failed(spec)) {
        op->emitRemark("no spec describes this op, so it has no cost");
        return;
      }
      labgen::Cost cost = labgen::cost(*spec);
      op->emitRemark() << spec->str() << " reads " << cost.bytesRead
                       << " bytes, writes " << cost.bytesWritten << " bytes, "
                       << cost.flops << " flops";
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
