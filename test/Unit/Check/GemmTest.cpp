// GemmTest.cpp - products judged right and wrong: exact integers, bounds,
// groups, sampled rows, NaN and Inf.
#include "Support.h"

#include "runtime/check/GemmRows.h"
#include "runtime/check/oracle/Gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace labgen;
using namespace labgen::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A lab with one value for all of a and one for all codes of b.
Lab filled(const std::string &spec, double a, double b, double scale = 1) {
  Lab lab(spec, Distribution::Zeros);
  auto fill = [](Tensor *tensor, double value) {
    if (!tensor)
      return;
    for (int64_t r = 0; r < tensor->rows(); ++r)
      for (int64_t i = 0; i < tensor->columns(); ++i)
        tensor->setBits(r, i, encode(tensor->argument().format, value));
  };
  fill(find(lab.before, "a"), a);
  fill(find(lab.before, "b"), b);
  fill(find(lab.before, "b_scale"), scale);
  lab.after = copied(lab.before);
  return lab;
}

void expectAnswer(Lab lab, double c) {
  Tensor &out = lab["c"];
  for (int64_t i = 0; i < out.columns(); ++i)
    out.setBits(0, i, encode(lab.spec.out, c));
  Verdict right = lab.verdict();
  EXPECT_TRUE(right.right) << lab.spec.str() << ": " << right.reason;
  bool integers = lab.spec.acc == Format::I32;
  out.setBits(0, 0,
              encode(lab.spec.out, c + (integers ? 1 : std::fabs(c) / 8)));
  EXPECT_FALSE(lab.verdict().right) << lab.spec.str();
}

TEST(Gemm, PublishedIntegerProducts) {
  // N30 onnxruntime#31573: not -32768. N57 oneDNN#518: not 32767.
  expectAnswer(filled("gemm:m=1,n=1,k=2,a=i8,b=i8", -128, -128), 32768);
  expectAnswer(filled("gemm:m=1,n=1,k=2,a=u8,b=i8", 255, 127), 64770);
  // N59 BitNet#629: 128 products of 127 * 2 and more leave int16.
  expectAnswer(filled("gemm:m=1,n=3,k=256,a=i8,b=i8", 127, 2), 65024);
  // N62 BitBLAS#284: ones(16) dot ones(16).
  expectAnswer(filled("gemm:m=1,n=1,k=16,a=i8,b=i4", 1, 1), 16);
  // S11: the longest k that cannot overflow.
  expectAnswer(filled("gemm:m=1,n=1,k=131071,a=i8,b=i8", -128, -128),
               2147467264);
}

TEST(Gemm, PublishedGroupProducts) {
  // N39 vllm#33972: scales before f16: 128 * 64 * 8 * 0.01, not Inf.
  expectAnswer(filled("gemm:m=1,n=1,k=128,a=f16,b=i8,group=128,scale=f32,"
                      "out=f16",
                      8, 64, 0.01f),
               655.36);
  // N38 onnxruntime#31152: K = 40 in groups of 32 has two, the second short.
  expectAnswer(
      filled("gemm:m=1,n=4,k=40,a=f32,b=i8,group=32,scale=f32", 1, 3, 0.5), 60);
  // N72: K = 192 in groups of 128.
  expectAnswer(filled("gemm:m=1,n=4,k=192,a=f32,b=i4,group=128,scale=f16,"
                      "compute=i8",
                      2, -3, 0.5),
               -576);
}

TEST(Gemm, PublishedZeroPoints) {
  // N37 onnxruntime#28551: K = 2048, codes 2, zero 3, scale 0.5, a = 1.
  for (const char *compute : {"f32", "i8"}) {
    Lab lab = filled(std::string("gemm:m=1,n=4,k=2048,a=f32,b=u8,group=512,"
                                 "scale=f32,zero=u8,compute=") +
                         compute,
                     1, 2, 0.5);
    Tensor &zero = *find(lab.before, "b_zero");
    for (int64_t r = 0; r < 4; ++r)
      for (int64_t g = 0; g < 4; ++g)
        zero.setBits(r, g, 3);
    lab.after = copied(lab.before);
    expectAnswer(lab, -1024);
  }
}

