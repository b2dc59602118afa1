// Schedule.cpp - the pass that gives ops the schedules of Schedules.cpp.
#include "lib/Target/CPU/Passes.h"
#include "lib/Target/CPU/Schedules.h"

namespace labgen {
#define GEN_PASS_DEF_LABCPUSCHEDULE
#include "lib/Target/CPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

/// What schedules for the processor may name.
ScheduleTarget legalOn(const CpuTarget &target) {
  ScheduleTarget legal;
  legal.name = target.cpu;
  legal.extends = target.extends;
  legal.dots = {IntegerDot::Generic, IntegerDot::Pairs};
  if (target.dot == IntegerDot::Quads)
    legal.dots.push_back(IntegerDot::Quads);
  return legal;
}

struct SchedulePass : labgen::impl::LabCpuScheduleBase<SchedulePass> {
  using LabCpuScheduleBase::LabCpuScheduleBase;

  void runOnOperation() override {
    Result<CpuTarget> target = resolveCpu(cpu);
    if (!target) {
      getOperation().emitError(target.status().message());
      return signalPassFailure();
    }
    auto choose = [&](lab::LabAccess op) {
      return cpuSchedules().choose(op, *target);
    };
    if (failed(scheduleOps(getOperation(), choose, legalOn(*target))))
      signalPassFailure();
  }
};

} // namespace
