// SampleStats.h - what a set of time samples says.
//
// Order statistics only: timing noise is one-sided and heavy-tailed, so means
// and standard deviations follow the outliers.
#ifndef LABGEN_RUNTIME_MEASURE_SAMPLESTATS_H
#define LABGEN_RUNTIME_MEASURE_SAMPLESTATS_H

#include <vector>

namespace labgen {

/// Linear interpolation between order statistics at (n - 1) p (Hyndman and Fan
/// type 7, numpy's default). NaN for no samples.
double quantile(std::vector<double> samples, double p);

/// The quantile of times a roof is taken from: interference only ever slows a
/// sample down, and a roof is what can be reached.
constexpr double fastQuantile = 0.25;

struct SampleStats {
  double median = 0;
  double iqr = 0; ///< third quartile minus first
  /// Standard error of the median over the median: sqrt(pi/2) s / sqrt(n) with
  /// s = iqr / 1.349, the asymptotic value for near-normal samples. Infinite
  /// for fewer than two samples or a median of 0.
  double relativeDeviation = 0;
};
SampleStats summarize(const std::vector<double> &samples);

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_SAMPLESTATS_H
