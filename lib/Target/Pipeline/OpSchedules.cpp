// OpSchedules.cpp - see OpSchedules.h.
#include "lib/Target/Pipeline/OpSchedules.h"

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

LogicalResult
labgen::scheduleOps(func::FuncOp function,
                    function_ref<FailureOr<ScheduleAttr>(LabAccess)> choose,
                    const ScheduleTarget &legal) {
  auto result = function.walk([&](LabAccess op) {
    if (op->getParentOp() != function) // a tile already
      return WalkResult::advance();
    auto schedule = op->getAttrOfType<ScheduleAttr>(scheduleAttrName);
    if (!schedule) {
      FailureOr<ScheduleAttr> chosen = choose(op);
      if (failed(chosen))
        return WalkResult::interrupt();
      if (!*chosen)
        return WalkResult::advance();
      schedule = *chosen;
      op->setAttr(scheduleAttrName, schedule);
    }
    return WalkResult(checkScheduleOfTarget(op, schedule, legal));
  });
  return failure(result.wasInterrupted());
}
