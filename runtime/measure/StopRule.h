// StopRule.h - when enough samples have been taken.
//
// Ends a measurement as soon as the median is known well enough, and at a time
// limit whatever it is known to; a row says which of the two it was.
#ifndef LABGEN_RUNTIME_MEASURE_STOPRULE_H
#define LABGEN_RUNTIME_MEASURE_STOPRULE_H

#include <cstdint>
#include <string>
#include <vector>

namespace labgen {

struct SamplingPolicy {
  /// Stop once the relative deviation of the median is at most this ...
  double relativeDeviation = 0.005;
  /// ... and at least so many samples are there.
  int64_t minSamples = 9;
  /// Stop after this long, with at least `minAtLimit` samples ...
  double limitSeconds = 0.3;
  int64_t minAtLimit = 3;
  /// ... or after `hardLimit` times as long with whatever there is.
  double hardLimit = 5;
  int64_t maxSamples = 10000;
};

class StopRule {
public:
  explicit StopRule(const SamplingPolicy &policy) : policy(policy) {}

  /// Adds a sample and the time since the first one began. Returns whether to
  /// stop.
  bool add(double sampleSeconds, double elapsedSeconds);
  /// "deviation", "time" or "samples"; empty while it goes on.
  const std::string &reason() const { return stopReason; }
  const std::vector<double> &samples() const { return taken; }

private:
  SamplingPolicy policy;
  std::vector<double> taken;
  size_t nextLook = 0;
  std::string stopReason;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_STOPRULE_H
