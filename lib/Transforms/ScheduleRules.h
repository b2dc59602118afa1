// ScheduleRules.h - what a schedule may ask of its op and of a target. Given
// schedules are checked and chosen ones as well: a wrong choice is found before
// it becomes wrong code.
#ifndef LABGEN_LIB_TRANSFORMS_SCHEDULERULES_H
#define LABGEN_LIB_TRANSFORMS_SCHEDULERULES_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// What schedules for a target may name.
struct ScheduleTarget {
  std::string name; ///< of the chip or CPU
  /// Threads that run in step and may share a tile; 0: no thread levels.
  int64_t wave = 0;
  std::vector<Format> extends, truncates; ///< legal in the lists of that name
  std::vector<lab::IntegerDot> dots;      ///< legal `integer_dot`
};

/// The small floats that an op's attributes name, each once.
llvm::SmallVector<mlir::Type> smallFloatsOf(mlir::Operation *op);

/// An error at `op` where its schedule does not fit it: another number of
/// dimensions, copies that only a gemm has, kernel parameters that its body
/// would not read.
llvm::LogicalResult checkScheduleOfOp(lab::LabAccess op,
                                      lab::ScheduleAttr schedule);

/// An error at `op` where its schedule asks for what `target` does not have.
llvm::LogicalResult checkScheduleOfTarget(lab::LabAccess op,
                                          lab::ScheduleAttr schedule,
                                          const ScheduleTarget &target);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_SCHEDULERULES_H
