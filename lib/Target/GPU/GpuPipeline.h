// GpuPipeline.h - from a lab module to the LLVM dialect, for a GPU.
//
// `labgen-opt --labgen-nvvm`, `--labgen-rocdl`, the driver and the tests all
// build it here; a vendor registers it under its own name.
#ifndef LABGEN_LIB_TARGET_GPU_GPUPIPELINE_H
#define LABGEN_LIB_TARGET_GPU_GPUPIPELINE_H

#include "lib/Target/GPU/GpuTarget.h"
#include "mlir/Pass/PassOptions.h"

namespace labgen {

struct GpuPipelineOptions
    : public mlir::PassPipelineOptions<GpuPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("a chip of the vendor's, such as "
                                          "sm_90a or gfx942")};
  Option<std::string> stopAfter{
      *this, "stop-after",
      llvm::cl::desc("lab, scheduled, tiled, vector or target (all of it)"),
      llvm::cl::init("target")};
};

/// Adds the passes up to and with `stopAfter`. Fails on an unknown stage.
/// `target` must outlive this call only.
Status buildGpuPipeline(mlir::OpPassManager &pm, const GpuTarget &target,
                        llvm::StringRef stopAfter);

/// Registers it as --labgen-VENDOR, for chips named "VENDOR:CHIP".
void registerGpuPipeline(
    llvm::StringRef vendor, llvm::StringRef summary,
    std::unique_ptr<GpuTarget> (*makeTarget)(const ChipInfo &chip));

} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_GPUPIPELINE_H
