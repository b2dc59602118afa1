// Worker.cpp - a worker's shared memory, rounds and pending writes.
#include "lib/Emulator/Runtime/State.h"

#include <cstring>
#include <sys/mman.h>

namespace labgen::emu {

thread_local Thread *currentThread = nullptr;

bool Worker::prepare() {
  if (shared)
    return true;
  // Below 4 GiB, since device code keeps shared addresses in 32 bits, and at a
  // multiple of the capacity, since it masks them.
#if defined(MAP_FIXED_NOREPLACE)
  for (uint64_t at = 64 << 20; at < uint64_t(1) << 32; at += sharedCapacity) {
    void *range = mmap(
        reinterpret_cast<void *>(at), sharedCapacity, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (range == reinterpret_cast<void *>(at)) {
      shared = static_cast<char *>(range);
      break;
    }
    if (range != MAP_FAILED) // a kernel that doesn't know the flag
      munmap(range, sharedCapacity);
  }
#endif
  std::memset(sink, 0xCD, sizeof sink);
  size_t sites = module.sites.size();
  globalGroups.resize(sites);
  sharedGroups.resize(sites);
  branches.resize(sites);
  return shared != nullptr;
}

Worker::~Worker() {
  if (shared)
    munmap(shared, sharedCapacity);
}

void Worker::endRound() {
  if (!pending.empty())
    settle();
  if (!counting)
    return;
  globalGroups.forEach(
      [&](GlobalAccess &access) { access.sectors.count(counters); });
  sharedGroups.forEach([&](const WarpAccess &access) {
    ++counters.sharedAccesses;
    counters.bankConflicts += bankConflicts(module.banks, access);
  });
  branches.forEach(
      [&](uint8_t ways) { counters.divergentBranches += ways == 3; });
  globalGroups.clear();
  sharedGroups.clear();
  branches.clear();
}

void Worker::settle() {
  for (PendingWrite &write : pending)
    if (std::memcmp(write.address, write.before.data(), write.before.size()))
      findings.add(*write.thread, std::move(write.event));
  pending.clear();
}

void yieldTo(Thread &thread, State state) {
  thread.state = state;
  switchFiber(&thread.stackPointer, thread.worker->schedulerStack);
}

void stop(Thread &thread) {
  thread.worker->stopped = true;
  yieldTo(thread, State::Exited);
  __builtin_unreachable();
}

} // namespace labgen::emu
