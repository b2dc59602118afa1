// Sectors.h - the 32-byte segments of global memory a warp-wide access touches.
#ifndef LABGEN_EMULATOR_CHECKS_SECTORS_H
#define LABGEN_EMULATOR_CHECKS_SECTORS_H

#include "lib/Emulator/Report.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace labgen::emu {

/// A set of sectors: a window of 64 around the first, and a list of others.
class SectorSet {
public:
  static constexpr unsigned shift = 5;

  void start(uint64_t address, bool isWrite) {
    base = (address >> shift) - 32;
    window = 0;
    bytes = 0;
    write = isWrite;
    others.clear();
  }
  void add(uint64_t address, uint32_t size) {
    bytes += size;
    uint64_t last = (address + size - 1) >> shift;
    for (uint64_t sector = address >> shift; sector <= last; ++sector) {
      if (sector - base < 64)
        window |= uint64_t(1) << (sector - base);
      else
        others.push_back(sector);
    }
  }
  void count(Counters &counters) {
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
  uint64_t base = 0, window = 0, bytes = 0;
  std::vector<uint64_t> others;
  bool write = false;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_SECTORS_H
