// HostThreads.h - work done on several host threads at once, and the dealing of
// it.
#ifndef LABGEN_EMULATOR_HOSTTHREADS_H
#define LABGEN_EMULATOR_HOSTTHREADS_H

#include <algorithm>
#include <atomic>
#include <cstdint>
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

/// Deals the numbers below `total` to threads: to each a range of its own, the
/// same in every launch, of which its caches may still hold something; then
/// what others have left, so that one that is slow is no bottleneck.
class Shares {
public:
  Shares(uint64_t total, unsigned threads)
      : chunk(std::max<uint64_t>(1, total / (uint64_t(threads) * 16))),
        ranges(threads) {
    uint64_t begin = 0;
    for (unsigned i = 0; i < threads; ++i) {
      uint64_t size = total / threads + (i < total % threads);
      ranges[i].begin = begin;
      ranges[i].end = begin += size;
      // Everyone has its first chunk for sure.
      ranges[i].next = ranges[i].begin + chunk;
    }
  }
  /// Calls `visit` with those of one thread until it returns false.
  template <typename Visit> void forEach(unsigned thread, Visit visit) {
    for (size_t i = 0; i < ranges.size(); ++i) {
      Range &range = ranges[(thread + i) % ranges.size()];
      for (uint64_t first = i ? range.next.fetch_add(chunk) : range.begin;
           first < range.end; first = range.next.fetch_add(chunk))
        for (uint64_t n = first; n < std::min(range.end, first + chunk); ++n)
          if (!visit(n))
            return;
    }
  }

private:
  struct alignas(64) Range {
    uint64_t begin, end;
    std::atomic<uint64_t> next;
  };
  uint64_t chunk;
  std::vector<Range> ranges;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_HOSTTHREADS_H
