// Deadline.h - how long to wait for another process, in steps a poll can take.
#ifndef LABGEN_RUNTIME_PROCESS_DEADLINE_H
#define LABGEN_RUNTIME_PROCESS_DEADLINE_H

#include <algorithm>
#include <chrono>

namespace labgen {

class Deadline {
public:
  explicit Deadline(double seconds)
      : end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(seconds))) {}
  /// Seconds; not positive once it is over.
  double left() const {
    return std::chrono::duration<double>(end - Clock::now()).count();
  }
  /// Milliseconds for one poll: short steps, so that no limit overflows them.
  int pollTime() const {
    return int(std::min(std::max(left(), 0.0), 1.0) * 1000) + 1;
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_PROCESS_DEADLINE_H
