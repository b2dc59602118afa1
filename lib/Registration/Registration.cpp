// Registration.cpp - see Registration.h. The one library file that pays for
// InitAllDialects.h.
#include "lib/Registration/Registration.h"

#include "dialects/Lab/Lab.h"
#include "lib/Target/CPU/CpuPipeline.h"
#include "lib/Target/CPU/Passes.h"
#include "lib/Target/GPU/Passes.h"
#include "lib/Target/NVVM/NvvmTarget.h"
#include "lib/Target/NVVM/Passes.h"
#include "lib/Target/ROCDL/Passes.h"
#include "lib/Target/ROCDL/RocdlTarget.h"
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void labgen::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<lab::LabDialect>();
  registerBodies(registry);
}

void labgen::registerAllPasses() {
  registerLabPasses();
  registerLabCpuPasses();
  registerLabGpuPasses();
  registerLabNvvmPasses();
  registerLabRocdlPasses();
  registerCpuPipeline();
  registerNvvmPipeline();
  registerRocdlPipeline();
}