TEST(Gemm, EveryKindIsRightAndOneWrongElementIsSeen) {
  for (const char *keys :
       {"a=f64,b=f64", "a=f32,b=f32", "a=bf16,b=bf16", "a=f16,b=f16,out=f16",
        "a=f32,b=f32,acc=f64,out=f64", "a=f8E4M3FN,b=f8E5M2", "a=i8,b=i8",
        "a=f32,b=f32,accumulate=yes", "a=i8,b=i8,accumulate=yes",
        "a=bf16,b=i4,group=32,scale=f16", "a=f32,b=i8,group=channel,scale=f32",
        "a=f32,b=i8,group=32,scale=f32,compute=i8",
        "a=f32,b=i4,group=7,scale=f16,compute=i8",
        "a=bf16,b=u4,zero=u4,group=100,scale=f32,compute=i8,accumulate=yes"})
    for (const char *shape :
         {"m=1,n=65,k=33,", "m=67,n=3,k=129,", "m=5,n=70,k=1,", "m=0,n=3,k=7,",
          "m=3,n=3,k=0,"}) {
      Lab lab(std::string("gemm:") + shape + keys);
      Verdict right = lab.verdict();
      EXPECT_TRUE(right.right) << lab.spec.str() << ": " << right.reason;
      EXPECT_EQ(right.checked, "all");
      EXPECT_LE(right.error.maxAbs.value_or(0), right.bound.value_or(infinity))
          << lab.spec.str();
      if (lab.spec.m == 0)
        continue;
      Tensor &c = lab["c"];
      int64_t row = lab.spec.m - 1, column = lab.spec.n - 1;
      double value = c.value(row, column);
      double off = lab.spec.acc == Format::I32
                       ? 1
                       : 0.02 * (1 + std::fabs(value)) *
                             std::sqrt(double(lab.spec.k + 1));
      c.setBits(row, column, encode(lab.spec.out, value + off));
      Verdict wrong = lab.verdict();
      EXPECT_FALSE(wrong.right) << lab.spec.str();
      std::string where =
          "c[" + std::to_string(row) + "," + std::to_string(column) + "] is ";
      EXPECT_EQ(wrong.reason.compare(0, where.size(), where), 0)
          << wrong.reason;
    }
}

TEST(Gemm, AGroupIndexOffByOneIsSeen) {
  for (const char *compute : {"f32", "i8"}) {
    std::string spec = std::string("gemm:m=2,n=3,k=256,a=f32,b=i8,group=32,"
                                   "scale=f32,compute=") +
                       compute;
    Lab lab(spec);
    // What a kernel would make of the scales of the next group.
    Tensors shifted = copied(lab.before);
    const Tensor &scale = *find(lab.before, "b_scale");
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t g = 0; g < 8; ++g)
        find(shifted, "b_scale")->setBits(r, g, scale.bits(r, (g + 1) % 8));
    Tensors wrong = rightOutputs(lab.spec, shifted);
    *find(lab.after, "c") = *find(wrong, "c");
    EXPECT_FALSE(lab.verdict().right) << compute;
  }
}

/// compute=i8 has an a-priori bound wide enough for quantizing a; a kernel that
/// truncates where it should round, or drops one code, stays within it.
TEST(Gemm, QuantizedActivationsAreHeldToTheirCodes) {
  Lab lab("gemm:m=4,n=4,k=512,a=f32,b=i8,group=32,scale=f32,compute=i8");
  Verdict right = lab.verdict();
  ASSERT_TRUE(right.right) << right.reason;
  ASSERT_GT(*right.bound, 1e-2);
  Tensor &c = lab["c"];
  c.setBits(1, 2, encode(Format::F32, c.value(1, 2) + *right.bound / 20));
  EXPECT_FALSE(lab.verdict().right);
  // The plain f32 product is not what compute=i8 is.
  KernelSpec plain = lab.spec;
  plain.compute = Format::F32;
  lab.after = rightOutputs(plain, lab.before);
  EXPECT_FALSE(lab.verdict().right);
}

