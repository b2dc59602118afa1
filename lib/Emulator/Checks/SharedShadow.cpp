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

SharedShadow::Result SharedShadow::access(uint32_t offset, uint32_t bytes,
                                          Effects effects,
                                          const Accessor &who) {
  auto [read, write, atomic] = effects;
  Result result;
  uint32_t last = (offset + bytes - 1) >> logCell;
  for (uint32_t index = offset >> logCell; index <= last; ++index) {
    Cell &cell = cells[index];
    auto note = [&](Hazard hazard, uint16_t thread, uint32_t site) {
      if (result.hazard == Hazard::None)
        result = {hazard, thread, site, index};
    };
    bool afterWrite =
        cell.writeEpoch == epoch && cell.writer != who.thread &&
        !(cell.atomic && atomic) &&
        !(cell.writerWarp == who.warp && who.sync > cell.writeSync);
    bool afterRead = write && cell.readEpoch == epoch &&
                     cell.reader != who.thread &&
                     !(cell.readerWarp == who.warp && who.sync > cell.readSync);
    if (afterWrite)
      note(write ? Hazard::WriteWrite : Hazard::WriteRead, cell.writer,
           cell.writeSite);
    else if (afterRead)
      note(Hazard::ReadWrite, cell.reader, cell.readSite);
    if (read && cell.writeEpoch < blockEpoch)
      note(Hazard::Uninitialised, 0, 0);

    if (write) {
      cell.writeEpoch = epoch;
      cell.writeSync = who.sync;
      cell.writeSite = who.site;
      cell.writer = who.thread;
      cell.writerWarp = who.warp;
      cell.atomic = atomic;
    } else if (!atomic) {
      bool first = cell.readEpoch != epoch;
      cell.reader = first || cell.reader == who.thread ? who.thread : many;
      cell.readerWarp = first || cell.readerWarp == who.warp ? who.warp : many;
      cell.readSync = first ? who.sync : std::max(cell.readSync, who.sync);
      cell.readEpoch = epoch;
      cell.readSite = who.site;
    }
  }
  return result;
}

} // namespace labgen::emu
