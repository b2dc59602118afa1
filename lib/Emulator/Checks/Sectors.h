// Sectors.h - the 32-byte segments of global memory a warp-wide access touches.
#ifndef LABGEN_EMULATOR_CHECKS_SECTORS_H
#define LABGEN_EMULATOR_CHECKS_SECTORS_H

#include "lib/Emulator/Report.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace labgen::emu {

/// A set of sectors: a window of 64 around the first, and a list of others,
/// numbered from the start of the window. Accesses one behind the other, which
/// lanes mostly do, go in as one run.
class SectorSet {
public:
  static constexpr unsigned shift = 5;

  void start(uint64_t address, bool isWrite) {
    runBegin = runEnd = address;
    base = (address >> shift) - 32;
    window = 0;
    bytes = 0;
    write = isWrite;
    others.clear();
  }
  void add(uint64_t address, uint32_t size) {
    if (address != runEnd) {
      endRun();
      runBegin = address;
    }
    runEnd = address + size;
  }
  /// Where the run of the last access goes on, and going on there.
  uint64_t end() const { return runEnd; }
  void extend(uint32_t size) { runEnd += size; }

  void count(Counters &counters) {
    endRun();
    uint64_t touched = __builtin_popcountll(window);
    if (!others.empty()) {
      std::sort(others.begin(), others.end());
      touched += std::unique(others.begin(), others.end()) - others.begin();
    }
    uint64_t ideal = std::min(touched, (bytes + 31) >> shift);
    (write ? counters.sectorsWritten : counters.sectorsRead) += touched;
    (write ? counters.idealSectorsWritten : counters.idealSectorsRead) += ideal;
  }

private:
  void endRun() {
    if (runBegin == runEnd)
      return;
    bytes += runEnd - runBegin;
    uint64_t first = (runBegin >> shift) - base,
             last = ((runEnd - 1) >> shift) - base;
    if (first < 64 && last < 64) {
      window |= ((uint64_t(2) << (last - first)) - 1) << first;
      return;
    }
    for (uint64_t sector = first; sector != last + 1; ++sector)
      if (sector < 64)
        window |= uint64_t(1) << sector;
      else
        others.push_back(sector);
  }

  uint64_t runEnd = 0, runBegin = 0;
  uint64_t base = 0, window = 0, bytes = 0;
  std::vector<uint64_t> others;
  bool write = false;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_SECTORS_H
