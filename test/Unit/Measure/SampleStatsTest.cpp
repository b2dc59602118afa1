// SampleStatsTest.cpp - order statistics and the stop rule on known streams.
#include "runtime/measure/SampleStats.h"
#include "runtime/measure/StopRule.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

TEST(SampleStats, QuantilesAsNumpyHasThem) {
  // numpy.quantile([...], p) with its default method.
  std::vector<double> odd = {7, 1, 3, 9, 5};
  EXPECT_DOUBLE_EQ(quantile(odd, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(odd, 0.25), 3);
  EXPECT_DOUBLE_EQ(quantile(odd, 0.5), 5);
  EXPECT_DOUBLE_EQ(quantile(odd, 0.9), 8.2);
  EXPECT_DOUBLE_EQ(quantile(odd, 1), 9);
  std::vector<double> even = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(even, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(even, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(even, 0.75), 3.25);
  EXPECT_DOUBLE_EQ(quantile({42}, 0.3), 42);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(SampleStats, MedianAndIqrIgnoreOneOutlier) {
  SampleStats stats = summarize({1, 2, 3, 4, 1000});
  EXPECT_DOUBLE_EQ(stats.median, 3);
  EXPECT_DOUBLE_EQ(stats.iqr, 2);
}

TEST(SampleStats, RelativeDeviationFallsWithTheRootOfN) {
  std::vector<double> samples = {9, 9, 10, 10, 10, 10, 11, 11}, fourfold;
  for (int i = 0; i < 4; ++i)
    fourfold.insert(fourfold.end(), samples.begin(), samples.end());
  SampleStats few = summarize(samples), many = summarize(fourfold);
  EXPECT_DOUBLE_EQ(few.iqr, 0.5);
  EXPECT_DOUBLE_EQ(many.iqr, 0.5);
  // sqrt(pi / 2) / sqrt(8) * (0.5 / 1.34898) / 10.
  EXPECT_NEAR(few.relativeDeviation, 0.0164240, 1e-7);
  EXPECT_DOUBLE_EQ(few.relativeDeviation, 2 * many.relativeDeviation);
}

TEST(SampleStats, RelativeDeviationOfTooLittleIsInfinite) {
  EXPECT_TRUE(std::isinf(summarize({1}).relativeDeviation));
  EXPECT_TRUE(std::isinf(summarize({0, 0, 0}).relativeDeviation));
  EXPECT_DOUBLE_EQ(summarize({1, 1}).relativeDeviation, 0);
}

/// Adds samples from `sample(i)`, each taking `seconds`, until the rule stops.
template <typename Stream> StopRule
stopOn(const SamplingPolicy &policy, double seconds, const Stream &sample) {
  StopRule rule(policy);
  for (int i = 0; i < 1000000; ++i)
    if (rule.add(sample(i), double(i + 1) * seconds))
      break;
  return rule;
}

TEST(StopRule, SteadySamplesStopAtTheMinimum) {
  SamplingPolicy policy;
  StopRule rule = stopOn(policy, 1e-6, [](int) { return 1e-3; });
  EXPECT_EQ(rule.reason(), "deviation");
  EXPECT_EQ(int64_t(rule.samples().size()), policy.minSamples);
}

TEST(StopRule, NoisySamplesGoOnUntilTheMedianIsKnown) {
  SamplingPolicy policy;
  // Alternating 0.9, 1, 1.1: iqr 0.1 to 0.2, so n must reach several hundred.
  StopRule rule =
      stopOn(policy, 1e-6, [](int i) { return 0.9 + 0.1 * (i % 3); });
  EXPECT_EQ(rule.reason(), "deviation");
  EXPECT_GT(rule.samples().size(), 300u);
  EXPECT_LE(summarize(rule.samples()).relativeDeviation,
            policy.relativeDeviation);
}

TEST(StopRule, TimeEndsWhatDoesNotSettle) {
  SamplingPolicy policy;
  StopRule rule = stopOn(policy, policy.limitSeconds / 20,
                         [](int i) { return 1.0 + i % 2; });
  EXPECT_EQ(rule.reason(), "time");
  EXPECT_EQ(rule.samples().size(), 20u);
}

TEST(StopRule, SlowKernelsGetFewSamples) {
  SamplingPolicy policy;
  // Each sample takes the whole limit: three are still wanted.
  StopRule slow = stopOn(policy, policy.limitSeconds, [](int) { return 1.0; });
  EXPECT_EQ(slow.reason(), "time");
  EXPECT_EQ(slow.samples().size(), 3u);
  // Each takes ten times the limit: one has to do.
  StopRule slower =
      stopOn(policy, 10 * policy.limitSeconds, [](int) { return 1.0; });
  EXPECT_EQ(slower.reason(), "time");
  EXPECT_EQ(slower.samples().size(), 1u);
}

TEST(StopRule, ACountEndsWhatTakesNoTime) {
  SamplingPolicy policy;
  policy.maxSamples = 100;
  StopRule rule = stopOn(policy, 0, [](int i) { return 1.0 + i % 2; });
  EXPECT_EQ(rule.reason(), "samples");
  EXPECT_EQ(rule.samples().size(), 100u);
}

} // namespace
