// GemmSchedule.h - the schedule of a gemm on a CPU.
#ifndef LABGEN_LIB_TARGET_CPU_GEMMSCHEDULE_H
#define LABGEN_LIB_TARGET_CPU_GEMMSCHEDULE_H

#include "dialects/Lab/Lab.h"
#include "lib/Target/CPU/CpuTarget.h"

namespace labgen {

/// What a micro-kernel is told as `extend` where numbers of a type are read.
llvm::SmallVector<mlir::Type> extendedOf(mlir::Type type,
                                         const CpuTarget &target);

lab::ScheduleAttr chooseGemmSchedule(lab::GemmOp op, const CpuTarget &target);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CPU_GEMMSCHEDULE_H
