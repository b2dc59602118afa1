// Merge.h - what the workers of a launch did to global memory, put together
// after it.
//
// Most pages belong to one worker, which needs no comparison; those that nobody
// came to are not looked at.
#ifndef LABGEN_EMULATOR_CHECKS_MERGE_H
#define LABGEN_EMULATOR_CHECKS_MERGE_H

#include "lib/Emulator/Checks/GlobalShadow.h"
#include "lib/Emulator/Report.h"

namespace labgen::emu {

class Merge {
public:
  /// Of shadows that ran a launch on `memory`; on as many host threads.
  Merge(std::vector<const GlobalShadow *> shadows, Memory &memory);

  /// Whether two workers touched the same bytes in a way that may be a race.
  bool hasConflict() const;
  /// Adds what was touched to the memory's sets and counts it once per byte.
  void addTo(Counters &counters) const;

private:
  template <typename Visit>
  void walk(size_t least, unsigned part, unsigned parts, Visit visit) const;
  template <typename Visit> void forEachPage(size_t least, Visit visit) const;

  std::vector<const GlobalShadow *> shadows;
  Memory &memory;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_MERGE_H
