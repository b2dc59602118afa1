// Schedule.cpp - the pass that gives ops the schedules of Schedules.cpp, and
// tells bodies what the chip converts.
#include "lib/Target/Chips/Conversions.h"
#include "lib/Target/GPU/Passes.h"
#include "lib/Target/GPU/Schedules.h"

namespace labgen {
#define GEN_PASS_DEF_LABGPUSCHEDULE
#include "lib/Target/GPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

/// What schedules for the chip may name. Threads share by instructions within a
/// wave.
ScheduleTarget legalOn(const ChipInfo &chip) {
  ScheduleTarget legal;
  legal.name = chip.name;
  legal.wave = chip.waveSize.value;
  Conversions conversions = conversionsOf(chip);
  legal.extends = conversions.extends;
  legal.truncates = conversions.truncates;
  legal.dots = {IntegerDot::Generic};
  return legal;
}

bool isCode(Value v) {
  return codeBits(getElementTypeOrSelf(v.getType())) <= 8;
}

/// Whether a cast may give what is too large for its result.
bool overflows(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && cast.getOverflow() != lab::Overflow::Saturate;
}

/// Tells the micro-kernel which formats of the op the chip converts.
ScheduleAttr withConversions(ScheduleAttr schedule, LabAccess op,
                             const Conversions &chip) {
  KernelParameters kernel = schedule.getKernel().toParameters();
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  bool reads = !isa<CastOp>(op) || isCode(op->getOperand(0));
  bool writes = llvm::any_of(destination.getDpsInits(), isCode);
  for (Type type : smallFloatsOf(op)) {
    Format format = *formatOf(type);
    bool needsInf = chip.onlySaturates && info(format).hasInf && overflows(op);
    if (reads && chip.extendsFrom(format))
      kernel.extend.push_back(type);
    if (writes && !needsInf && chip.truncatesTo(format))
      kernel.truncate.push_back(type);
  }
  return ScheduleAttr::get(schedule.getContext(), schedule.getLevels(), kernel);
}

struct SchedulePass : labgen::impl::LabGpuScheduleBase<SchedulePass> {
  using LabGpuScheduleBase::LabGpuScheduleBase;

  void runOnOperation() override {
    Result<const ChipInfo *> chip = findGpuChip(target.getValue());
    if (!chip) {
      getOperation().emitError(chip.status().message());
      return signalPassFailure();
    }
    Conversions conversions = conversionsOf(**chip);
    auto choose = [&](LabAccess op) -> FailureOr<ScheduleAttr> {
      FailureOr<ScheduleAttr> schedule = gpuSchedules().choose(op, **chip);
      if (failed(schedule) || !*schedule)
        return schedule;
      return withConversions(*schedule, op, conversions);
    };
    if (failed(scheduleOps(getOperation(), choose, legalOn(**chip))))
      signalPassFailure();
  }
};

} // namespace
