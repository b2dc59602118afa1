// CpuPipeline.cpp - see CpuPipeline.h.
#include "lib/Target/CPU/CpuPipeline.h"

#include "lib/Target/CPU/CpuTarget.h"
#include "lib/Target/CPU/Passes.h"
#include "lib/Target/Pipeline/Pipeline.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace labgen;

static void addConversionToLLVM(OpPassManager &pm, const std::string &cpu,
                                unsigned vectorBytes) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createLabCpuDots({cpu}));
  func.addPass(createLabCpuTables({cpu}));
  func.addPass(createLabExpandFloats({vectorBytes}));
  func.addPass(vector::createLowerVectorMultiReductionPass());
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

Status labgen::buildCpuPipeline(OpPassManager &pm,
                                const CpuPipelineOptions &options) {
  Result<Stage> last =
      parseStage(options.stopAfter.getValue(), pipelineStages());
  if (!last)
    return last.status();
  Result<CpuTarget> target = resolveCpu(options.cpu);
  if (!target)
    return target.status();
  BodyOptions bodies;
  bodies.vectorBytes =
      options.vectorBytes ? options.vectorBytes : target->vectorBytes;
  addBodyPasses(pm, *last, createLabCpuSchedule({options.cpu}), bodies);
  if (*last >= Stage::Target)
    addConversionToLLVM(pm, options.cpu, bodies.vectorBytes);
  return Status::ok();
}

void labgen::registerCpuPipeline() {
  registerPipeline<CpuPipelineOptions>(
      "labgen-cpu", "From lab ops to the LLVM dialect, for a CPU",
      buildCpuPipeline);
}
