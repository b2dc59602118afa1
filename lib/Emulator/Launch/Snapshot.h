// Snapshot.h - all memory a launch may change, as it was before, for a launch
// that has to be undone.
#ifndef LABGEN_EMULATOR_LAUNCH_SNAPSHOT_H
#define LABGEN_EMULATOR_LAUNCH_SNAPSHOT_H

#include "lib/Emulator/Memory.h"
#include "lib/Emulator/Runtime/State.h"

namespace labgen::emu {

class Snapshot {
public:
  /// Copies buffers that are no inputs and static variables that are no
  /// constants, on `threads` host threads.
  void take(const Memory &memory,
            const std::vector<GlobalVariableRange> &variables,
            unsigned threads);
  /// Puts back what was taken.
  void restore() const;

private:
  struct Range {
    char *address;
    uint64_t bytes;
    std::vector<char> copy;
  };
  std::vector<Range> ranges;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_LAUNCH_SNAPSHOT_H
