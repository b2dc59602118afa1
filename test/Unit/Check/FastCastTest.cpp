// FastCastTest.cpp - the bulk roundings against the scalar reference: tables of
// steps at the ends and middles of their intervals (all 2^32 inputs in a slow
// test), and every cast by every rule on codes, random bits and rounding ties.
#include "Support.h"

#include "runtime/check/Metrics.h"
#include "runtime/check/numbers/Arithmetic.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/numbers/StepTable.h"
#include "runtime/check/oracle/Elementwise.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Philox.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

using namespace labgen;
using namespace labgen::test;

namespace {

float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

struct Rules {
  Rounding round;
  Overflow overflow;
  NanRule nan;
};
std::vector<Rules> rulesFor(Format target) {
  std::vector<Rules> all;
  const FormatInfo &f = info(target);
  for (Rounding round :
       {Rounding::Even, Rounding::Away, Rounding::Zero, Rounding::Stochastic})
    for (Overflow overflow : {Overflow::Saturate, Overflow::Ieee})
      for (NanRule nan : {NanRule::Propagate, NanRule::Max})
        if ((overflow == Overflow::Saturate || f.hasInf || f.hasNaN) &&
            (nan == NanRule::Max || f.hasNaN))
          all.push_back({round, overflow, nan});
  return all;
}

/// Rounds `inputs` (f32 bits) by the table and by encode().
void expectSame(Format target, const EncodeRules &rules,
                const oracle::StepTable &table,
                const std::vector<uint32_t> &inputs) {
  std::vector<uint32_t> codes = inputs;
  int64_t clamped = table.round(codes.data(), int64_t(codes.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    EncodeEvent event;
    uint64_t want = encode(target, asFloat(inputs[i]), rules, &event);
    clamped -= event == EncodeEvent::Saturated;
    ASSERT_EQ(codes[i], want) << name(target) << std::hex << " 0x" << inputs[i];
  }
  ASSERT_EQ(clamped, 0) << name(target);
}

TEST(StepTable, SaysWhatTheReferenceSays) {
  for (Format target : allFormats())
    for (const Rules &r : rulesFor(target)) {
      EncodeRules rules{r.round, r.overflow, r.nan, 0};
      const oracle::StepTable *table = oracle::StepTable::get(target, rules);
      bool wide = target == Format::F64 || target == Format::F32 ||
                  target == Format::I32;
      ASSERT_EQ(table == nullptr, wide) << name(target);
      if (!table)
        continue;
      // Every step of a float of few bits is at an end or the middle of a run
      // of neighbours with the same high bits.
      int low = 23 - std::max(7, info(target).mantissaBits);
      uint32_t half = uint32_t(1) << (low - 1);
      std::vector<uint32_t> inputs;
      for (uint64_t first = 0; first >> 32 == 0; first += 2 * half) {
        for (uint32_t at : {0u, 1u, half - 1, half, half + 1, 2 * half - 1})
          inputs.push_back(uint32_t(first) + at);
        if (inputs.size() < 6000)
          continue;
        expectSame(target, rules, *table, inputs);
        inputs.clear();
      }
      expectSame(target, rules, *table, inputs);
    }
}

/// Every f32 there is; minutes.
TEST(StepTable, DISABLED_EveryFloat) {
  for (auto [target, round] : {std::pair(Format::F8E4M3FN, Rounding::Even),
                               {Format::F16, Rounding::Zero},
                               {Format::F8E5M2, Rounding::Stochastic},
                               {Format::I8, Rounding::Away}}) {
    EncodeRules rules{round, defaultOverflow(target), defaultNanRule(target),
                      0};
    const oracle::StepTable *table = oracle::StepTable::get(target, rules);
    ASSERT_TRUE(table);
    pieces(1 << 16, [&, target = target](int64_t begin, int64_t end) {
      std::vector<uint32_t> inputs(1 << 16);
      for (int64_t high = begin; high < end; ++high) {
        for (uint32_t low = 0; low < 1 << 16; ++low)
          inputs[low] = uint32_t(high) << 16 | low;
        expectSame(target, rules, *table, inputs);
      }
    });
  }
}

TEST(RoundToOdd, KeepsWhatAShorterRoundingNeeds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto odd = [](double value) {
    uint32_t bits;
    oracle::roundToOdd(&value, 1, &bits);
    return bits;
  };
  EXPECT_EQ(odd(1), 0x3f800000u);
  EXPECT_EQ(odd(1 + 0x1p-40), 0x3f800001u);
  EXPECT_EQ(odd(1 + 0x1.8p-23), 0x3f800001u);
  EXPECT_EQ(odd(-1 - 0x1p-40), 0xbf800001u);
  EXPECT_EQ(odd(1 + 0x1.8p-22), 0x3f800003u);
  EXPECT_EQ(odd(0x1p-200), 1u);
  EXPECT_EQ(odd(-0x1p-200), 0x80000001u);
  EXPECT_EQ(odd(-0.0), 0x80000000u);
  EXPECT_EQ(odd(1e300), 0x7f7fffffu); // finite stays finite
  EXPECT_EQ(odd(infinity), 0x7f800000u);
  EXPECT_GT(odd(std::nan("")) & 0x7fffffffu, 0x7f800000u);
}

/// Values of `in` that may be told apart by a cast to `out`: all codes, or ties
/// between neighbours of `out` with both sides of them, extremes, random bits.
std::vector<double> telling(Format in, Format out) {
  std::vector<double> values;
  if (info(in).bits <= 8) {
    for (uint64_t code = 0; code < uint64_t(1) << info(in).bits; ++code)
      values.push_back(decode(in, code));
    return values;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double v : {0.0,
                   -0.0,
                   infinity,
                   -infinity,
                   std::nan(""),
                   1e300,
                   0x1p-160,
                   info(out).max,
                   2 * info(out).max,
                   info(out).min,
                   info(out).minSubnormal / 2,
                   info(out).minSubnormal / 3,
                   0.5,
                   1.5,
                   2.5,
                   -0.5,
                   -2.5,
                   0.49999999999999994,
                   0x1p31,
                   -0x1p31,
                   0x1p31 - 0.5,
                   -0x1p31 - 0.5,
                   0x1p40,
                   0x1p52 + 1})
    values.push_back(v);
  for (uint32_t i = 0; i < 3000; ++i) {
    PhiloxWords w = philox(7, i, 1);
    // Two neighbours in `out`, their middle, and what is next to it.
    int unused = info(out).storageBits - info(out).bits;
    uint64_t word = uint64_t(w.w0) << 32 | w.w1;
    uint64_t code = word >> (64 - info(out).bits);
    double one = decode(out, code << unused);
    double two = decode(out, (code + 1) << unused);
    double middle = one / 2 + two / 2;
    for (double v : {one, middle, std::nextafter(middle, -infinity),
                     std::nextafter(middle, infinity), middle * (1 + 0x1p-23),
                     middle * (1 - 0x1p-23)})
      values.push_back(v);
    double any;
    std::memcpy(&any, &word, sizeof any);
    values.push_back(any);
    values.push_back(asFloat(w.w2));
  }
  return values;
}

void expectCastsLikeEach(KernelSpec spec) {
  std::vector<double> values = telling(spec.in, spec.out);
  spec.n = int64_t(values.size());
  Tensor x = tensorOf("x", spec.in, {spec.n}, values);
  spec.n = 1 << 23; // as if there were enough for a table
  oracle::Caster caster(spec);
  auto count = int64_t(values.size());
  std::vector<std::byte> got(size_t(packedBytes(spec.out, count)) + 8,
                             std::byte(0xA5)),
      want = got;
  int64_t fast = caster.cast(x.data(), 0, count, got.data());
  int64_t each = caster.castEach(x.data(), 0, count, want.data());
  ASSERT_EQ(fast, each) << spec.str();
  Differences differences;
  differences.compare(spec.out, got.data(), want.data(), 0, count, 0);
  Argument y{"y", Role::Output, spec.out, {count}};
  ASSERT_FALSE(differences.any()) << spec.str() << differences.describe(y);
  // Nothing is written behind the last byte.
  ASSERT_EQ(got[size_t(packedBytes(spec.out, count))], std::byte(0xA5));
}

TEST(FastCast, EveryCastByEveryRuleIsTheReferences) {
  for (Format in : allFormats())
    for (Format out : allFormats())
      for (const Rules &r : rulesFor(out)) {
        KernelSpec spec;
        spec.op = Op::Cast;
        spec.in = in;
        spec.out = out;
        spec.round = r.round;
        spec.overflow = r.overflow;
        spec.nan = r.nan;
        spec.seed = 5;
        expectCastsLikeEach(spec);
        if (HasFatalFailure())
          return;
      }
}

/// acc in 16 bits, against one scalar multiply-add and one rounding.
TEST(FastCast, AxpyInSixteenBitsIsOneRounding) {
  for (Format type : {Format::BF16, Format::F16}) {
    constexpr int64_t n = 2048;
    KernelSpec spec = parsed("axpy:n=2048,type=" + std::string(name(type)) +
                             ",acc=" + std::string(name(type)));
    std::vector<uint16_t> x, y, got(n);
    for (uint32_t i = 0; i < n; ++i) {
      PhiloxWords w = philox(3, i, 1);
      x.push_back(uint16_t(w.w0));
      y.push_back(uint16_t(w.w1));
    }
    for (double alpha : {1.0, -0.375, 1.25, 100.0}) {
      double reference[n];
      oracle::axpy(spec, alpha, reinterpret_cast<std::byte *>(x.data()),
                   reinterpret_cast<std::byte *>(y.data()), 0, n,
                   reinterpret_cast<std::byte *>(got.data()), reference);
      for (size_t i = 0; i < n; ++i) {
        double want = oracle::Narrow{type}.fma(alpha, decode(type, x[i]),
                                               decode(type, y[i]));
        double is = decode(type, got[i]);
        ASSERT_TRUE(is == want || (std::isnan(is) && std::isnan(want)))
            << name(type) << " " << alpha << " " << i;
        ASSERT_EQ(std::signbit(is) && !std::isnan(is),
                  std::signbit(want) && !std::isnan(want));
      }
    }
  }
}

/// Enough rows for a table, and one row, which has none.
TEST(FastCast, QuantizersRoundAlikeWithAndWithoutATable) {
  for (const char *rules :
       {"out=f8E4M3FN,group=32,scale=f32", "out=f8E5M2FNUZ,group=7,scale=f16",
        "out=f6E3M2FN,group=32,scale=f8E8M0FNU,rule=rceil",
        "out=f4E2M1FN,group=16,scale=f32,inverse=reciprocal",
        "out=f4E2M1FN,group=32,scale=f16,round=away",
        "out=f8E4M3FN,group=channel,scale=bf16,round=zero"}) {
    std::string keys = std::string(",in=f32,") + rules;
    for (Distribution d :
         {Distribution::Normal, Distribution::Extremes, Distribution::Ties}) {
      Lab all("quantize:m=512,k=1024" + keys, d);
      for (int64_t row : {0, 1, 300, 511}) {
        KernelSpec one = parsed("quantize:m=1,k=1024" + keys);
        Tensors outputs = dataFor(one);
        const Tensor &x = *find(all.before, "x");
        oracle::FloatSource source = [&](int64_t, int64_t begin, int64_t count,
                                         float *out) {
          oracle::floatsOf(x)(row, begin, count, out);
        };
        Tensor &q = *find(outputs, "q");
        oracle::quantize(one, 1, 1024, source,
                         {&q, find(outputs, "scale"), nullptr, nullptr},
                         serial);
        int64_t bytes = q.argument().rowBytes();
        ASSERT_EQ(
            std::memcmp(q.data(), all["q"].data() + row * bytes, size_t(bytes)),
            0)
            << one.str() << " " << name(d) << " row " << row;
      }
    }
  }
}

TEST(FastCast, PackedCodesGoOutAndBack) {
  for (Format format :
       {Format::I4, Format::F4E2M1FN, Format::F6E2M3FN, Format::F8E5M2}) {
    uint8_t mask = uint8_t((1 << info(format).bits) - 1);
    for (int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 511, 512, 513, 2047}) {
      std::vector<uint32_t> words;
      for (int64_t i = 0; i < n; ++i)
        words.push_back(philox(1, uint64_t(i), 1).w0 & mask);
      std::vector<std::byte> row(size_t(packedBytes(format, n)) + 1,
                                 std::byte(0xA5));
      oracle::writeWords(format, row.data(), 0, n, words.data());
      EXPECT_EQ(row.back(), std::byte(0xA5));
      std::vector<uint8_t> codes(size_t(n) + 1, 0x77);
      oracle::readCodes(format, row.data(), 0, n, codes.data());
      EXPECT_EQ(codes.back(), 0x77);
      std::vector<float> floats(size_t(n) + 1);
      for (int64_t begin : {0, 1, 2, 3})
        if (begin <= n) {
          oracle::readFloats(format, row.data(), begin, n - begin,
                             floats.data());
          for (int64_t i = begin; i < n; ++i) {
            ASSERT_EQ(codes[size_t(i)], words[size_t(i)]) << n;
            float value = float(decode(format, words[size_t(i)]));
            ASSERT_TRUE(floats[size_t(i - begin)] == value || std::isnan(value))
                << name(format) << " " << n << " " << begin << " " << i;
          }
        }
    }
  }
}

} // namespace
