// SpansTest.cpp - the bulk conversions against the reference ones, code by
// code.
#include "Support.h"

#include "runtime/check/numbers/Spans.h"

#include <cmath>
#include <cstring>

using namespace labgen;
using namespace labgen::test;

namespace {

bool same(double a, double b) {
  return a == b ? std::signbit(a) == std::signbit(b)
                : std::isnan(a) && std::isnan(b);
}

/// All codes of a format, or a spread of them where there are too many.
Tensor codesOf(Format format) {
  int bits = std::min(info(format).storageBits, 16);
  int64_t count = int64_t(1) << bits;
  Tensor t = *Tensor::allocate({"t", Role::Input, format, {count}});
  int up = info(format).storageBits - bits;
  for (int64_t i = 0; i < count; ++i)
    t.setBits(0, i, uint64_t(i) << up | (up ? uint64_t(i) : 0));
  return t;
}

TEST(Spans, ReadsEveryCode) {
  for (Format format : allFormats()) {
    Tensor t = codesOf(format);
    int64_t n = t.columns();
    std::vector<float> floats(static_cast<size_t>(n));
    std::vector<double> doubles(static_cast<size_t>(n));
    oracle::readFloats(format, t.data(), 0, n, floats.data());
    oracle::readDoubles(format, t.data(), 0, n, doubles.data());
    for (int64_t i = 0; i < n; ++i) {
      double value = t.value(0, i);
      ASSERT_TRUE(same(doubles[size_t(i)], value)) << name(format) << i;
      ASSERT_TRUE(same(floats[size_t(i)], float(value))) << name(format) << i;
    }
    // From the middle, an odd place and an odd count.
    for (int64_t begin : {1, 2, 3, 5}) {
      oracle::readFloats(format, t.data(), begin, 11, floats.data());
      for (int64_t i = 0; i < 11; ++i)
        EXPECT_TRUE(same(floats[size_t(i)], float(t.value(0, begin + i))))
            << name(format) << " " << begin << " " << i;
    }
  }
}

/// Around every 16-bit code: its value, its neighbours in f32 and the midpoint
/// to the next, with theirs.
TEST(Spans, WritesRoundAsTheReferenceDoes) {
  for (Format format : {Format::BF16, Format::F16}) {
    std::vector<float> values;
    for (uint32_t code = 0; code < 0x10000; ++code) {
      float value = float(decode(format, code));
      float next = float(decode(format, code + 1));
      float middle = value + (next - value) / 2;
      for (float x : {value, middle})
        for (float to : {-INFINITY, INFINITY})
          values.insert(values.end(), {x, std::nextafter(x, to)});
    }
    for (int exponent = -149; exponent < 128; ++exponent)
      values.push_back(std::ldexp(1.0f, exponent));
    std::vector<uint16_t> codes(values.size());
    oracle::writeFloats(format, reinterpret_cast<std::byte *>(codes.data()), 0,
                        int64_t(values.size()), values.data());
    for (size_t i = 0; i < values.size(); ++i) {
      uint64_t want = encode(format, values[i]);
      bool bothNan =
          std::isnan(values[i]) && std::isnan(decode(format, codes[i]));
      ASSERT_TRUE(codes[i] == want || bothNan)
          << name(format) << " " << values[i];
    }
  }
}

TEST(Spans, WritersZeroThePadBits) {
  for (Format format : {Format::I4, Format::F6E2M3FN, Format::F4E2M1FN}) {
    for (int64_t n : {1, 2, 3, 5}) {
      std::byte row[8];
      std::memset(row, 0xA5, sizeof row);
      std::vector<uint8_t> codes(size_t(n), 3);
      oracle::writeCodes(format, row, 0, n, codes.data());
      for (int64_t i = 0; i < n; ++i)
        EXPECT_EQ(codeBits(format, row, i), 3u);
      int64_t bytes = packedBytes(format, n);
      int used = int(n * info(format).storageBits % 8);
      EXPECT_EQ(used ? uint8_t(row[bytes - 1]) >> used : 0, 0)
          << name(format) << n;
      EXPECT_EQ(row[bytes], std::byte(0xA5));
    }
  }
}

} // namespace
