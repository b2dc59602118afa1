// Banks.cpp - distinct words per bank, phase by phase.
#include "lib/Emulator/Checks/Banks.h"

#include <algorithm>
#include <utility>

namespace labgen::emu {

// The phase that serves a lane, when a phase has `width` lanes.
static unsigned phaseOf(const BankRule &rule, const WarpAccess &access,
                        unsigned lane, unsigned width) {
  if (!rule.pairsReads || access.write || width != 8)
    return lane / width;
  // Fours of lanes 0..7 of a half wave go together as (0,5) (1,4) (2,7) (3,6).
  static constexpr unsigned phases[8] = {0, 1, 2, 3, 1, 0, 3, 2};
  return lane / 32 * 4 + phases[lane % 32 / 4];
}

unsigned bankConflicts(const BankRule &rule, const WarpAccess &access) {
  unsigned words = std::max(1u, (access.bytes + 3) / 4);
  // 12 bytes go as 16, what is larger as several accesses of 16.
  unsigned width = words == 1 ? 32 : words == 2 ? 16 : 8;
  unsigned passes = 0;
  for (unsigned part = 0; part < words; part += 4) {
    for (unsigned phase = 0; phase < 64 / width; ++phase) {
      std::array<std::pair<uint32_t, uint32_t>, 64 * 4> wanted; // bank, word
      unsigned count = 0;
      for (unsigned lane = 0; lane < 64; ++lane) {
        if (!(access.mask >> lane & 1) ||
            phaseOf(rule, access, lane, width) != phase)
          continue;
        for (unsigned i = part; i < std::min(part + 4, words); ++i) {
          uint32_t word = access.offsets[lane] / 4 + i;
          wanted[count++] = {word % rule.banks, word};
        }
      }
      if (!count)
        continue;
      std::sort(wanted.begin(), wanted.begin() + count);
      auto end = std::unique(wanted.begin(), wanted.begin() + count);
      unsigned most = 0, run = 0;
      for (auto it = wanted.begin(); it != end; ++it) {
        run = it != wanted.begin() && it[-1].first == it->first ? run + 1 : 1;
        most = std::max(most, run);
      }
      passes += most - 1;
    }
  }
  return passes;
}

} // namespace labgen::emu
