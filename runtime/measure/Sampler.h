// Sampler.h - times something again and again until the stop rule is content.
#ifndef LABGEN_RUNTIME_MEASURE_SAMPLER_H
#define LABGEN_RUNTIME_MEASURE_SAMPLER_H

#include "lib/Spec/Row.h"
#include "runtime/measure/StopRule.h"

#include <chrono>
#include <functional>

namespace labgen {

class Timer {
public:
  /// Since construction.
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// Calls `run` over and over. A sample is one call, or as many back to back as
/// take 20 us when `batch` is set and one takes less (a clock read costs some
/// 30 ns). `prepare` is called before each sample, untimed, with the number of
/// calls the sample will make. Warm-up: one untimed sample at least, and until
/// a tenth of the time limit is over.
Result<TimeStats> sampleTimes(const SamplingPolicy &policy, bool batch,
                              const std::function<Status()> &run,
                              const std::function<void(int64_t)> &prepare);

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_SAMPLER_H
