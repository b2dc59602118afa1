// Cases.cpp - see Cases.h.
#include "test/Casts/Cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace labgen;

namespace {

template <typename To, typename From> To bitsAs(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <typename T> void sortAndUnique(std::vector<T> &all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// Some values of a format with too many codes, in pairs of neighbours.
std::vector<double> sampleOf(Format format) {
  std::vector<double> values;
  int drop = format == Format::TF32 ? 13 : 0;
  std::mt19937_64 random(7);
  auto pairAt = [&](uint64_t code) {
    values.push_back(decode(format, code << drop));
    values.push_back(decode(format, (code + 1) << drop));
  };
  int bits = info(format).bits, mantissa = info(format).mantissaBits;
  uint64_t inf = ((uint64_t(1) << info(format).exponentBits) - 1) << mantissa;
  for (uint64_t field = 0; field < inf >> mantissa; ++field) {
    uint64_t first = field << mantissa;
    pairAt(first);
    pairAt(first + (uint64_t(1) << mantissa) - 2);
    for (int i = 0; i < 200 && bits < 64; ++i)
      pairAt(std::min(first + random() % (uint64_t(1) << mantissa), inf - 2));
  }
  return values;
}

/// Integers of 32 bits around powers of two and zero.
std::vector<double> integerSample() {
  std::vector<double> values;
  for (int bits = 0; bits <= 31; ++bits)
    for (double step = -2; step <= 2; ++step)
      values.push_back(std::min(std::ldexp(1.0, bits) + step, 0x1p31 - 1));
  return values;
}

std::vector<double> valuesOf(Format format) {
  const FormatInfo &row = info(format);
  std::vector<double> values;
  if (format == Format::I32) {
    values = integerSample();
  } else if (row.bits > 16) {
    values = sampleOf(format);
  } else {
    for (uint64_t code : allCodes(format))
      values.push_back(std::fabs(decode(format, code)));
  }
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](double v) { return !std::isfinite(v); }),
               values.end());
  sortAndUnique(values);
  return values;
}

} // namespace

std::vector<Format> labgen::castFormats() { return allFormats(); }

std::vector<std::string> labgen::castRules(Format out) {
  const FormatInfo &row = info(out);
  bool choosesOverflow = row.hasInf || row.hasNaN;
  bool choosesNaN = choosesOverflow && row.kind == FormatKind::Float;
  std::vector<std::string> all;
  for (const char *round : {"", ",round=away", ",round=zero"})
    for (const char *overflow : {"", ",overflow=saturate"})
      for (const char *nan : {"", ",nan=max"})
        if ((choosesOverflow || !*overflow) && (choosesNaN || !*nan))
          all.push_back(std::string(round) + overflow + nan);
  return all;
}

std::vector<double> labgen::decisivePoints(Format out) {
  std::vector<double> values = valuesOf(out), points = values;
  for (size_t i = 0; i + 1 < values.size(); ++i)
    points.push_back(values[i] + (values[i + 1] - values[i]) / 2);
  double last = values.back(), place = last - values[values.size() - 2];
  points.push_back(last + place / 2);
  points.push_back(last + place);
  points.push_back(info(out).minSubnormal / 2);
  points.erase(std::remove_if(points.begin(), points.end(),
                              [](double v) { return std::isinf(v); }),
               points.end());
  sortAndUnique(points);
  return points;
}

std::vector<uint32_t> labgen::floatProbes() {
  std::vector<uint32_t> probes;
  for (uint32_t code = 0; code < 65536; ++code) {
    probes.push_back(code << 16);
    probes.push_back(bitsAs<uint32_t>(float(decode(Format::F16, code))));
  }
  for (uint32_t sign : {0u, 0x80000000u})
    for (uint32_t edge : {0x0u, 0x00800000u, 0x7f800000u, 0x7fffffffu})
      for (int step = -2; step <= 2; ++step)
        probes.push_back(sign ^ ((edge + uint32_t(step)) & 0x7fffffff));
  sortAndUnique(probes);
  return probes;
}

std::vector<uint64_t> labgen::edgeFloats(Format out) {
  std::vector<uint64_t> all;
  for (uint32_t bits : floatProbes())
    all.push_back(bits);
  for (double point : decisivePoints(out)) {
    uint32_t at = bitsAs<uint32_t>(float(point));
    for (uint32_t bits : {at - 1, at, at + 1}) {
      all.push_back(bits);
      all.push_back(bits ^ 0x80000000);
    }
  }
  return all;
}

std::vector<uint64_t> labgen::edgeDoubles(Format out) {
  std::vector<uint64_t> all;
  auto around = [&](double value) {
    uint64_t at = bitsAs<uint64_t>(value);
    for (uint64_t bits : {at - 1, at, at + 1})
      for (uint64_t sign : {uint64_t(0), uint64_t(1) << 63})
        all.push_back(bits ^ sign);
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (double point : decisivePoints(out)) {
    around(point);
    around(std::nextafter(float(point), 0.0f));
    around(std::nextafter(float(point), infinity));
  }
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    around(std::ldexp(1.0, exponent));
    around(std::ldexp(1.5, exponent));
  }
  // Largest numbers, infinities, NaNs quiet and signalling.
  for (uint64_t bits :
       {uint64_t(0x7fefffffffffffff), uint64_t(0x7ff0000000000000),
        uint64_t(0x7ff0000000000001), uint64_t(0x7ff8000000000000),
        uint64_t(0x7fffffffffffffff), uint64_t(0x7ff0000020000000),
        uint64_t(0x7ff000001fffffff), uint64_t(0x47efffffefffffff),
        uint64_t(0x47efffffe0000001), uint64_t(0x47f0000000000000)})
    around(bitsAs<double>(bits));
  // Any bits, and exponents near the target's.
  std::mt19937_64 random(11);
  int low = std::max(std::ilogb(info(out).minSubnormal) - 3, -1070);
  int high = std::min(std::ilogb(info(out).max) + 3, 1023);
  for (int i = 0; i < 500000; ++i) {
    all.push_back(random());
    double significand = 1 + double(random() >> 11) * 0x1p-53;
    int exponent = low + int(random() % uint64_t(high - low + 1));
    uint64_t sign = random() << 63;
    all.push_back(bitsAs<uint64_t>(std::ldexp(significand, exponent)) | sign);
  }
  return all;
}

std::vector<uint64_t> labgen::edgeIntegers(Format out) {
  std::vector<uint64_t> all;
  auto around = [&](double value) {
    for (double v = value - 1; v <= value + 1; ++v)
      for (double signedValue : {v, -v})
        if (signedValue >= -0x1p31 && signedValue < 0x1p31)
          all.push_back(uint32_t(int32_t(signedValue)));
  };
  for (double point : decisivePoints(out))
    if (point < 0x1p33)
      around(std::trunc(point));
  for (double value : integerSample())
    around(value);
  std::mt19937 random(13);
  for (int i = 0; i < 100000; ++i)
    all.push_back(uint32_t(int32_t(random()) >> random() % 32));
  return all;
}

std::vector<uint64_t> labgen::allCodes(Format format) {
  std::vector<uint64_t> codes(size_t(1) << info(format).bits);
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = i;
  return codes;
}

std::string labgen::testName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}
