// SharedShadow.h - who wrote and read each cell of a block's shared memory
// since the last barrier.
//
// A cell is the largest power of two that divides every access of the module,
// so no access covers a part of one. Time is the number of barriers so far
// (epochs, counted on over blocks, so nothing is cleared); within a warp, time
// is also the number of its collectives.
#ifndef LABGEN_EMULATOR_CHECKS_SHAREDSHADOW_H
#define LABGEN_EMULATOR_CHECKS_SHAREDSHADOW_H

#include <cstdint>
#include <vector>

namespace labgen::emu {

/// Which sides of an access exist; a read-modify-write has both. A poll is a
/// read that waits for another thread's write.
struct Effects {
  bool read = false, write = false, atomic = false, poll = false;
};

/// Who accesses: thread and warp of the block, and the warp's time.
struct Accessor {
  uint16_t thread = 0, warp = 0;
  uint32_t sync = 0;
  uint32_t site = 0;
};

class SharedShadow {
public:
  enum class Hazard { None, WriteWrite, WriteRead, ReadWrite, Uninitialised };
  struct Result {
    Hazard hazard = Hazard::None;
    uint16_t thread = 0; ///< the other side; `many` when several
    uint32_t site = 0;
    uint32_t cell = 0;
  };
  static constexpr uint16_t many = 0xFFFF;

  void resize(uint32_t bytes, unsigned logCellBytes);
  void startBlock() { blockEpoch = nextEpoch(); }
  void barrier() { nextEpoch(); }

  /// Checks and records an access; tells the first hazard in it.
  Result access(uint32_t offset, uint32_t bytes, Effects effects,
                const Accessor &who);

private:
  /// Those who accessed a cell in one way: one thread, or several.
  struct Party {
    uint32_t epoch = 0, sync = 0, site = 0;
    uint16_t thread = 0, warp = 0; ///< `many` when several
    /// Whether someone of this epoch is not ordered before `who`.
    bool races(const Accessor &who, uint32_t now) const {
      return epoch == now && thread != who.thread &&
             !(warp == who.warp && who.sync > sync);
    }
    void set(const Accessor &who, uint32_t now) {
      *this = {now, who.sync, who.site, who.thread, who.warp};
    }
    void add(const Accessor &who, uint32_t now);
  };
  struct Cell {
    Party writers, readers, atomics;
    uint32_t initialised = 0; ///< epoch of the last write of any kind
  };
  uint32_t nextEpoch();
  std::vector<Cell> cells;
  unsigned logCell = 0;
  uint32_t epoch = 0, blockEpoch = 0;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_SHAREDSHADOW_H
