// What every op of the dialect has: a body, and a schedule on each kind of
// target. A new op that lacks one is named here.
#include "lib/Registration/Registration.h"
#include "lib/Target/CPU/Schedules.h"
#include "lib/Target/GPU/Schedules.h"
#include "lib/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace mlir;

static std::vector<RegisteredOperationName> labOps(MLIRContext &context) {
  context.loadDialect<lab::LabDialect>();
  std::vector<RegisteredOperationName> ops;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == "lab")
      ops.push_back(op);
  return ops;
}

/// Names of the ops that lack something.
template <typename HasT> static std::string
lacking(llvm::ArrayRef<RegisteredOperationName> ops, HasT has) {
  std::string names;
  for (RegisteredOperationName op : ops)
    if (!has(op))
      names += op.getStringRef().str() + " ";
  return names;
}

TEST(Ops, HaveWhatEveryOpHas) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  std::vector<RegisteredOperationName> ops = labOps(context);
  EXPECT_GE(ops.size(), 9u);
  EXPECT_EQ(
      lacking(ops,
              [](auto op) { return op.template hasInterface<lab::LabBody>(); }),
      "")
      << "have no body in lib/Transforms/Bodies";
  EXPECT_EQ(
      lacking(ops,
              [](auto op) { return cpuSchedules().has(op.getStringRef()); }),
      "")
      << "have no schedule in lib/Target/CPU/Schedules.cpp";
  EXPECT_EQ(
      lacking(ops,
              [](auto op) { return gpuSchedules().has(op.getStringRef()); }),
      "")
      << "have no schedule in lib/Target/GPU/Schedules.cpp";
}

/// The error of a pass on one axpy, in a context that knows no bodies.
static std::string errorOf(std::unique_ptr<Pass> pass) {
  MLIRContext context;
  context.loadDialect<lab::LabDialect, func::FuncDialect>();
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(
      "func.func @f(%a: memref<f32>, %x: memref<8xf32>, %y: memref<8xf32>) {\n"
      "  lab.axpy %a, %x, %y : memref<f32>, memref<8xf32>, memref<8xf32>\n"
      "  return\n"
      "}\n",
      &context);
  PassManager pm(&context);
  pm.nest<func::FuncOp>().addPass(std::move(pass));
  EXPECT_TRUE(failed(pm.run(*module)));
  return error;
}

TEST(Ops, WithoutABodyAreNamed) {
  EXPECT_EQ(errorOf(createLabLowerTiles()),
            "'lab.axpy' op has no body on a tile; implement LabBody for it in "
            "lib/Transforms/Bodies, or decompose it into ops that have one");
}

static lab::ScheduleAttr scheduleNothing(lab::CastOp, const int &) {
  return {};
}

TEST(Ops, WithoutAScheduleAreNamed) {
  struct Scheduling : PassWrapper<Scheduling, OperationPass<func::FuncOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Scheduling)
    void runOnOperation() override {
      OpSchedules<int> schedules(scheduleNothing);
      auto choose = [&](lab::LabAccess op) { return schedules.choose(op, 0); };
      if (failed(scheduleOps(getOperation(), choose, {})))
        signalPassFailure();
    }
  };
  EXPECT_EQ(errorOf(std::make_unique<Scheduling>()),
            "'lab.axpy' op has no schedule on this target; give it one as its "
            "attribute, or a function in the target's Schedules.cpp");
}
