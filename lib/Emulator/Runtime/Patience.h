// Patience.h - how long a thread's loops may turn.
//
// A loop is endless when the thread has made more iterations than its work can
// ask for, and has had time. Compiled kernels count down; only when a portion
// is used up does anyone look at the clock.
#ifndef LABGEN_EMULATOR_RUNTIME_PATIENCE_H
#define LABGEN_EMULATOR_RUNTIME_PATIENCE_H

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace labgen::emu {

/// Of one thread, in the block it runs in.
struct LoopCount {
  uint64_t block = ~uint64_t(0), iterations = 0;
  std::chrono::steady_clock::time_point since;
};

class Patience {
public:
  void start(uint64_t mostIterations, double leastSeconds) {
    most = mostIterations;
    seconds = leastSeconds;
  }
  /// Iterations until the next look.
  int64_t portion() const {
    return int64_t(std::min<uint64_t>(most, uint64_t(1) << 20));
  }
  /// A portion went by, nearly all of it in this thread of block `block`:
  /// whether its loops have no end in sight.
  bool isOver(LoopCount &count, uint64_t block) const {
    auto now = std::chrono::steady_clock::now();
    if (count.block != block)
      count = {block, 0, now};
    count.iterations += uint64_t(portion());
    return count.iterations >= most &&
           std::chrono::duration<double>(now - count.since).count() >= seconds;
  }

private:
  uint64_t most = 0;
  double seconds = 0;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_PATIENCE_H
