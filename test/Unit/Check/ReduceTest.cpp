// ReduceTest.cpp - the four orders on arrays small enough to sum by hand.
#include "Support.h"

#include "runtime/check/oracle/Oracle.h"

#include <cmath>
#include <limits>

using namespace labgen;
using namespace labgen::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

oracle::Reduction reduce(const std::string &keys, const Values &x,
                         const Values &y = {}) {
  KernelSpec spec = parsed("reduce:n=" + std::to_string(x.size()) + "," + keys);
  Tensor xs = tensorOf("x", spec.type, {int64_t(x.size())}, x);
  if (spec.kind != ReduceKind::Dot)
    return oracle::reduce(spec, xs, nullptr, pieces);
  Tensor ys = tensorOf("y", spec.type, {int64_t(y.size())}, y);
  return oracle::reduce(spec, xs, &ys, pieces);
}

double sum(const std::string &order, const Values &x) {
  return reduce("type=f32,kind=sum,order=" + order, x).value;
}

constexpr double half = 0x1p-24; ///< half an ulp of 1 in f32: a tie to 1

TEST(Reduce, Sequential) {
  // 1 + 2^-24 ties to 1, again and again.
  EXPECT_EQ(sum("sequential", {1, half, half, half}), 1);
  EXPECT_EQ(sum("sequential", {half, half, 1}), 1 + 0x1p-23);
}

TEST(Reduce, BlockedTakesEvery128th) {
  // Elements 0 and 128 share an accumulator, so do 1 and 129.
  Values x(130, 0);
  x[0] = 1;
  x[1] = x[129] = half;
  EXPECT_EQ(sum("blocked", x), 1 + 0x1p-23); // the halves met first
  Values apart(130, 0);
  apart[0] = 1;
  apart[128] = apart[1] = half;
  EXPECT_EQ(sum("blocked", apart), 1); // each met 1 alone
}

TEST(Reduce, BlockedFoldsByHalves) {
  // i meets i + 64 first: half + half, then 1.
  Values x(128, 0);
  x[0] = 1;
  x[1] = x[65] = half;
  EXPECT_EQ(sum("blocked", x), 1 + 0x1p-23);
  // 1 and 33 meet at the second fold, after 0 and 64.
  Values second(128, 0);
  second[0] = 1;
  second[64] = second[1] = half;
  EXPECT_EQ(sum("blocked", second), 1);
}

TEST(Reduce, BlockResultsReduceByTheSameRule) {
  // Blocks of 2: results (1), (half), (half); then blocks (1 + half), (half).
  Values x = {1, 0, half, 0, half, 0};
  EXPECT_EQ(sum("blocked,block=2", x), 1);
  // Blocks of 4: (1), (half + half).
  Values four = {1, 0, 0, 0, half, half, 0, 0};
  EXPECT_EQ(sum("blocked,block=4", four), 1 + 0x1p-23);
}

TEST(Reduce, PairwiseMovesAnOddRunUp) {
  // Runs of 1: (1 + half) = 1, then half moves up: 1 + half = 1.
  EXPECT_EQ(sum("pairwise,block=1", {1, half, half}), 1);
  // (half + half) = ulp, 1 moves up: exact.
  EXPECT_EQ(sum("pairwise,block=1", {half, half, 1}), 1 + 0x1p-23);
  // Four: (1 + half) + (half + half) = 1 + ulp.
  EXPECT_EQ(sum("pairwise,block=1", {1, half, half, half}), 1 + 0x1p-23);
  // A run of 4 in order loses all three.
  EXPECT_EQ(sum("pairwise,block=4", {1, half, half, half}), 1);
}