TEST(Gemm, NanAndInf) {
  Lab lab("gemm:m=2,n=2,k=64,a=f32,b=f32");
  Tensor &a = *find(lab.before, "a");
  a.setBits(0, 5, encode(Format::F32, std::nan("")));
  a.setBits(1, 7, encode(Format::F32, infinity));
  lab.after = rightOutputs(lab.spec, lab.before);
  Verdict right = lab.verdict();
  EXPECT_TRUE(right.right) << right.reason;
  EXPECT_EQ(right.counts.nan, 2);
  EXPECT_EQ(right.counts.inf, 2);
  Tensor &c = lab["c"];
  uint64_t nan = c.bits(0, 0), inf = c.bits(1, 0);
  c.setBits(0, 0, encode(Format::F32, 1));
  EXPECT_FALSE(lab.verdict().right); // finite where NaN is due
  c.setBits(0, 0, nan);
  c.setBits(1, 0, inf ^ 0x80000000);
  EXPECT_FALSE(lab.verdict().right); // the other Inf
  c.setBits(1, 0, nan);
  EXPECT_FALSE(lab.verdict().right); // NaN where Inf is due
  c.setBits(1, 0, encode(Format::F32, 3e38));
  EXPECT_FALSE(lab.verdict().right);

  Lab finite("gemm:m=2,n=2,k=64,a=f32,b=f32");
  finite["c"].setBits(1, 1, nan);
  Verdict wrong = finite.verdict();
  EXPECT_FALSE(wrong.right);
  EXPECT_FALSE(wrong.error.maxAbs.has_value());
  // A NaN group of a quantized on the fly makes its row NaN.
  Lab quantized("gemm:m=2,n=2,k=64,a=f32,b=i8,group=32,scale=f32,compute=i8");
  find(quantized.before, "a")->setBits(1, 7, encode(Format::F32, infinity));
  for (int64_t j = 0; j < 2; ++j)
    quantized["c"].setBits(1, j, nan);
  *find(quantized.after, "a") = *find(quantized.before, "a")->copy();
  Verdict row = quantized.verdict();
  EXPECT_TRUE(row.right) << row.reason;
}

TEST(Gemm, ExtremesAreJudgedWithoutFalseAlarm) {
  for (const char *keys : {"a=f64,b=f64", "a=f32,b=f32", "a=bf16,b=bf16",
                           "a=f16,b=f16", "a=f32,b=i8,group=32,scale=f32"}) {
    Lab lab(std::string("gemm:m=20,n=20,k=50,") + keys, Distribution::Extremes);
    Verdict verdict = lab.verdict();
    EXPECT_TRUE(verdict.right) << lab.spec.str() << ": " << verdict.reason;
  }
}

constexpr const char *schedule =
    "#lab.schedule<block [256, 192, 0], loop [0, 0, 256] pack [1] by [16, 64], "
    "loop [8, 0, 0] stage [0] by [8, 64], loop [0, 48, 0], "
    "kernel<outer>>";

