// SoftmaxTest.cpp - softmax against published numbers, long double and a plain
// f32 program whose exp is off by up to an ulp.
#include "Support.h"

#include "runtime/check/oracle/Softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace labgen;
using namespace labgen::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

/// A lab over the given rows of n elements, with no outputs yet.
struct Rows {
  Rows(const std::string &keys, int64_t n, const Values &x)
      : spec(parsed("softmax:m=" + std::to_string(int64_t(x.size()) / n) +
                    ",n=" + std::to_string(n) + "," + keys)),
        before(dataFor(spec)) {
    *find(before, "x") = tensorOf("x", spec.in, {spec.m, spec.n}, x);
    after = copied(before);
  }
  Verdict verdict(const Values &y) {
    Tensor &out = *find(after, "y");
    std::fill_n(out.data(), out.byteSize(), std::byte(0));
    for (int64_t i = 0; i < int64_t(y.size()); ++i)
      out.setBits(i / spec.n, i % spec.n, encode(spec.out, y[size_t(i)]));
    return check(spec, before, after, pieces);
  }
  bool takes(const Values &y) { return verdict(y).right; }

  KernelSpec spec;
  Tensors before, after;
};

/// The contract's sum of at most 128 x 128 x 128 terms, written once more.
float blocked(std::vector<float> level) {
  while (level.size() > 1) {
    std::vector<float> next;
    for (size_t begin = 0; begin < level.size(); begin += 16384) {
      float lanes[128] = {};
      size_t end = std::min(level.size(), begin + 16384);
      for (size_t i = begin; i < end; ++i)
        lanes[(i - begin) % 128] += level[i];
      for (int half = 64; half; half /= 2)
        for (int i = 0; i < half; ++i)
          lanes[i] += lanes[i + half];
      next.push_back(lanes[0]);
    }
    level = next;
  }
  return level[0];
}

/// A kernel's row, in which the exp of element i is off by ulps(i).
template <typename Ulps>
Values plainRow(bool shift, const Values &x, const Ulps &ulps) {
  float most = float(*std::max_element(x.begin(), x.end()));
  std::vector<float> exps;
  for (size_t i = 0; i < x.size(); ++i) {
    float d = shift ? float(x[i]) - most : float(x[i]);
    long double exact = std::exp((long double)d);
    float e = float(exact);
    // One step to the side of the exact value stays within an ulp of it.
    if (ulps(i) > 0 && e < exact)
      e = std::nextafter(e, float(inf));
    if (ulps(i) < 0 && e > exact)
      e = std::nextafter(e, 0.0f);
    exps.push_back(e);
  }
  float sum = blocked(exps);
  Values y;
  for (float e : exps)
    y.push_back(double(e / sum));
  return y;
}

/// Numbers between -range and range from a linear congruence.
Values numbers(size_t count, double range) {
  Values x;
  uint32_t state = 12345;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    x.push_back(double(float(range * (double(state) * 0x1p-31 - 1))));
  }
  return x;
}

TEST(Softmax, PublishedValues) {
  // scipy.special.softmax([1, 2, 3]), and of two equal elements.
  KernelSpec spec = parsed("softmax:m=1,n=3,in=f32,out=f32");
  Tensor x = tensorOf("x", Format::F32, {1, 3}, {1, 2, 3});
  oracle::Softmax row(spec, x, 0);
  EXPECT_NEAR(row.exact(0), 0.09003057317038046, 1e-16);
  EXPECT_NEAR(row.exact(1), 0.24472847105479767, 1e-16);
  EXPECT_NEAR(row.exact(2), 0.6652409557748219, 1e-15);
  EXPECT_TRUE(Rows("in=f32,out=f32", 2, {7, 7}).takes({0.5, 0.5}));
}

TEST(Softmax, ExactAgreesWithLongDouble) {
  for (double range : {1.0, 20.0, 300.0}) {
    Values x = numbers(1000, range);
    KernelSpec spec = parsed("softmax:m=1,n=1000,in=f32,out=f32");
    oracle::Softmax row(spec, tensorOf("x", Format::F32, {1, 1000}, x), 0);
    long double most = *std::max_element(x.begin(), x.end()), sum = 0;
    for (double value : x)
      sum += std::exp((long double)value - most);
    for (size_t i = 0; i < x.size(); ++i) {
      auto want = double(std::exp((long double)x[i] - most) / sum);
      EXPECT_NEAR(row.exact(int64_t(i)), want, want * 0x1p-48 + 1e-320);
    }
  }
}

