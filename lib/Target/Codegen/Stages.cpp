// Stages.cpp - see Stages.h.
#include "lib/Target/Codegen/Stages.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace mlir;
using namespace labgen;

std::optional<PipelineStage> labgen::parsePipelineStage(StringRef name,
                                                        std::string &error) {
  static constexpr std::array<StringRef, 5> stages = {
      "lab", "scheduled", "tiled", "vector", "target"};
  const auto *stage = llvm::find(stages, name);
  if (stage != stages.end())
    return static_cast<PipelineStage>(stage - stages.begin());
  error = "unknown stage '" + name.str() +
          "' to stop after; legal: " + llvm::join(stages, ", ");
  return std::nullopt;
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
