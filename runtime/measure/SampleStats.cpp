// SampleStats.cpp - quantiles and the error of the median.
#include "runtime/measure/SampleStats.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace labgen;

namespace {

double sortedQuantile(const std::vector<double> &sorted, double p) {
  if (sorted.empty())
    return std::numeric_limits<double>::quiet_NaN();
  double position = double(sorted.size() - 1) * p;
  size_t below = size_t(position);
  size_t above = std::min(below + 1, sorted.size() - 1);
  double fraction = position - double(below);
  return sorted[below] + fraction * (sorted[above] - sorted[below]);
}

} // namespace

double labgen::quantile(std::vector<double> samples, double p) {
  std::sort(samples.begin(), samples.end());
  return sortedQuantile(samples, p);
}

SampleStats labgen::summarize(const std::vector<double> &samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  SampleStats stats;
  stats.median = sortedQuantile(sorted, 0.5);
  stats.iqr = sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25);

  constexpr double halfPi = 1.5707963267948966,
                   iqrOfNormal = 1.3489795003921634;
  double sigma = stats.iqr / iqrOfNormal;
  bool known = sorted.size() >= 2 && stats.median > 0;
  stats.relativeDeviation =
      known ? std::sqrt(halfPi / double(sorted.size())) * sigma / stats.median
            : std::numeric_limits<double>::infinity();
  return stats;
}
