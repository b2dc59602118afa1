// Report.h - what a launch on the emulated device tells: findings of the checks
// and counters. It never tells a time.
#ifndef LABGEN_EMULATOR_REPORT_H
#define LABGEN_EMULATOR_REPORT_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace labgen::emu {

enum class Check { Memcheck, Initcheck, Racecheck, Synccheck };
std::string_view name(Check check);

/// All events of one kind at one instruction, with the first of them in order
/// of block and thread as the example.
struct Finding {
  Check check = Check::Memcheck;
  std::string message;     ///< "read past the end of the buffer"
  std::string buffer;      ///< name, "shared NAME", or empty
  int64_t offset = 0;      ///< bytes from its start; negative before it
  std::string instruction; ///< "FUNCTION: INSTRUCTION"
  std::string source;      ///< "FILE:LINE:COL" of its debug location, or empty
  std::array<uint32_t, 3> thread{}, block{};
  uint64_t count = 0; ///< events

  /// One line that says all of it.
  std::string text() const;
};

/// Sums over all threads of a launch. Global and shared counts are of accesses
/// in the device IR; local memory and kernel arguments are not counted.
struct Counters {
  uint64_t threads = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< global, as asked for
  /// Global, each byte once per launch; Memory::usage counts over launches.
  uint64_t uniqueBytesRead = 0, uniqueBytesWritten = 0;
  /// 32-byte segments touched, summed over warp-wide accesses.
  uint64_t sectorsRead = 0, sectorsWritten = 0;
  /// The least the same bytes could have taken: per warp-wide access the
  /// smaller of its sectors and ceil(bytes / 32).
  uint64_t idealSectorsRead = 0, idealSectorsWritten = 0;
  uint64_t sharedBytesRead = 0, sharedBytesWritten = 0;
  uint64_t sharedAccesses = 0; ///< warp-wide
  uint64_t bankConflicts = 0;  ///< extra passes over the banks
  uint64_t atomics = 0;        ///< lanes that performed one
  uint64_t flops = 0;          ///< fma = 2; matrix instructions included
  uint64_t matrixInstructions = 0;
  uint64_t warpCollectives = 0; ///< shuffles, votes, reductions, matrix, ...
  uint64_t barriers = 0;        ///< block barriers completed
  uint64_t divergentBranches = 0;

  Counters &operator+=(const Counters &other);
  /// Names as in rows (snake_case) and values.
  std::map<std::string, double> entries() const;
};

struct Report {
  std::vector<Finding> findings; ///< ordered by check, block, thread
  Counters counters;
  bool completed = false; ///< every thread ran to its end
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_REPORT_H
