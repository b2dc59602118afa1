// Banks.h - how often a warp-wide access to shared memory passes over the
// banks, by each vendor's rules.
#ifndef LABGEN_EMULATOR_CHECKS_BANKS_H
#define LABGEN_EMULATOR_CHECKS_BANKS_H

#include <array>
#include <cstdint>

namespace labgen::emu {

/// Banks are 4 bytes wide. An access is served in phases of as many lanes as
/// fill 32 banks: 32 lanes up to 4 bytes, 16 of 8, 8 of 16. Lanes of a phase
/// that want the same word of a bank share a pass, others take one each.
/// - NVIDIA: 32 banks, phases of consecutive lanes (CUDA C++ Programming Guide,
///   "Shared Memory"; 8- and 16-byte requests are split into halves and
///   quarters of the warp).
/// - AMD: 32 banks or 64, as the chip has; 16-byte reads pair lanes 0-3 with
///   20-23, 4-7 with 16-19 and so on, writes take consecutive lanes (Composable
///   Kernel's "LDS bank conflicts").
struct BankRule {
  unsigned banks = 32;
  bool pairsReads = false; ///< AMD's order of 16-byte reads on wave64
};

/// One access of a warp: the lanes of `mask` touch `bytes` at `offsets[lane]`.
struct WarpAccess {
  std::array<uint32_t, 64> offsets;
  uint64_t mask = 0;
  uint32_t bytes = 0;
  bool write = false;
};

/// Passes beyond the one each phase needs.
unsigned bankConflicts(const BankRule &rule, const WarpAccess &access);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_BANKS_H
