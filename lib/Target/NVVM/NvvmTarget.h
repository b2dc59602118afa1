// NvvmTarget.h - the last step for NVIDIA GPUs.
#ifndef LABGEN_LIB_TARGET_NVVM_NVVMTARGET_H
#define LABGEN_LIB_TARGET_NVVM_NVVMTARGET_H

#include "lib/Target/GPU/GpuTarget.h"

namespace labgen {

std::unique_ptr<GpuTarget> makeNvvmTarget(const ChipInfo &chip);

/// Registers the pipeline --labgen-nvvm.
void registerNvvmPipeline();

} // namespace labgen

#endif // LABGEN_LIB_TARGET_NVVM_NVVMTARGET_H
