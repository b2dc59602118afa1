// LaunchShape.cpp - see LaunchShape.h.
#include "lib/Target/GPU/LaunchShape.h"

#include "llvm/IR/Module.h"

using namespace labgen;

Status labgen::checkLaunchShape(const llvm::Module &module,
                                const LaunchShape &shape) {
  if (shape.isGiven())
    return Status::ok();
  for (const llvm::Function &f : module) {
    bool isKernel = f.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
                    f.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
    if (isKernel && !f.isDeclaration() && !f.hasFnAttribute("labgen-units") &&
        !f.hasFnAttribute("labgen-threads"))
      return Status::badInput(
          "kernel '" + f.getName().str() +
          "' does not say how it is launched; give --grid X[,Y[,Z]] and "
          "--block X[,Y[,Z]]");
  }
  return Status::ok();
}

void labgen::setLaunchShape(const LaunchShape &shape, ManifestKernel &kernel) {
  for (Launch &launch : kernel.launches) {
    if (shape.grid) {
      launch.grid = *shape.grid;
      launch.units = launch.grid[0] * launch.grid[1] * launch.grid[2];
    }
    if (shape.block)
      launch.block = *shape.block;
    launch.sharedBytes += shape.dynamicShared;
  }
}
