// GpuTarget.cpp - see GpuTarget.h.
#include "lib/Target/GPU/GpuTarget.h"

#include "lib/Target/NVVM/NvvmTarget.h"
#include "lib/Target/ROCDL/RocdlTarget.h"

using namespace labgen;

Result<std::unique_ptr<GpuTarget>> GpuTarget::resolve(std::string_view target) {
  Result<const ChipInfo *> chip = findGpuChip(target);
  if (!chip)
    return chip.status();
  return (*chip)->vendor == Vendor::Nvidia ? makeNvvmTarget(**chip)
                                           : makeRocdlTarget(**chip);
}
