// Schedules.h - the schedules of lab ops on a CPU.
#ifndef LABGEN_LIB_TARGET_CPU_SCHEDULES_H
#define LABGEN_LIB_TARGET_CPU_SCHEDULES_H

#include "lib/Target/CPU/CpuTarget.h"
#include "lib/Target/Pipeline/OpSchedules.h"

namespace labgen {

const OpSchedules<CpuTarget> &cpuSchedules();

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CPU_SCHEDULES_H
