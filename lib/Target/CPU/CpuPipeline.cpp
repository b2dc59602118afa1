// CpuPipeline.cpp - see CpuPipeline.h. Includes one header per conversion:
// mlir/Conversion/Passes.h alone costs half a minute and 2 GB.
#include "lib/Target/CPU/CpuPipeline.h"

#include "lib/Target/CPU/CpuTarget.h"
#include "lib/Target/CPU/Passes.h"
#include "lib/Target/Codegen/Stages.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace labgen;

static void addScheduling(OpPassManager &pm, const std::string &cpu) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createCanonicalizerPass());
  func.addPass(createLabDecompose());
  func.addPass(createLabCpuSchedule({cpu}));
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

static void addConversionToLLVM(OpPassManager &pm) {
  pm.addPass(createLabCpuAbi());
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(affine::createAffineExpandIndexOpsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  addLastConversions(pm);
}

LogicalResult labgen::buildCpuPipeline(OpPassManager &pm,
                                       const CpuPipelineOptions &options,
                                       std::string &error) {
  auto last = parsePipelineStage(options.stopAfter, error);
  if (!last)
    return failure();
  Result<CpuTarget> target = resolveCpu(options.cpu);
  if (!target) {
    error = target.status().message();
    return failure();
  }
  unsigned vectorBytes =
      options.vectorBytes ? options.vectorBytes : target->vectorBytes;
  if (*last >= PipelineStage::Scheduled)
    addScheduling(pm, options.cpu);
  if (*last >= PipelineStage::Tiled)
    addTiling(pm);
  if (*last >= PipelineStage::Vector)
    addBodies(pm, vectorBytes);
  if (*last >= PipelineStage::Target)
    addConversionToLLVM(pm);
  return success();
}

void labgen::registerCpuPipeline() {
  registerPassPipeline(
      "labgen-cpu", "From lab ops to the LLVM dialect, for a CPU",
      [](OpPassManager &pm, StringRef text,
         function_ref<LogicalResult(const Twine &)> report) {
        CpuPipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        std::string error;
        if (failed(buildCpuPipeline(pm, options, error)))
          return report(error);
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> report) {
        report(CpuPipelineOptions());
      });
}
