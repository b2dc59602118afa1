// Site.h - what the runtime knows of an instrumented instruction, and of the
// module around it. Made by the retargeting, read-only afterwards.
#ifndef LABGEN_EMULATOR_RUNTIME_SITE_H
#define LABGEN_EMULATOR_RUNTIME_SITE_H

#include "lib/Emulator/Checks/Banks.h"
#include "lib/Emulator/Checks/SharedShadow.h"

#include <cstdint>
#include <string>
#include <vector>

namespace labgen::emu {

struct IntrinsicRow;

struct Site {
  std::string instruction; ///< "FUNCTION: INSTRUCTION"
  std::string source;      ///< "FILE:LINE:COL" or empty
  const IntrinsicRow *intrinsic = nullptr;
  int sharedArray = -1; ///< the one array in shared memory it may touch
  Effects effects;      ///< of atomic accesses and polls
  std::vector<uint32_t> argumentBytes; ///< of intrinsics
  uint32_t resultBytes = 0;
};

/// Size and alignment of an access travel with its site in one constant.
struct Access {
  uint64_t packed;
  static uint64_t pack(uint32_t site, uint32_t bytes, unsigned logAlign) {
    return uint64_t(logAlign) << 56 | uint64_t(bytes) << 32 | site;
  }
  uint32_t site() const { return uint32_t(packed); }
  uint32_t bytes() const { return uint32_t(packed >> 32) & 0xFFFFFF; }
  uint64_t alignMask() const { return (uint64_t(1) << (packed >> 56)) - 1; }
};

/// An array in shared memory; `bytes` 0: dynamic, the rest of the launch's.
struct SharedArray {
  std::string name;
  uint32_t offset = 0, bytes = 0;
};

/// A local variable in its function's frame.
struct LocalVariable {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};
struct LocalFrame {
  std::vector<LocalVariable> variables; ///< by offset, with gaps between them
  uint64_t bytes = 0, alignment = 16;
};

struct ModuleInfo {
  bool nvidia = true;
  bool fnuz = false; ///< fp8 and bf8 of its instructions are the FNUZ formats
  unsigned warpSize = 32;
  BankRule banks;
  std::vector<Site> sites;
  std::vector<SharedArray> sharedArrays;
  uint32_t sharedBytes = 0;
  /// Every access to shared memory is a whole number of such cells.
  unsigned logSharedCell = 4;
  std::vector<LocalFrame> frames;
  uint64_t localBytes = 0; ///< of all frames together
  /// Of the host's stack: frames of all functions with two more of the largest,
  /// and the largest.
  uint64_t stackBytes = 0, largestFrame = 0;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_SITE_H
