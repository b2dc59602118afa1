// RocdlTarget.h - the last step for AMD GPUs.
#ifndef LABGEN_LIB_TARGET_ROCDL_ROCDLTARGET_H
#define LABGEN_LIB_TARGET_ROCDL_ROCDLTARGET_H

#include "lib/Target/GPU/GpuTarget.h"

namespace labgen {

std::unique_ptr<GpuTarget> makeRocdlTarget(const ChipInfo &chip);

/// Registers the pipeline --labgen-rocdl.
void registerRocdlPipeline();

} // namespace labgen

#endif // LABGEN_LIB_TARGET_ROCDL_ROCDLTARGET_H
