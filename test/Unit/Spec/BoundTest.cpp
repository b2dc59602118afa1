// BoundTest.cpp - bounds of sums and products: their closed forms, and that
// emulated kernels stay within them on kind and unkind data.
#include "lib/Spec/Bound.h"
#include "lib/Spec/Convert.h"
#include "lib/Spec/ops/Gemm.h"
#include "lib/Spec/ops/Reduce.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace labgen;

namespace {

KernelSpec parsed(const std::string &text) {
  Result<KernelSpec> spec = KernelSpec::parse(text);
  EXPECT_TRUE(spec) << text << ": " << spec.status().message();
  return spec ? *spec : KernelSpec();
}

TEST(Bound, UnitRoundoffs) {
  EXPECT_EQ(unitRoundoff(Format::F64), 0x1p-53);
  EXPECT_EQ(unitRoundoff(Format::F32), 0x1p-24);
  EXPECT_EQ(unitRoundoff(Format::TF32), 0x1p-11);
  EXPECT_EQ(unitRoundoff(Format::BF16), 0x1p-8);
  EXPECT_EQ(unitRoundoff(Format::F8E4M3FN), 0x1p-4);
  EXPECT_EQ(unitRoundoff(Format::F4E2M1FN), 0x1p-2);
  EXPECT_EQ(unitRoundoff(Format::I8), 0);
}

TEST(Bound, Gamma) {
  EXPECT_EQ(gamma(0, 0x1p-24), 0);
  EXPECT_EQ(gamma(1, 0.25), 0.25 / 0.75);
  EXPECT_EQ(gamma(4, 0.25), INFINITY);
}

TEST(Bound, RoundingError) {
  EXPECT_EQ(roundingError(Format::F16, 2), 2 * 0x1p-11);
  EXPECT_EQ(roundingError(Format::F16, -2), 2 * 0x1p-11);
  EXPECT_EQ(roundingError(Format::F16, 0), 0x1p-25);
  EXPECT_EQ(roundingError(Format::I8, 100), 0.5);
  std::mt19937_64 random(1);
  for (Format format : {Format::BF16, Format::F16, Format::F8E4M3FN,
                        Format::F4E2M1FN, Format::I8})
    for (int i = 0; i < 20000; ++i) {
      double x = std::ldexp(double(random() >> 11), -53 - int(random() % 12)) *
                 info(format).max;
      EXPECT_LE(std::fabs(roundTo(format, x) - x), roundingError(format, x));
    }
}

double growth(const std::string &keys) {
  return reduceBound(parsed("reduce:" + keys), 1, 1);
}

TEST(Bound, DepthsOfSums) {
  double u = 0x1p-24;
  EXPECT_EQ(growth("n=1,type=f32,kind=sum"), 0);
  EXPECT_EQ(growth("n=0,type=f32,kind=dot"), 0);
  EXPECT_EQ(growth("n=5,type=f32,kind=sum,order=sequential"), gamma(4, u));
  EXPECT_EQ(growth("n=5,type=f64,kind=sum,order=sequential"),
            gamma(4, 0x1p-53));
  EXPECT_EQ(growth("n=128,type=f32,kind=sum"), gamma(7, u));
  EXPECT_EQ(growth("n=129,type=f32,kind=sum"), gamma(8, u));
  EXPECT_EQ(growth("n=16384,type=bf16,kind=sum"), gamma(127 + 7, u));
  // A second level folds two results.
  EXPECT_EQ(growth("n=16385,type=f32,kind=sum"), gamma(127 + 7 + 1, u));
  EXPECT_EQ(growth("n=8,type=f32,kind=sum,block=2"), gamma(3, u));
  EXPECT_EQ(growth("n=128,type=f32,kind=sum,order=pairwise"), gamma(127, u));
  EXPECT_EQ(growth("n=300,type=f32,kind=sum,order=pairwise"), gamma(129, u));
  EXPECT_EQ(growth("n=16,type=f32,kind=sum,order=pairwise,block=1"),
            gamma(4, u));
  // A dot rounds each term once more, and may lose half a subnormal a term.
  EXPECT_EQ(growth("n=16,type=f32,kind=dot,order=pairwise,block=1"),
            gamma(5, u) + 16 * 0x1p-150 * (1 + gamma(5, u)));
  // Compensation keeps the growth at a few u however long the sum.
  EXPECT_LT(growth("n=100000000,type=f32,kind=sum,order=compensated"), 14 * u);
  EXPECT_EQ(growth("n=1000,type=f32,kind=max"), 0);
  EXPECT_EQ(growth("n=1000,type=i8,kind=sum"), 0);
  // Nothing can be promised for so long a sum in f16, or one that overflows.
  EXPECT_EQ(growth("n=5000,type=f16,acc=f16,kind=sum,order=sequential"),
            INFINITY);
  EXPECT_EQ(reduceBound(parsed("reduce:n=9,type=f16,acc=f16,kind=sum"), 7e4, 1),
            INFINITY);
  EXPECT_TRUE(std::isnan(
      reduceBound(parsed("reduce:n=9,type=f32,kind=sum"), NAN, NAN)));
}

//===----------------------------------------------------------------------===//
// Emulated sums
//===----------------------------------------------------------------------===//

using Add = std::function<double(double, double)>;

/// An accumulator of `spec`'s order taking terms x_i (y_i null) or x_i y_i.
struct Emulated {
  const KernelSpec &spec;
  const std::vector<double> &x, &y;

