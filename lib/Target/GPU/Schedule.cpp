// Schedule.cpp - the pass that gives ops the schedules of Schedules.cpp, and
// tells bodies what the chip converts.
#include "lib/Target/GPU/Passes.h"
#include "lib/Target/GPU/Schedules.h"
#include "lib/Transforms/Vector/Conversions.h"

namespace labgen {
#define GEN_PASS_DEF_LABGPUSCHEDULE
#include "lib/Target/GPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

/// Whose instructions convert small floats, as bodies are told: none, those of
/// 8 bits, with those below.
std::vector<std::string> convertersOf(const ChipInfo &chip) {
  std::vector<std::string> words = {""};
  if (chip.f8.value == NativeF8::None)
    return words;
  words.push_back(chip.vendor == Vendor::Nvidia    ? "nvvm"
                  : chip.f8.value == NativeF8::Ocp ? "amdgcn-ocp"
                                                   : "amdgcn-fnuz");
  if (chip.f6f4.value != NativeF6F4::None)
    words.push_back(words.back() +
                    (chip.f6f4.value == NativeF6F4::F4 ? "-f4" : "-f6f4"));
  return words;
}

/// What schedules for the chip may name. Threads share by instructions within a
/// wave; other converters do not exist there, or read another format.
ScheduleTarget legalOn(const ChipInfo &chip) {
  ScheduleTarget legal;
  legal.name = chip.name;
  legal.wave = chip.waveSize.value;
  legal.converters = convertersOf(chip);
  legal.dots = {IntegerDot::Generic};
  return legal;
}

/// Whether an op has to do with a format that the chip converts.
bool converts(Operation *op, StringRef converter) {
  return llvm::any_of(op->getAttrs(), [&](NamedAttribute attribute) {
    auto named = dyn_cast<TypeAttr>(attribute.getValue());
    auto format = named ? formatOf(named.getValue()) : std::nullopt;
    return format && findNativeConversion(converter, *format);
  });
}
ScheduleAttr withConverter(ScheduleAttr schedule, StringRef converter) {
  KernelParameters kernel = schedule.getKernel().toParameters();
  kernel.convert = converter;
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
    std::string converter = convertersOf(**chip).back();
    auto choose = [&](LabAccess op) -> FailureOr<ScheduleAttr> {
      FailureOr<ScheduleAttr> schedule = gpuSchedules().choose(op, **chip);
      if (failed(schedule) || !*schedule || !converts(op, converter))
        return schedule;
      return withConverter(*schedule, converter);
    };
    if (failed(scheduleOps(getOperation(), choose, legalOn(**chip))))
      signalPassFailure();
  }
};

} // namespace
