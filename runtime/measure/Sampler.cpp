// Sampler.cpp - warm-up, batches and samples.
#include "runtime/measure/Sampler.h"
#include "runtime/measure/SampleStats.h"

#include <algorithm>

using namespace labgen;

namespace {

constexpr double minSampleSeconds = 20e-6;
constexpr int64_t maxBatch = 500;

/// Seconds of `calls` calls.
Result<double> timeCalls(int64_t calls, const std::function<Status()> &run) {
  Timer timer;
  for (int64_t i = 0; i < calls; ++i)
    if (Status status = run(); !status)
      return status;
  return timer.seconds();
}

} // namespace

Result<TimeStats>
labgen::sampleTimes(const SamplingPolicy &policy, bool batch,
                    const std::function<Status()> &run,
                    const std::function<void(int64_t)> &prepare) {
  int64_t calls = 1;
  Timer warmup;
  do {
    prepare(calls);
    Result<double> seconds = timeCalls(calls, run);
    if (!seconds)
      return seconds.status();
    if (batch && *seconds < minSampleSeconds) {
      double perCall = std::max(*seconds / double(calls), 1e-9);
      calls = std::clamp<int64_t>(int64_t(minSampleSeconds / perCall), calls,
                                  maxBatch);
    }
  } while (warmup.seconds() < policy.limitSeconds / 10);

  StopRule rule(policy);
  Timer timer;
  while (true) {
    prepare(calls);
    Result<double> seconds = timeCalls(calls, run);
    if (!seconds)
      return seconds.status();
    if (rule.add(*seconds / double(calls), timer.seconds()))
      break;
  }
  SampleStats stats = summarize(rule.samples());
  return TimeStats{stats.median, stats.iqr, int64_t(rule.samples().size()),
                   rule.reason()};
}