  double round(double v) const { return roundTo(spec.acc, v); }
  double fused(double acc, size_t i) const {
    return round(y.empty() ? acc + x[i] : std::fma(x[i], y[i], acc));
  }

  double sequential(size_t begin, size_t end) const {
    double acc = 0;
    for (size_t i = begin; i < end; ++i)
      acc = fused(acc, i);
    return acc;
  }
  double run() const {
    size_t n = x.size(), block = size_t(spec.block);
    if (spec.order == SumOrder::Sequential)
      return sequential(0, n);
    std::vector<double> level;
    for (size_t i = 0; i < n; i += block) {
      size_t end = std::min(n, i + block);
      level.push_back(spec.order == SumOrder::Pairwise ? sequential(i, end)
                                                       : folded(i, end));
    }
    while (level.size() > 1)
      level = spec.order == SumOrder::Pairwise ? pairs(level) : blocks(level);
    return level.empty() ? 0 : level[0];
  }
  std::vector<double> pairs(const std::vector<double> &in) const {
    std::vector<double> out;
    for (size_t i = 0; i < in.size(); i += 2)
      out.push_back(i + 1 < in.size() ? round(in[i] + in[i + 1]) : in[i]);
    return out;
  }
  std::vector<double> blocks(const std::vector<double> &in) const {
    std::vector<double> none, out;
    for (size_t i = 0; i < in.size(); i += size_t(spec.block))
      out.push_back(Emulated{spec, in, none}.folded(
          i, std::min(in.size(), i + size_t(spec.block))));
    return out;
  }
  void kahan(double &sum, double &lost, double term) const {
    double wanted = round(term - lost), next = round(sum + wanted);
    lost = round(round(next - sum) - wanted);
    sum = next;
  }
  double folded(size_t begin, size_t end) const {
    double acc[128] = {}, lost[128] = {};
    bool compensated = spec.order == SumOrder::Compensated;
    for (size_t i = begin; i < end; ++i) {
      size_t lane = (i - begin) % 128;
      if (compensated)
        kahan(acc[lane], lost[lane], round(y.empty() ? x[i] : x[i] * y[i]));
      else
        acc[lane] = fused(acc[lane], i);
    }
    if (compensated) {
      for (int lane = 1; lane < 128; ++lane) {
        kahan(acc[0], lost[0], acc[lane]);
        kahan(acc[0], lost[0], -lost[lane]);
      }
      return acc[0];
    }
    for (int half = 64; half >= 1; half /= 2)
      for (int lane = 0; lane < half; ++lane)
        acc[lane] = round(acc[lane] + acc[lane + half]);
    return acc[0];
  }
};

TEST(Bound, EmulatedSumsStayWithin) {
  std::mt19937_64 random(3);
  auto uniform = [&] { return std::ldexp(double(random() >> 11), -53); };
  struct Shape {
    const char *order;
    int block;
  };
  const Shape shapes[] = {{"sequential", 0},      {"blocked", 16384},
                          {"blocked", 2},         {"blocked", 100},
                          {"pairwise", 128},      {"pairwise", 1},
                          {"compensated", 16384}, {"compensated", 64}};
  for (const Shape &shape : shapes)
    for (const char *type : {"f32,acc=f32", "f16,acc=f16", "bf16,acc=f32"})
      for (const char *kind : {"sum", "dot"})
        for (int n : {1, 2, 3, 127, 128, 129, 1000, 3001})
          for (int data = 0; data < 3; ++data) {
            KernelSpec spec = parsed(
                "reduce:n=" + std::to_string(n) + ",type=" + type +
                ",kind=" + kind + ",order=" + shape.order +
                (shape.block ? ",block=" + std::to_string(shape.block) : ""));
            std::vector<double> x, y;
            long double exact = 0, magnitude = 0;
            for (int i = 0; i < n; ++i) {
              // Positive; cancelling; one large and then what it swallows.
              double v = data == 0   ? uniform()
                         : data == 1 ? uniform() - 0.5
                         : i == 0    ? 1
                                     : 0.9 * unitRoundoff(spec.acc);
              x.push_back(roundTo(spec.type, v));
              if (spec.kind == ReduceKind::Dot)
                y.push_back(
                    roundTo(spec.type, data == 1 ? uniform() - 0.5 : 1));
              long double term = (long double)x[i] * (y.empty() ? 1 : y[i]);
              exact += term;
              magnitude += std::fabs(term);
            }
            double error =
                std::fabs(double(Emulated{spec, x, y}.run() - exact));
            double bound = reduceBound(spec, double(magnitude), double(exact));
            EXPECT_LE(error, bound) << spec.str() << " data " << data;
          }
}

//===----------------------------------------------------------------------===//
// gemm
//===----------------------------------------------------------------------===//

TEST(Bound, GemmForms) {
  double u = 0x1p-24, flush = 0x1p-126;
  KernelSpec plain = parsed("gemm:m=1,n=1,k=100,a=f32,b=f32");
  EXPECT_EQ(gemmBound(plain, 3, 1, 0),
            gamma(102, u) * 3 + 100 * flush * (1 + gamma(102, u)));
  // A narrower result is rounded once more.
  KernelSpec narrow = parsed("gemm:m=1,n=1,k=100,a=f16,b=f16,out=bf16");
  double before = gemmBound(parsed("gemm:m=1,n=1,k=100,a=f16,b=f16"), 3, 1, 0);
  EXPECT_EQ(gemmBound(narrow, 3, 1, 0), before + (1 + before) * 0x1p-8);
  EXPECT_EQ(gemmBound(parsed("gemm:m=1,n=1,k=9,a=i8,b=i8"), 1e9, 5, 0), 0);
  EXPECT_EQ(gemmBound(narrow, 1e39, 1, 0), INFINITY);
  EXPECT_TRUE(std::isnan(gemmBound(plain, NAN, 1, 0)));
  // Quantizing a dominates, and leaves K out of the growth.
  KernelSpec i8 =
      parsed("gemm:m=1,n=1,k=4096,a=f32,b=i8,group=32,scale=f32,compute=i8");
  EXPECT_GT(gemmBound(i8, 1, 1, 0.01), 0.01);
  EXPECT_LT(gemmBound(i8, 1, 1, 0.01), 0.01 + gamma(150, u));
}

TEST(Bound, EmulatedDotOfAnyOrderStaysWithinGemmBound) {
  std::mt19937_64 random(4);
  auto normal = [&] {
    return float(std::ldexp(double(int64_t(random())), -63));
  };
  for (int k : {1, 2, 17, 1000}) {
    KernelSpec spec =
        parsed("gemm:m=1,n=1,k=" + std::to_string(k) + ",a=f32,b=f32");
    KernelSpec added = spec;
    added.accumulate = true;
    for (int trial = 0; trial < 200; ++trial) {
      float forward = 0, before = normal() * 100, onto = before;
      long double exact = 0, magnitude = 0;
      for (int i = 0; i < k; ++i) {
        float a = normal(), b = normal();
        forward = std::fma(a, b, forward);
        onto = std::fma(a, b, onto);
        exact += (long double)a * b;
        magnitude += std::fabs((long double)a * b);
      }
      EXPECT_LE(std::fabs(forward - exact),
                gemmBound(spec, double(magnitude), double(exact), 0));
      EXPECT_LE(std::fabs(onto - (exact + before)),
                gemmBound(added, double(magnitude), double(exact + before), 0));
    }
  }
}

TEST(Bound, WithoutData) {
  auto relative = [](const std::string &text) {
    return relativeBound(parsed(text)).relative;
  };
  EXPECT_NEAR(relative("quantize:m=1,k=1,in=f32,out=i8,group=1,scale=f32"),
              1 / 254.0, 1e-6);
  EXPECT_NEAR(relative("quantize:m=1,k=1,in=f32,out=i4,group=1,scale=f32"),
              1 / 14.0, 1e-6);
  // The clip of the FLOOR rule, as published per element type.
  std::string mx = "quantize:m=1,k=32,in=f32,group=32,scale=e8m0,out=";
  EXPECT_NEAR(relative(mx + "e4m3fn"), 0.125, 1e-6);
  EXPECT_NEAR(relative(mx + "e5m2"), 0.125, 1e-6);
  EXPECT_NEAR(relative(mx + "e2m1"), 0.25, 1e-6);
  EXPECT_NEAR(relative(mx + "f6E2M3FN"), 0.0625, 1e-6);
  EXPECT_NEAR(relative(mx + "f6E3M2FN"), 0.125, 1e-6);
  EXPECT_NEAR(relative("cast:n=1,in=f32,out=f16"), 0x1p-11, 1e-12);
  EXPECT_EQ(relative("cast:n=1,in=f32,out=i8,round=zero"), 1);
  EXPECT_EQ(relative("axpy:n=1,type=f32"), 0x1p-24);
  EXPECT_EQ(relative("reduce:n=129,type=f32,kind=sum"), gamma(8, 0x1p-24));
  for (const char *text :
       {"gemm:m=1,n=1,k=64,a=f32,b=i8,group=32,scale=f16,compute=i8",
        "gemm:m=1,n=1,k=64,a=i8,b=i8", "exp:n=1,in=f32,out=f8E4M3FN",
        "dequantize:m=1,k=1,in=i8,out=f32,group=1,scale=f32"})
    EXPECT_FALSE(relativeBound(parsed(text)).to.empty()) << text;
}

} // namespace
