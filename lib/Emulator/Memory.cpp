// Memory.cpp - slots in one reserved address range.
#include "lib/Emulator/Memory.h"

#include <cstring>
#include <sys/mman.h>

namespace labgen::emu {

static constexpr uint64_t slotBytes = uint64_t(1) << Memory::slotShift;
static constexpr uint64_t rangeBytes = slotBytes * (Memory::maxBuffers + 2);

Result<std::unique_ptr<Memory>> Memory::create() {
  void *range = mmap(nullptr, rangeBytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED)
    return Status::missing("the emulated device can't reserve 2 TiB of "
                           "addresses; raise the limit (ulimit -v)");
  return std::unique_ptr<Memory>(new Memory(static_cast<char *>(range)));
}

Memory::~Memory() { munmap(reserved, rangeBytes); }

Result<unsigned> Memory::allocate(std::string name, uint64_t bytes, Role role) {
  if (table.size() == maxBuffers)
    return Status::badInput("more than " + std::to_string(maxBuffers) +
                            " buffers on the emulated device; use fewer");
  if (bytes >= slotBytes / 2)
    return Status::badInput("buffer '" + name + "' has " +
                            std::to_string(bytes) +
                            " bytes; the emulated device holds less than 16 "
                            "GiB a buffer");
  Buffer buffer{std::move(name), role, bytes,
                reserved + (table.size() + 1) * slotBytes, false};
  if (bytes) {
    if (mprotect(buffer.data, bytes, PROT_READ | PROT_WRITE))
      return Status::missing("no memory for the " + std::to_string(bytes) +
                             " bytes of buffer '" + buffer.name +
                             "'; take a smaller shape");
    adviseLargePages(buffer.data, bytes);
    std::memset(buffer.data, 0xCD, bytes);
  }
  size_t words = (bytes + 63) / 64;
  sets.push_back(
      {std::vector<uint64_t>(words, 0), std::vector<uint64_t>(words, 0)});
  table.push_back(std::move(buffer));
  return unsigned(table.size() - 1);
}

void Memory::free(unsigned buffer) { table[buffer].freed = true; }

void adviseLargePages(void *address, uint64_t bytes) {
#if defined(MADV_HUGEPAGE)
  // A wish: without large pages all works as well.
  (void)madvise(address, bytes, MADV_HUGEPAGE);
#else
  (void)address;
  (void)bytes;
#endif
}

static uint64_t population(const std::vector<uint64_t> &words) {
  uint64_t sum = 0;
  for (uint64_t word : words)
    sum += __builtin_popcountll(word);
  return sum;
}

Usage Memory::usage(unsigned buffer) const {
  return {population(sets[buffer].read), population(sets[buffer].written)};
}

} // namespace labgen::emu
