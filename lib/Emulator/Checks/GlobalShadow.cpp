// GlobalShadow.cpp - mapping and rolling over of lines.
#include "lib/Emulator/Checks/GlobalShadow.h"

#include <limits>
#include <sys/mman.h>

namespace labgen::emu {

static void unmap(GlobalShadow::Slot &slot) {
  if (slot.lines)
    munmap(slot.lines, slot.mapped * sizeof(Line));
  slot.lines = nullptr;
  slot.mapped = 0;
  slot.pages.clear();
}

GlobalShadow::~GlobalShadow() {
  for (Slot &slot : table)
    unmap(slot);
}

bool GlobalShadow::startLaunch(Memory &memory) {
  // Serial numbers grow from launch to launch, so that old lines are known by
  // theirs. Before they run out, all is forgotten.
  if (block > std::numeric_limits<uint32_t>::max() / 2) {
    block = 0;
    for (Slot &slot : table)
      unmap(slot);
  }
  firstBlock = block + 1;
  base = memory.base();
  for (Slot &slot : table) {
    slot.bytes = 0;
    slot.freed = false;
    slot.initialised = nullptr;
  }
  const std::vector<Buffer> &buffers = memory.buffers();
  for (unsigned i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    Slot &slot = table[i + 1];
    slot.freed = buffer.freed;
    slot.constant = buffer.role == Role::Input;
    slot.bytes = buffer.freed ? 0 : buffer.bytes;
    if (buffer.role == Role::Output || buffer.role == Role::Workspace)
      slot.initialised = memory.byteSets(i).written.data();
    size_t lines = (buffer.bytes + 63) / 64;
    if (lines <= slot.mapped)
      continue;
    unmap(slot);
    void *range = mmap(nullptr, lines * sizeof(Line), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
      return false;
    adviseLargePages(range, lines * sizeof(Line));
    slot.lines = static_cast<Line *>(range);
    slot.mapped = lines;
    slot.pages.assign((buffer.bytes >> pageShift) + 1, 0);
  }
  return true;
}

void GlobalShadow::rollOver(Slot &slot, uint64_t offset) {
  Line &line = slot.lines[offset >> 6];
  slot.pages[offset >> pageShift] = block;
  if (line.block < firstBlock) {
    line.readBefore = line.writtenBefore = line.atomicBefore = 0;
    line.polled = 0;
  } else {
    line.readBefore |= line.read;
    line.writtenBefore |= line.written;
    line.atomicBefore |= line.atomic;
  }
  line.read = line.written = line.atomic = 0;
  line.block = block;
}

} // namespace labgen::emu
