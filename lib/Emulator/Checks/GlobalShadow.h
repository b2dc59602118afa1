// GlobalShadow.h - what one worker knows of every byte of global memory: who
// touched it in this launch.
//
// One line per 64 bytes, one bit per byte and kind. "Before" are the earlier
// blocks of this worker, the rest is the running block; a line rolls over when
// another block first touches it, so nothing is cleared between blocks. Blocks
// on different workers are compared after the launch (Merge.h), page by page:
// most pages belong to one worker alone.
#ifndef LABGEN_EMULATOR_CHECKS_GLOBALSHADOW_H
#define LABGEN_EMULATOR_CHECKS_GLOBALSHADOW_H

#include "lib/Emulator/Memory.h"

#include <array>
#include <vector>

namespace labgen::emu {

/// A poll is an atomic load, or one that waits for another block's write: it
/// may race with anything.
enum class Kind : uint8_t { Read, Write, Atomic, Poll };

struct alignas(64) Line {
  uint64_t readBefore, writtenBefore, atomicBefore;
  uint64_t read, written, atomic;
  uint64_t polled;     ///< by any block
  uint32_t block;      ///< serial number of the block the second row is of
  uint32_t writerSite; ///< of the last write
};

class GlobalShadow {
public:
  struct Slot {
    uint64_t bytes = 0;
    Line *lines = nullptr;
    /// Bit per byte written before this launch; null where the host did it.
    const uint64_t *initialised = nullptr;
    bool freed = false, constant = false;
    size_t mapped = 0; ///< lines
    /// Serial number of the last block that came to each page.
    std::vector<uint32_t> pages;
  };
  static constexpr unsigned pageShift = 12; ///< 4 KiB of data

  GlobalShadow() = default;
  GlobalShadow(const GlobalShadow &) = delete;
  ~GlobalShadow();

  /// Starts a launch on `memory`; false when there is no memory for it.
  bool startLaunch(Memory &memory);
  void startBlock() {
    ++block;
    ordered = false;
  }

  /// Index of the slot of an address; beyond slots() for others.
  uint64_t slotOf(const char *address) const {
    return uint64_t(address - base) >> Memory::slotShift;
  }
  static uint64_t offsetOf(const char *base, const char *address) {
    return uint64_t(address - base) & ((uint64_t(1) << Memory::slotShift) - 1);
  }
  const char *rangeBase() const { return base; }
  uint64_t slots() const { return table.size(); }
  Slot &slot(uint64_t index) { return table[index]; }

  Line &line(Slot &slot, uint64_t offset) {
    Line &line = slot.lines[offset >> 6];
    if (line.block != block)
      rollOver(slot, offset);
    return line;
  }
  /// The mask, within its line, of bytes that another block of this worker
  /// touched in a way that `kind` may not follow.
  static uint64_t conflict(const Line &line, uint64_t mask, Kind kind) {
    switch (kind) {
    case Kind::Read:
      return mask & (line.writtenBefore | line.atomicBefore);
    case Kind::Write:
      return mask & (line.readBefore | line.writtenBefore | line.atomicBefore);
    case Kind::Atomic:
      return mask & (line.readBefore | line.writtenBefore);
    case Kind::Poll:
      return 0;
    }
    return 0;
  }
  /// Bytes nobody wrote: not the host, no earlier launch, no block so far.
  static uint64_t uninitialised(const Slot &slot, const Line &line,
                                uint64_t offset, uint64_t mask) {
    return mask & ~(slot.initialised[offset >> 6] | line.written |
                    line.writtenBefore | line.atomic | line.atomicBefore);
  }
  static void record(Line &line, uint64_t mask, Kind kind, uint32_t site) {
    if (kind == Kind::Read || kind == Kind::Poll) {
      (kind == Kind::Read ? line.read : line.polled) |= mask;
      return;
    }
    (kind == Kind::Write ? line.written : line.atomic) |= mask;
    line.writerSite = site;
  }

  /// Whether this worker's blocks came to a page of a slot in this launch.
  bool touchedPage(uint64_t slot, uint64_t page) const {
    return table[slot].pages[page] >= firstBlock;
  }
  /// All that they did to 64 bytes.
  struct Touched {
    uint64_t read = 0, written = 0, atomic = 0, polled = 0;
  };
  Touched touched(uint64_t slot, uint64_t word) const {
    const Line &line = table[slot].lines[word];
    if (line.block < firstBlock)
      return {};
    return {line.readBefore | line.read, line.writtenBefore | line.written,
            line.atomicBefore | line.atomic, line.polled};
  }

  /// Set once the running block has performed a global atomic: what it reads
  /// later may have been handed over by other blocks.
  bool ordered = false;

private:
  void rollOver(Slot &slot, uint64_t offset);
  std::array<Slot, Memory::maxBuffers + 2> table;
  const char *base = nullptr;
  uint32_t block = 0, firstBlock = 1;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_CHECKS_GLOBALSHADOW_H
