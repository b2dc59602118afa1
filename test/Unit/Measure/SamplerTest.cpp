// SamplerTest.cpp - warm-up, batches and errors of the sampling loop.
#include "runtime/measure/Sampler.h"

#include <gtest/gtest.h>
#include <thread>

using namespace labgen;

namespace {

void wait(double seconds) {
  Timer timer;
  while (timer.seconds() < seconds) {
  }
}

TEST(Sampler, MeasuresWhatACallTakes) {
  SamplingPolicy policy;
  policy.limitSeconds = 0.05;
  Result<TimeStats> stats = sampleTimes(
      policy, true, [] { return wait(1e-3), Status::ok(); }, [](int64_t) {});
  ASSERT_TRUE(stats);
  EXPECT_GE(stats->median, 1e-3);
  EXPECT_LT(stats->median, 10e-3);
  EXPECT_GE(stats->n, 3);
  EXPECT_FALSE(stats->stop.empty());
}

TEST(Sampler, ShortCallsAreBatchedAndDivided) {
  SamplingPolicy policy;
  policy.limitSeconds = 0.02;
  int64_t calls = 0, announced = 0, largest = 0;
  Result<TimeStats> stats = sampleTimes(
      policy, true, [&] { return ++calls, wait(1e-6), Status::ok(); },
      [&](int64_t runs) {
        announced += runs;
        largest = std::max(largest, runs);
      });
  ASSERT_TRUE(stats);
  EXPECT_EQ(calls, announced);
  EXPECT_GT(largest, 1);
  EXPECT_GE(stats->median, 1e-6);
  EXPECT_LT(stats->median, 20e-6);
}

TEST(Sampler, WithoutBatchesEachSampleIsOneCall) {
  SamplingPolicy policy;
  policy.limitSeconds = 0.01;
  Result<TimeStats> stats = sampleTimes(
      policy, false, [] { return wait(1e-6), Status::ok(); },
      [](int64_t runs) { ASSERT_EQ(runs, 1); });
  ASSERT_TRUE(stats);
}

TEST(Sampler, PreparationIsNotTimed) {
  SamplingPolicy policy;
  policy.limitSeconds = 0.02;
  Result<TimeStats> stats = sampleTimes(
      policy, false, [] { return wait(1e-5), Status::ok(); },
      [](int64_t) { wait(2e-3); });
  ASSERT_TRUE(stats);
  EXPECT_LT(stats->median, 1e-3);
}

TEST(Sampler, AFailingCallEndsIt) {
  int calls = 0;
  Result<TimeStats> stats = sampleTimes(
      SamplingPolicy(), true,
      [&] {
        return ++calls == 5 ? Status::badInput("broken; mend it")
                            : Status::ok();
      },
      [](int64_t) {});
  EXPECT_FALSE(stats);
  EXPECT_EQ(stats.status().message(), "broken; mend it");
  EXPECT_EQ(calls, 5);
}

} // namespace
