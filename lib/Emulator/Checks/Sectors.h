// Sectors.h - the 32-byte segments of global memory a warp-wide access touches.
#ifndef LABGEN_EMULATOR_CHECKS_SECTORS_H
#define LABGEN_EMULATOR_CHECKS_SECTORS_H

#include "lib/Emulator/Report.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace labgen::emu {

/// A set of sectors: a window of 64 around the first, and a list of others,
/// numbered from the start of the window.
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
  [[gnu::always_inline]] void add(uint64_t address, uint32_t size) {
    bytes += size;
    uint64_t first = (address >> shift) - base,
             last = ((address + size - 1) >> shift) - base;
    if (first < 64 && last < 64) {
      window |= ((uint64_t(2) << (last - first)) - 1) << first;
      return;
    }
    addOthers(first, last);
  }
  void count(Counters &counters) {
    // Sectors of the window may be on the list when an access left it.
    for (uint64_t &sector : others)
      if (sector < 64)
        window |= uint64_t(1) << sector;
    others.erase(std::remove_if(others.begin(), others.end(),
                                [](uint64_t sector) { return sector < 64; }),
                 others.end());
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
  [[gnu::noinline]] void addOthers(uint64_t first, uint64_t last) {
    for (uint64_t sector = first; sector != last + 1; ++sector)
      others.push_back(sector);
  }

  uint64_t base = 0, window = 0, bytes = 0;
  std::vector<uint64_t> others;
  bool write = false;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_SECTORS_H
