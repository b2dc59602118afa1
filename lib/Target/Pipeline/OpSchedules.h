// OpSchedules.h - how a target chooses schedules: a function for each op.
#ifndef LABGEN_LIB_TARGET_PIPELINE_OPSCHEDULES_H
#define LABGEN_LIB_TARGET_PIPELINE_OPSCHEDULES_H

#include "lib/Transforms/ScheduleRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace labgen {

/// What a target has for every op. TargetT says what it is made for.
template <typename TargetT> class OpSchedules {
public:
  /// One function for each op; the attribute it returns is null for an op that
  /// is left as it is.
  template <typename... OpTs>
  OpSchedules(lab::ScheduleAttr (*...choose)(OpTs, const TargetT &)) {
    (add(choose), ...);
  }

  /// Whether there is a function for the op: "lab.axpy".
  bool has(llvm::StringRef op) const { return choosers.contains(op); }

  /// An error at `op` where it has no function.
  mlir::FailureOr<lab::ScheduleAttr> choose(mlir::Operation *op,
                                            const TargetT &target) const {
    auto chooser = choosers.find(op->getName().getStringRef());
    if (chooser == choosers.end())
      return op->emitOpError("has no schedule on this target; give it one as "
                             "its attribute, or a function in the target's "
                             "Schedules.cpp");
    return chooser->second(op, target);
  }

private:
  template <typename OpT>
  void add(lab::ScheduleAttr (*choose)(OpT, const TargetT &)) {
    choosers[OpT::getOperationName()] = [choose](mlir::Operation *op,
                                                 const TargetT &target) {
      return choose(llvm::cast<OpT>(op), target);
    };
  }

  llvm::StringMap<
      std::function<lab::ScheduleAttr(mlir::Operation *, const TargetT &)>>
      choosers;
};

/// Gives the lab ops of a function that have none the schedule of `choose`, and
/// holds all of them to what `legal` may name.
llvm::LogicalResult scheduleOps(
    mlir::func::FuncOp function,
    llvm::function_ref<mlir::FailureOr<lab::ScheduleAttr>(lab::LabAccess)>
        choose,
    const ScheduleTarget &legal);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_PIPELINE_OPSCHEDULES_H
