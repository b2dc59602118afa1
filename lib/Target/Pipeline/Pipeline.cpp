// Pipeline.cpp - see Pipeline.h. Includes one header per conversion:
// mlir/Conversion/Passes.h alone costs half a minute and 2 GB.
#include "lib/Target/Pipeline/Pipeline.h"

#include "lib/Transforms/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace labgen;

static void addScheduling(OpPassManager &pm, std::unique_ptr<Pass> schedule,
                          int64_t dequantizeAbove) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createCanonicalizerPass());
  func.addPass(createLabDecompose({dequantizeAbove}));
  func.addPass(std::move(schedule));
}

static void addTiling(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createLabTile());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
}

static void addBodies(OpPassManager &pm, unsigned vectorBytes) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createLabLowerTiles({vectorBytes}));
  func.addPass(memref::createFoldMemRefAliasOpsPass());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
}

void labgen::addBodyPasses(OpPassManager &pm, Stage last,
                           std::unique_ptr<Pass> schedule,
                           const BodyOptions &options) {
  if (last >= Stage::Scheduled)
    addScheduling(pm, std::move(schedule), options.dequantizeAbove);
  if (last >= Stage::Tiled)
    addTiling(pm);
  if (last >= Stage::Vector)
    addBodies(pm, options.vectorBytes);
}

void labgen::addLastConversions(OpPassManager &pm) {
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}