TEST(Reduce, CompensatedKeepsWhatRoundingDrops) {
  // 1 and six halves in one accumulator: exactly 1 + 3 ulp.
  Values x(128 * 6 + 1, 0);
  x[0] = 1;
  for (size_t i = 1; i <= 6; ++i)
    x[128 * i] = half;
  EXPECT_EQ(sum("compensated", x), 1 + 3 * 0x1p-23);
  // The carries of accumulator 1 (two halves dropped) count in the fold.
  Values fold(128 * 2 + 2, 0);
  fold[1] = 1;
  fold[129] = fold[257] = half;
  EXPECT_EQ(sum("compensated", fold), 1 + 0x1p-23);
  EXPECT_EQ(sum("blocked", fold), 1);
}

TEST(Reduce, InfAndOverflowEndAlikeInEveryOrder) {
  for (const char *type : {"f16", "bf16", "f32", "f64"})
    for (const char *acc : {"f16", "bf16", "f32", "f64"})
      for (const char *order :
           {"sequential", "blocked", "pairwise", "compensated"}) {
        std::string keys = std::string("type=") + type + ",acc=" + acc +
                           ",order=" + order + ",kind=";
        if (!KernelSpec::parse("reduce:n=1," + keys + "sum"))
          continue;
        SCOPED_TRACE(keys);
        auto sum = [&](const Values &x) {
          return reduce(keys + "sum", x).value;
        };
        double most = info(*parseFormat(type)).max;
        double twice = 2 * most > info(*parseFormat(acc)).max ? inf : 2 * most;
        Values together(257, 0); // in one of the 128 accumulators
        together[0] = together[128] = most;
        EXPECT_EQ(sum(together), twice);
        EXPECT_EQ(sum({most, most}), twice);
        EXPECT_EQ(sum({-most, -most, 0}), -twice);
        EXPECT_EQ(sum({inf}), inf);
        EXPECT_EQ(sum({1, -inf, 2}), -inf);
        EXPECT_TRUE(std::isnan(sum({inf, -inf})));
        EXPECT_TRUE(std::isnan(sum({1, nan})));
        EXPECT_EQ(reduce(keys + "sumsq", {-inf, 1}).value, inf);
        EXPECT_EQ(reduce(keys + "dot", {inf, 1}, {-2, 3}).value, -inf);
      }
}

TEST(Reduce, DotFusesItsProducts) {
  // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24: lost when the product is rounded.
  Values x = {-1, 1 + 0x1p-12}, y = {1 + 0x1p-11, 1 + 0x1p-12};
  EXPECT_EQ(reduce("type=f32,kind=dot,order=sequential", x, y).value, 0x1p-24);
  EXPECT_EQ(reduce("type=f32,kind=dot,order=pairwise", x, y).value, 0x1p-24);
  EXPECT_EQ(reduce("type=f32,kind=dot,order=compensated", x, y).value, 0);
  // blocked: both start from +0 in their own accumulator, rounded alone.
  EXPECT_EQ(reduce("type=f32,kind=dot", x, y).value, 0);
  Values apart(129, 0), other(129, 0);
  apart[0] = x[0], apart[128] = x[1];
  other[0] = y[0], other[128] = y[1];
  EXPECT_EQ(reduce("type=f32,kind=dot", apart, other).value, 0x1p-24);
  EXPECT_EQ(reduce("type=f32,kind=dot", x, y).exact, 0x1p-24);
}

TEST(Reduce, SumOfSquares) {
  oracle::Reduction r = reduce("type=bf16,kind=sumsq", {3, -4, 0.5});
  EXPECT_EQ(r.value, 25.25);
  EXPECT_EQ(r.exact, 25.25);
  EXPECT_EQ(r.magnitudeSum, 25.25);
}

TEST(Reduce, TheTypeOfTheAccumulatorCounts) {
  // N77: 256 + 1 stays 256 in bf16; in f32 it does not.
  Values x = {256, 1, 1};
  EXPECT_EQ(reduce("type=bf16,kind=sum,order=sequential", x).value, 258);
  EXPECT_EQ(reduce("type=bf16,kind=sum,order=sequential,acc=bf16", x).value,
            256);
  // f16 fused: 2049 * 1 + 2^-24 must round up from the tie at 2049.
  EXPECT_EQ(reduce("type=f16,kind=dot,order=sequential,acc=f16", {0x1p-24, 683},
                   {1, 3})
                .value,
            2050);
  EXPECT_EQ(
      reduce("type=f16,kind=dot,order=sequential,acc=f16", {0, 683}, {1, 3})
          .value,
      2048);
}

