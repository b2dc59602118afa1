// SharedShadow.cpp - the race rule: same epoch, different threads, at least one
// write, not both atomic, and no collective of their warp in between.
#include "lib/Emulator/Checks/SharedShadow.h"

#include <algorithm>
#include <limits>

namespace labgen::emu {

void SharedShadow::resize(uint32_t bytes, unsigned logCellBytes) {
  logCell = logCellBytes;
  cells.assign((bytes >> logCell) + 1, Cell());
}

uint32_t SharedShadow::nextEpoch() {
  if (epoch == std::numeric_limits<uint32_t>::max()) {
    std::fill(cells.begin(), cells.end(), Cell());
    epoch = blockEpoch = 0;
  }
  return ++epoch;
}

void SharedShadow::Party::add(const Accessor &who, uint32_t now) {
  if (epoch != now)
    return set(who, now);
  thread = thread == who.thread ? thread : many;
  warp = warp == who.warp ? warp : many;
  sync = std::max(sync, who.sync);
  site = who.site;
}

SharedShadow::Result SharedShadow::access(uint32_t offset, uint32_t bytes,
                                          Effects effects,
                                          const Accessor &who) {
  Result result;
  uint32_t last = (offset + bytes - 1) >> logCell;
  for (uint32_t index = offset >> logCell; index <= last; ++index) {
    Cell &cell = cells[index];
    auto note = [&](Hazard hazard, const Party &party) {
      if (result.hazard == Hazard::None)
        result = {hazard, party.thread, party.site, index};
    };
    if (effects.read && cell.initialised < blockEpoch)
      note(Hazard::Uninitialised, cell.writers);
    if (effects.poll)
      continue;
    Hazard afterWrite = effects.write ? Hazard::WriteWrite : Hazard::WriteRead;
    if (cell.writers.races(who, epoch))
      note(afterWrite, cell.writers);
    if (!effects.atomic && cell.atomics.races(who, epoch))
      note(afterWrite, cell.atomics);
    if (effects.write && cell.readers.races(who, epoch))
      note(Hazard::ReadWrite, cell.readers);
    if (effects.write)
      cell.initialised = epoch;
    if (effects.atomic) {
      if (effects.write) // what only reads may meet other atomics
        cell.atomics.add(who, epoch);
    } else if (effects.write)
      cell.writers.set(who, epoch);
    else
      cell.readers.add(who, epoch);
  }
  return result;
}

} // namespace labgen::emu
