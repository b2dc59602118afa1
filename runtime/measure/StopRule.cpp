// StopRule.cpp - the three ends of a measurement.
#include "runtime/measure/StopRule.h"
#include "runtime/measure/SampleStats.h"

#include <algorithm>

using namespace labgen;

bool StopRule::add(double sampleSeconds, double elapsedSeconds) {
  taken.push_back(sampleSeconds);
  auto n = int64_t(taken.size());
  // Sorting after every sample would cost more than short samples do: look
  // again only when the count has grown by an eighth.
  if (n >= policy.minSamples && taken.size() >= nextLook) {
    nextLook = taken.size() + std::max<size_t>(1, taken.size() / 8);
    if (summarize(taken).relativeDeviation <= policy.relativeDeviation) {
      stopReason = "deviation";
      return true;
    }
  }
  bool overTime =
      elapsedSeconds >= policy.limitSeconds && n >= policy.minAtLimit;
  if (overTime || elapsedSeconds >= policy.limitSeconds * policy.hardLimit)
    stopReason = "time";
  else if (n >= policy.maxSamples)
    stopReason = "samples";
  return !stopReason.empty();
}