/// Whatever an exp does within its ulp, the result is taken and in its bound.
TEST(Softmax, TakesAnyExpWithinAnUlp) {
  struct Case {
    const char *keys;
    int64_t n;
    double range;
  };
  for (const Case &c :
       {Case{"in=f32,out=f32", 67, 8}, Case{"in=f32,out=f32", 20000, 3},
        Case{"in=f32,out=f32", 1000, 100}, Case{"in=f32,out=bf16", 300, 20},
        Case{"in=f32,out=f8E4M3FN", 40, 5}, Case{"in=f32,out=f4E2M1FN", 5, 2},
        Case{"in=f32,out=f32,shift=no", 500, 40},
        Case{"in=f32,out=f32,shift=no", 300, 85}}) {
    SCOPED_TRACE(c.keys + std::string(" ") + std::to_string(c.n));
    Values x = numbers(size_t(c.n), c.range);
    Rows rows(c.keys, c.n, x);
    for (int way = 0; way < 4; ++way) {
      auto ulps = [&](size_t i) {
        return way == 0 ? 1 : way == 1 ? -1 : way == 2 ? (i % 2 ? 1 : -1) : 0;
      };
      Verdict verdict = rows.verdict(plainRow(rows.spec.shift, x, ulps));
      EXPECT_TRUE(verdict.right) << verdict.reason;
      ASSERT_TRUE(verdict.bound.has_value());
      EXPECT_LE(*verdict.error.maxAbs, *verdict.bound);
    }
    oracle::Softmax row(rows.spec, *find(rows.before, "x"), 0);
    for (int64_t i = 0; i < c.n; ++i)
      EXPECT_LE(std::fabs(row.nearest(i) - row.exact(i)), row.bound(i)) << i;
  }
}

/// Each element's bound covers all that the check takes.
TEST(Softmax, BoundCoversWhatIsTaken) {
  for (const char *keys : {"in=f32,out=f32", "in=f32,out=f32,shift=no"}) {
    Values x = numbers(200, 30);
    Rows rows(keys, 200, x);
    oracle::Softmax row(rows.spec, *find(rows.before, "x"), 0);
    for (int64_t i = 0; i < 200; ++i)
      for (float side : {0.0f, 1.0f}) {
        auto last = float(row.nearest(i));
        while (row.holds(i, double(std::nextafter(last, side))))
          last = std::nextafter(last, side);
        EXPECT_LE(std::fabs(double(last) - row.exact(i)), row.bound(i)) << i;
      }
  }
}

TEST(Softmax, RefusesOtherSums) {
  Values x = numbers(300, 4);
  Rows rows("in=f32,out=f32", 300, x);
  auto none = [](size_t) { return 0; };
  Values right = plainRow(true, x, none);
  ASSERT_TRUE(rows.takes(right));
  // Without the last element in the sum; the neighbours' row; one swapped pair.
  Values shorter = x;
  shorter.pop_back();
  Values wrong = plainRow(true, shorter, none);
  wrong.push_back(right.back());
  EXPECT_FALSE(rows.takes(wrong));
  Values swapped = right;
  std::swap(swapped[3], swapped[4]);
  EXPECT_FALSE(rows.takes(swapped));
  // exp in bf16.
  Values coarse = right;
  for (double &y : coarse)
    y = roundTo(Format::BF16, y);
  EXPECT_FALSE(rows.takes(coarse));
  for (double bad : {-1.0, 2.0, nan, inf, -0.0}) {
    Values one = right;
    one[7] = bad;
    EXPECT_FALSE(rows.takes(one)) << bad;
  }
}

TEST(Softmax, RowsWithNanOrInf) {
  // NaN, +Inf and nothing but -Inf make a row NaN and leave the others alone.
  Rows rows("in=f32,out=f32", 2,
            {0, nan, inf, 1, -inf, -inf, 5, 5, -inf, 3, 0, -200});
  Values right = {nan, nan, nan, nan, nan, nan, 0.5, 0.5, 0, 1, 1, 0};
  Verdict verdict = rows.verdict(right);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_EQ(verdict.counts.nan, 6);
  for (size_t i = 0; i < right.size(); ++i) {
    Values wrong = right;
    wrong[i] = std::isnan(right[i]) ? 0 : nan;
    EXPECT_FALSE(rows.takes(wrong)) << i;
  }
  // A format without NaN stores its largest value.
  Rows narrow("in=f32,out=f4E2M1FN", 2, {0, nan, 5, 5});
  EXPECT_TRUE(narrow.takes({6, 6, 0.5, 0.5}));
  EXPECT_FALSE(narrow.takes({0, 6, 0.5, 0.5}));
}