TEST(Reduce, LongSequentialSumStopsAt2To24) {
  // S11: ones stop counting at 16777216 in f32.
  KernelSpec spec = parsed("reduce:n=16777300,type=bf16,kind=sum,"
                           "order=sequential");
  Tensors data = dataFor(spec, Distribution::Ones);
  EXPECT_EQ(oracle::reduce(spec, data[0], nullptr, pieces).value, 16777216);
  spec.order = SumOrder::Blocked;
  oracle::Reduction blocked = oracle::reduce(spec, data[0], nullptr, pieces);
  EXPECT_EQ(blocked.value, 16777300);
  EXPECT_EQ(blocked.exact, 16777300);
}

TEST(Reduce, SignsOfZeroAndNothing) {
  for (const char *order :
       {"sequential", "blocked", "pairwise", "compensated"}) {
    EXPECT_FALSE(std::signbit(sum(order, {-0.0}))) << order;
    EXPECT_EQ(sum(order, {}), 0) << order;
  }
  EXPECT_EQ(reduce("type=f32,kind=max", {}).value, -inf);
  EXPECT_EQ(reduce("type=f32,kind=absmax", {}).value, 0);
}

TEST(Reduce, MaximumIsIeee2019) {
  auto most = [](const Values &x) {
    return reduce("type=f32,kind=max", x).value;
  };
  EXPECT_FALSE(std::signbit(most({-0.0, 0.0})));
  EXPECT_FALSE(std::signbit(most({0.0, -0.0})));
  EXPECT_TRUE(std::signbit(most({-0.0, -1})));
  EXPECT_EQ(most({-3, -2, -inf}), -2);
  EXPECT_EQ(most({-inf}), -inf);
  EXPECT_EQ(most({1, inf}), inf);
  // N23: a NaN anywhere is the answer.
  EXPECT_TRUE(std::isnan(most({1, nan, 2})));
  EXPECT_TRUE(std::isnan(most({nan, inf})));
  EXPECT_TRUE(std::isnan(reduce("type=f32,kind=absmax", {nan, -inf}).value));
  EXPECT_EQ(reduce("type=f32,kind=absmax", {-3, 2}).value, 3);
  EXPECT_EQ(reduce("type=i8,kind=max", {-128, -3}).value, -3);
}

TEST(Reduce, IntegersAreExact) {
  EXPECT_EQ(reduce("type=i8,kind=sumsq", {-128, -128}).value, 32768); // N30
  EXPECT_EQ(reduce("type=i8,kind=sum", {-128, 127, 127}).value, 126);
}

TEST(Reduce, ResultsDoNotDependOnThreads) {
  for (const char *order : {"sequential", "blocked", "pairwise", "compensated"})
    for (const char *kind : {"sum", "dot", "sumsq"}) {
      KernelSpec spec = parsed(std::string("reduce:n=70001,type=f32,kind=") +
                               kind + ",order=" + order);
      Tensors data = dataFor(spec);
      const Tensor *y = find(data, "y");
      oracle::Reduction one = oracle::reduce(spec, data[0], y, serial);
      oracle::Reduction two = oracle::reduce(spec, data[0], y, pieces);
      EXPECT_EQ(one.value, two.value) << order << kind;
      EXPECT_EQ(one.exact, two.exact) << order << kind;
      EXPECT_EQ(one.magnitudeSum, two.magnitudeSum) << order << kind;
      EXPECT_NEAR(one.value, one.exact, 1e-4 * one.magnitudeSum);
    }
}

} // namespace
