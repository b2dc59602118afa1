// GpuPipeline.cpp - see GpuPipeline.h.
#include "lib/Target/GPU/GpuPipeline.h"

#include "lib/Target/GPU/GemmSchedule.h"
#include "lib/Target/GPU/Passes.h"
#include "lib/Target/Pipeline/Pipeline.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace labgen;

/// Bytes of the widest access of a GPU's thread.
static constexpr unsigned accessBytes = 16;

static void addConversionToLLVM(OpPassManager &pm, const GpuTarget &target) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  target.addInstructions(func);
  func.addPass(createLabExpandFloats({accessBytes}));
  func.addPass(vector::createLowerVectorMultiReductionPass());
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

Status labgen::buildGpuPipeline(OpPassManager &pm, const GpuTarget &target,
                                StringRef stopAfter) {
  Result<Stage> last = parseStage(stopAfter, pipelineStages());
  if (!last)
    return last.status();
  addBodyPasses(pm, *last, createLabGpuSchedule({target.chip.target()}),
                {/*dequantizeAbove=*/fewRows, accessBytes});
  if (*last >= Stage::Target)
    addConversionToLLVM(pm, target);
  return Status::ok();
}

void labgen::registerGpuPipeline(
    StringRef vendor, StringRef summary,
    std::unique_ptr<GpuTarget> (*makeTarget)(const ChipInfo &)) {
  registerPipeline<GpuPipelineOptions>(
      ("labgen-" + vendor).str(), summary,
      [=](OpPassManager &pm, const GpuPipelineOptions &options) -> Status {
        auto chip = findGpuChip((vendor + ":" + options.chip).str());
        if (!chip)
          return chip.status();
        return buildGpuPipeline(pm, *makeTarget(**chip),
                                options.stopAfter.getValue());
      });
}
