// HostThreads.h - a piece of work done on several host threads at once.
#ifndef LABGEN_EMULATOR_HOSTTHREADS_H
#define LABGEN_EMULATOR_HOSTTHREADS_H

#include <thread>
#include <vector>

namespace labgen::emu {

/// Calls `work` with 0 to `count` - 1, each on a host thread of its own.
template <typename Work> void onThreads(unsigned count, Work work) {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < count; ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread &other : others)
    other.join();
}

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_HOSTTHREADS_H
