// GemmSchedule.h - the schedule of a gemm on a GPU.
#ifndef LABGEN_LIB_TARGET_GPU_GEMMSCHEDULE_H
#define LABGEN_LIB_TARGET_GPU_GEMMSCHEDULE_H

#include "dialects/Lab/Lab.h"
#include "lib/Target/Chips/Chips.h"

namespace labgen {

/// Up to so many rows of A, the weights are read once whatever one does: dot
/// products along k. Above, tiles of A and B go through shared memory.
constexpr int64_t fewRows = 8;

lab::ScheduleAttr chooseGpuGemmSchedule(lab::GemmOp op, const ChipInfo &chip);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_GEMMSCHEDULE_H