TEST(Gemm, LongProductsAreCheckedOnEdgesOfTheirTiles) {
  EXPECT_EQ(firstTileSizes(schedule), (std::vector<int64_t>{256, 0, 8, 0}));
  EXPECT_EQ(firstTileSizes("block [2, 64, 0] threads 256, thread [3, 4, 0]"),
            (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(firstTileSizes("block [2, 64, 0] threads 256, warp [1, 4, 0] lanes "
                           "16, kernel<dot, width = 32>"),
            (std::vector<int64_t>{2, 1}));
  KernelSpec spec = parsed("gemm:m=4099,n=4096,k=4096,a=f32,b=f32");
  std::set<int64_t> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int64_t> rows = rowsToCheck(spec, schedule, seed);
    std::set<int64_t> distinct(rows.begin(), rows.end());
    EXPECT_EQ(rows.size(), 64u);
    EXPECT_EQ(distinct.size(), 64u);
    for (int64_t row : {0, 7, 8, 255, 256, 4095, 4096, 4098})
      EXPECT_TRUE(distinct.count(row)) << row;
    EXPECT_GE(*distinct.begin(), 0);
    EXPECT_LT(*distinct.rbegin(), spec.m);
    EXPECT_EQ(rowsToCheck(spec, schedule, seed), rows);
    seen.insert(rows.begin(), rows.end());
  }
  // Every tile's edge is looked at in some run, and rows inside tiles.
  for (int64_t edge = 256; edge < spec.m; edge += 256)
    EXPECT_TRUE(seen.count(edge - 1) && seen.count(edge)) << edge;
  EXPECT_GT(seen.size(), 500u);
  EXPECT_EQ(rowsToCheck(spec, "", 1).size(), 64u);
}

/// A product of ones above 2^31 multiply-adds; all its elements are equal.
Lab longLab(const std::string &keys) {
  std::string rest = "k=28000," + keys;
  Lab one("gemm:m=1,n=1," + rest, Distribution::Ones);
  Lab lab = one;
  lab.spec = parsed("gemm:m=1100,n=70," + rest);
  lab.before = dataFor(lab.spec, Distribution::Ones);
  lab.after = copied(lab.before);
  Tensor &c = lab["c"];
  for (int64_t i = 0; i < c.rows(); ++i)
    for (int64_t j = 0; j < c.columns(); ++j)
      c.setBits(i, j, one["c"].bits(0, 0));
  return lab;
}

TEST(Gemm, OneWrongElementOfALongProductIsSeenInAnyRow) {
  for (const char *keys :
       {"a=f32,b=f32", "a=bf16,b=bf16,out=bf16", "a=i8,b=i8",
        "a=i8,b=i8,accumulate=yes", "a=f32,b=f32,accumulate=yes",
        "a=bf16,b=u4,zero=u4,group=100,scale=f32",
        "a=f32,b=i8,group=32,scale=f32,compute=i8"}) {
    Lab lab = longLab(keys);
    Verdict right = lab.verdict();
    EXPECT_TRUE(right.right) << keys << ": " << right.reason;
    EXPECT_EQ(right.checked, "rows+freivalds");
    ASSERT_TRUE(right.detects);
    bool integers = lab.spec.acc == Format::I32;
    if (integers)
      EXPECT_EQ(*right.detects, 1);
    std::vector<int64_t> rows = rowsToCheck(lab.spec, "", 1);
    int64_t row = 500;
    while (std::count(rows.begin(), rows.end(), row))
      ++row;
    Tensor &c = lab["c"];
    // As far off as it must be seen, at the least by one step of the format.
    double step = std::fabs(c.value(row, 69)) / 100;
    double off = integers ? 1 : std::max(*right.detects, step);
    EXPECT_LT(off, std::fabs(c.value(row, 69))) << keys;
    c.setBits(row, 69, encode(lab.spec.out, c.value(row, 69) + 1.01 * off));
    Verdict wrong = lab.verdict();
    EXPECT_FALSE(wrong.right) << keys;
    std::string where = "c[" + std::to_string(row) + ",69] is ";
    EXPECT_EQ(wrong.reason.compare(0, where.size(), where), 0) << wrong.reason;
  }
}

TEST(Gemm, NanInALongProductIsJudgedElementByElement) {
  Lab lab = longLab("a=f32,b=f32");
  uint64_t nan = encode(Format::F32, std::nan(""));
  find(lab.before, "a")->setBits(613, 5, nan);
  find(lab.after, "a")->setBits(613, 5, nan);
  EXPECT_FALSE(lab.verdict().right);
  for (int64_t j = 0; j < 70; ++j)
    lab["c"].setBits(613, j, nan);
  Verdict verdict = lab.verdict();
  EXPECT_TRUE(verdict.right) << verdict.reason;
}

TEST(Gemm, ExactTilesKeepWhatF64Drops) {
  // 2^53 + 1 - 2^53 over k.
  auto a = [](int64_t, int64_t begin, int64_t n, double *out) {
    const double values[] = {0x1p53, 1, -0x1p53};
    std::copy(values + begin, values + begin + n, out);
  };
  auto ones = [](int64_t, int64_t, int64_t n, double *out) {
    std::fill_n(out, n, 1.0);
  };
  oracle::TileSums sums;
  int64_t row = 0;
  oracle::TileProduct(a, ones, 3).runExactly(&row, 1, 0, 1, sums);
  EXPECT_EQ(sums.sum[0], 1);
  EXPECT_EQ(sums.magnitude[0], 0x1p54);
}

} // namespace
