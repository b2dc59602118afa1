// Schedules.h - the schedules of lab ops on a GPU.
#ifndef LABGEN_LIB_TARGET_GPU_SCHEDULES_H
#define LABGEN_LIB_TARGET_GPU_SCHEDULES_H

#include "lib/Target/Chips/Chips.h"
#include "lib/Target/Pipeline/OpSchedules.h"

namespace labgen {

const OpSchedules<ChipInfo> &gpuSchedules();

} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_SCHEDULES_H