TEST(Softmax, WithoutTheShiftItOverflows) {
  // exp(100) is Inf, exp(-200) is 0: Inf / Inf, finite / Inf, 0 / 0.
  Rows rows("in=f32,out=f32,shift=no", 2,
            {100, 0, -200, -200, 1, 1, 80, 80, inf, 0, -inf, 0});
  Values right = {nan, 0, nan, nan, 0.5, 0.5, 0.5, 0.5, nan, 0, 0, 1};
  Verdict verdict = rows.verdict(right);
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_FALSE(verdict.bound.has_value());
  Values safe = right;
  safe[0] = 1, safe[1] = std::exp(-100);
  EXPECT_FALSE(rows.takes(safe)); // what the shifted form gives
  // The sum overflows, no exp does: 88 + ln 3 is above 88.72.
  Rows sum("in=f32,out=f32,shift=no", 3, {88, 88, 88});
  EXPECT_TRUE(sum.takes({0, 0, 0}));
  // With the shift both are plain numbers.
  EXPECT_TRUE(Rows("in=f32,out=f32", 3, {88, 88, 88})
                  .takes({1 / 3.0, 1 / 3.0, 1 / 3.0}));
}

TEST(Softmax, AtTheEndsOfF32) {
  double max = info(Format::F32).max;
  constexpr double step = 0x1p-149;
  // The difference overflows to -Inf, or is the smallest there is.
  EXPECT_TRUE(Rows("in=f32,out=f32", 2, {max, -max}).takes({1, 0}));
  EXPECT_TRUE(Rows("in=f32,out=f32", 2, {max, max}).takes({0.5, 0.5}));
  EXPECT_TRUE(Rows("in=f32,out=f32", 2, {step, -step}).takes({0.5, 0.5}));
  // exp(-103) is 1.32 and exp(-104) 0.49 of the smallest number.
  Rows near("in=f32,out=f32", 2, {0, -103});
  EXPECT_FALSE(near.takes({1, 0}));
  EXPECT_TRUE(near.takes({1, step}));
  EXPECT_TRUE(near.takes({1, 2 * step}));
  EXPECT_FALSE(near.takes({1, 3 * step}));
  Rows far("in=f32,out=f32", 2, {0, -104});
  EXPECT_TRUE(far.takes({1, 0}));
  EXPECT_TRUE(far.takes({1, step}));
  EXPECT_FALSE(far.takes({1, 2 * step}));
}

TEST(Softmax, TiesShareTheRow) {
  // 20000 is more than a block; 1 / 20000 is among the subnormals of f16.
  for (const char *out : {"f32", "bf16", "f16"}) {
    Rows rows("in=bf16,out=" + std::string(out), 20000, Values(20000, -3));
    Verdict verdict = rows.verdict(Values(20000, double(1 / 20000.0f)));
    EXPECT_TRUE(verdict.right) << out << verdict.reason;
    EXPECT_LE(*verdict.error.maxAbs, *verdict.bound) << out;
    // The first block alone.
    EXPECT_FALSE(rows.takes(Values(20000, 1 / 16384.0))) << out;
  }
}

TEST(Softmax, OneElementAndNone) {
  EXPECT_TRUE(Rows("in=f32,out=f32", 1, {-1e30}).takes({1}));
  for (const char *text :
       {"softmax:m=3,n=0,in=f32,out=f32", "softmax:m=0,n=3,in=bf16,out=f16"}) {
    Lab lab(text);
    EXPECT_TRUE(lab.verdict().right) << text;
  }
}

TEST(Softmax, PadBitsMustBeZero) {
  Lab lab("softmax:m=3,n=5,in=f32,out=f4E2M1FN");
  EXPECT_TRUE(lab.verdict().right) << lab.verdict().reason;
  lab["y"].data()[5] |= std::byte(0x10); // the last byte of row 1
  EXPECT_EQ(lab.verdict().reason, "the pad bits behind y[1,4] are not zero");
}

} // namespace
