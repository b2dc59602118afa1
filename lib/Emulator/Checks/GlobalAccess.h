// GlobalAccess.h - an access of a warp to global memory, as its lanes perform
// it one after another.
//
// What one lane's access needs looked up mostly serves its neighbours too: they
// access the bytes right behind, in the same line of the shadow.
#ifndef LABGEN_EMULATOR_CHECKS_GLOBALACCESS_H
#define LABGEN_EMULATOR_CHECKS_GLOBALACCESS_H

#include "lib/Emulator/Checks/GlobalShadow.h"
#include "lib/Emulator/Checks/Sectors.h"

namespace labgen::emu {

struct alignas(64) GlobalAccess {
  SectorSet sectors;
  /// Where the last lane was.
  GlobalShadow::Slot *slot = nullptr;
  Line *line = nullptr;
  /// From sectors.end() to here a lane may access `line` without another look:
  /// in bounds, and nothing to be found until the block has ended.
  uint64_t clearedTo = 0;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_GLOBALACCESS_H
