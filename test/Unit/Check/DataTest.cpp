// DataTest.cpp - the distributions: the same everywhere, and what they say.
#include "Support.h"

#include "runtime/check/oracle/Oracle.h"

#include <cmath>
#include <cstring>
#include <set>

using namespace labgen;
using namespace labgen::test;

namespace {

Tensor inputOf(const std::string &spec, Distribution d, uint64_t seed = 1,
               const char *argument = "x") {
  return *find(dataFor(parsed(spec), d, seed), argument);
}

TEST(Data, Names) {
  for (const char *text :
       {"normal", "uniform", "ones", "zeros", "ties", "outliers", "extremes"}) {
    Result<Distribution> d = parseDistribution(text);
    ASSERT_TRUE(bool(d));
    EXPECT_EQ(name(*d), text);
  }
  Result<Distribution> d = parseDistribution("norml");
  ASSERT_FALSE(bool(d));
  EXPECT_NE(d.status().message().find("'norml'; did you mean 'normal'"),
            std::string::npos)
      << d.status().message();
}

TEST(Data, DoesNotDependOnThreadsButOnSeedAndArgument) {
  KernelSpec spec = parsed("axpy:n=5000,type=f32");
  for (int i = 0; i < 7; ++i) {
    auto d = Distribution(i);
    Tensors one = *makeData(spec, d, 9, serial), two = dataFor(spec, d, 9);
    for (size_t a = 0; a < one.size(); ++a)
      EXPECT_EQ(0, std::memcmp(one[a].data(), two[a].data(),
                               size_t(one[a].byteSize())));
  }
  Tensors data = dataFor(spec);
  EXPECT_NE(valuesOf(data[1]), valuesOf(data[2]));
  EXPECT_NE(valuesOf(data[1]),
            valuesOf(dataFor(spec, Distribution::Normal, 2)[1]));
}

TEST(Data, NormalHasItsMoments) {
  std::vector<double> x = valuesOf(
      inputOf("reduce:n=400000,type=f64,kind=sum", Distribution::Normal));
  double moments[5] = {};
  for (double v : x)
    for (int p = 1; p <= 4; ++p)
      moments[p] += std::pow(v, p) / double(x.size());
  EXPECT_NEAR(moments[1], 0, 0.01);
  EXPECT_NEAR(moments[2], 1, 0.01);
  EXPECT_NEAR(moments[3], 0, 0.03);
  EXPECT_NEAR(moments[4], 3, 0.06);
}

TEST(Data, UniformStaysBelowOne) {
  for (const char *type : {"f64", "f32", "bf16", "f16"}) {
    double low = 0, high = 0;
    for (double v : valuesOf(inputOf(std::string("reduce:n=100000,kind=sum,"
                                                 "type=") +
                                         type,
                                     Distribution::Uniform))) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
    EXPECT_LT(high, 1) << type;
    EXPECT_GE(low, -1) << type;
    EXPECT_GT(high - low, 1.98) << type;
  }
}

TEST(Data, ConstantsAndOutliers) {
  const char *spec = "reduce:n=64000,type=bf16,kind=sum";
  for (double v : valuesOf(inputOf(spec, Distribution::Ones)))
    ASSERT_EQ(v, 1);
  for (double v : valuesOf(inputOf(spec, Distribution::Zeros)))
    ASSERT_EQ(v, 0);
  int64_t large = 0;
  for (double v : valuesOf(inputOf(spec, Distribution::Outliers)))
    large += std::fabs(v) > 8;
  EXPECT_NEAR(double(large), 1000 * 0.936, 120); // P(|100 z| > 8)
}

/// Every element but the group's first is halfway between two codes.
TEST(Data, TiesOfIntegersAreTies) {
  for (const char *in : {"f32", "bf16", "f16"})
    for (const char *keys :
         {"out=i8,group=32,scale=f32", "out=i4,group=8,scale=f16",
          "out=i8,group=32,scale=f32,range=full",
          "out=i8,group=channel,scale=f32", "out=i4,group=tensor,scale=f32"}) {
      Lab lab(std::string("quantize:m=3,k=70,in=") + in + "," + keys,
              Distribution::Ties);
      const Tensor &x = lab["x"], &scale = lab["scale"];
      int64_t along = lab.spec.group.along(70), ties = 0, up = 0;
      bool tensor = lab.spec.group.kind == Group::Tensor;
      for (int64_t r = 0; r < 3; ++r)
        for (int64_t i = 0; i < 70; ++i) {
          double s = scale.value(tensor ? 0 : r, i / along);
          double steps = std::fabs(x.value(r, i)) / s;
          if (i % along == 0 && (!tensor || r == 0))
            continue;
          EXPECT_EQ(steps - std::floor(steps), 0.5) << keys << " " << steps;
          ++ties;
          up += std::fabs(lab["q"].value(r, i)) > steps;
        }
      EXPECT_GT(up, ties / 4) << keys; // both ways occur
      EXPECT_LT(up, ties * 3 / 4) << keys;
    }
}

TEST(Data, TiesOfFloatCodesAreTies) {
  for (const char *out : {"f8E4M3FN", "f4E2M1FN", "f6E2M3FN", "f8E5M2"}) {
    Lab lab(std::string("quantize:m=2,k=64,in=f32,group=32,scale=f8E8M0FNU,"
                        "out=") +
                out,
            Distribution::Ties);
    Format format = lab.spec.out;
    for (int64_t i = 1; i < 32; ++i) {
      double code = std::fabs(lab["x"].value(0, i)) / lab["scale"].value(0, 0);
      EncodeRules down;
      down.rounding = Rounding::Zero;
      uint64_t low = encode(format, code, down);
      EXPECT_EQ(code, (decode(format, low) + decode(format, low + 1)) / 2)
          << out << " " << code;
    }
  }
}

TEST(Data, TiesOfCastsAndAxpy) {
  for (const char *keys :
       {"in=f32,out=bf16", "in=f32,out=f16", "in=f64,out=f32", "in=i32,out=f32",
        "in=f32,out=f8E4M3FN", "in=f32,out=i8"}) {
    Lab even(std::string("cast:n=2000,") + keys, Distribution::Ties);
    Lab away(std::string("cast:n=2000,round=away,") + keys, Distribution::Ties);
    int64_t different = 0;
    for (int64_t i = 0; i < 2000; ++i)
      different += even["y"].bits(0, i) != away["y"].bits(0, i);
    EXPECT_GT(different, 700) << keys; // half the ties go down to even
  }
  for (const char *type : {"f32", "bf16", "f16"}) {
    Lab lab(std::string("axpy:n=1000,type=") + type, Distribution::Ties);
    int64_t moved = 0;
    for (int64_t i = 0; i < 1000; ++i)
      moved += lab["y"].bits(0, i) != find(lab.before, "y")->bits(0, i);
    EXPECT_GT(moved, 300) << type; // y odd: the tie leaves it
    EXPECT_LT(moved, 700) << type;
  }
}

TEST(Data, ExtremesHoldEverySpecial) {
  for (const char *type : {"f64", "f32", "bf16", "f16"}) {
    Tensor x = inputOf(std::string("reduce:n=20000,kind=sum,type=") + type,
                       Distribution::Extremes);
    const FormatInfo &f = info(x.argument().format);
    std::set<std::string> seen;
    for (double v : valuesOf(x)) {
      std::string sign = std::signbit(v) ? "-" : "+";
      double m = std::fabs(v);
      if (std::isnan(v))
        seen.insert("nan");
      else if (std::isinf(v))
        seen.insert(sign + "inf");
      else if (v == 0 || m == f.minSubnormal || m == f.minNormal || m == f.max)
        seen.insert(sign + std::to_string(m == f.max ? 9 : m / f.minSubnormal));
      else if (m < f.minNormal)
        seen.insert(sign + "subnormal");
    }
    EXPECT_EQ(seen.size(), 13u) << type;
  }
}

TEST(Data, OutputsHaveAPatternAndCodesAreQuantized) {
  Tensors data = dataFor(parsed("dequantize:m=3,k=70,in=i4,out=f32,group=32,"
                                "scale=f16"));
  EXPECT_EQ(find(data, "y")->bits(2, 69), 0xA5A5A5A5u);
  EXPECT_EQ(data[0].bits(1, 69) >> 4, 0u);
  int64_t full = 0;
  for (double v : valuesOf(data[0]))
    full += std::fabs(v) == 7;
  EXPECT_GE(full, 9); // each group's largest
  EXPECT_GT(data[1].value(2, 2), 0);
}

TEST(Data, TooLargeIsBadInput) {
  Result<Tensors> data = makeData(parsed("axpy:n=100000000000000,type=f32"),
                                  Distribution::Ones, 1, serial);
  ASSERT_FALSE(bool(data));
  EXPECT_EQ(data.status().exitCode(), ExitCode::BadInput);
  EXPECT_NE(data.status().message().find("needs 400000000000000 bytes"),
            std::string::npos)
      << data.status().message();
}

} // namespace
