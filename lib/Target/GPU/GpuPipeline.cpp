// GpuPipeline.cpp - see GpuPipeline.h.
#include "lib/Target/GPU/GpuPipeline.h"

#include "lib/Target/Codegen/Stages.h"
#include "lib/Target/GPU/GemmSchedule.h"
#include "lib/Target/GPU/Passes.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace labgen;

/// Bytes of the widest access of a GPU's thread.
static constexpr unsigned accessBytes = 16;

static void addScheduling(OpPassManager &pm, const GpuTarget &target) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createCanonicalizerPass());
  func.addPass(createLabDecompose({fewRows}));
  func.addPass(createLabGpuSchedule({target.chip.target()}));
}

static void addTiling(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createLabTile());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
}

static void addBodies(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createLabLowerTiles({accessBytes}));
  func.addPass(memref::createFoldMemRefAliasOpsPass());
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
}

static void addConversionToLLVM(OpPassManager &pm, const GpuTarget &target) {
  pm.addPass(createLabGpuAbi());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(memref::createFoldMemRefAliasOpsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(affine::createAffineExpandIndexOpsPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createLabGpuMath());
  target.addConversion(kernels);
  pm.addPass(createConvertVectorToLLVMPass());
  addLastConversions(pm);
}

LogicalResult labgen::buildGpuPipeline(OpPassManager &pm,
                                       const GpuTarget &target,
                                       StringRef stopAfter,
                                       std::string &error) {
  auto last = parsePipelineStage(stopAfter, error);
  if (!last)
    return failure();
  if (*last >= PipelineStage::Scheduled)
    addScheduling(pm, target);
  if (*last >= PipelineStage::Tiled)
    addTiling(pm);
  if (*last >= PipelineStage::Vector)
    addBodies(pm);
  if (*last >= PipelineStage::Target)
    addConversionToLLVM(pm, target);
  return success();
}

void labgen::registerGpuPipeline(
    StringRef vendor, StringRef summary,
    std::unique_ptr<GpuTarget> (*makeTarget)(const ChipInfo &)) {
  registerPassPipeline(
      ("labgen-" + vendor).str(), summary,
      [=](OpPassManager &pm, StringRef text,
          function_ref<LogicalResult(const Twine &)> report) {
        GpuPipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        auto chip = findGpuChip((vendor + ":" + options.chip).str());
        if (!chip)
          return report(chip.status().message());
        std::string error;
        if (failed(buildGpuPipeline(pm, *makeTarget(**chip), options.stopAfter,
                                    error)))
          return report(error);
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> report) {
        report(GpuPipelineOptions());
      });
}
