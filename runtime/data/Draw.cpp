// Draw.cpp - normal, uniform, ties, outliers and extremes from Philox words.
#include "runtime/data/Draw.h"

#include "lib/Spec/Convert.h"
#include "runtime/core/Isa.h"
#include "runtime/core/Philox.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace labgen {
namespace {

/// ln(u) for normal u in (0, 1): u = m 2^e with m in [sqrt(1/2), sqrt(2)), then
/// ln m = 2 atanh((m - 1) / (m + 1)) by its series; good to 1e-12.
LABGEN_INLINE double logOf(double u) {
  int64_t bits;
  std::memcpy(&bits, &u, sizeof bits);
  auto exponent = int32_t(bits >> 52) - 1023;
  bits = (bits & 0x000fffffffffffff) | 0x3ff0000000000000;
  double m;
  std::memcpy(&m, &bits, sizeof m);
  bool high = m > 1.4142135623730951;
  m = high ? m * 0.5 : m;
  double e = double(high ? exponent + 1 : exponent);
  double z = (m - 1) / (m + 1), z2 = z * z;
  double series = 1.0 / 13;
  series = series * z2 + 1.0 / 11;
  series = series * z2 + 1.0 / 9;
  series = series * z2 + 1.0 / 7;
  series = series * z2 + 1.0 / 5;
  series = series * z2 + 1.0 / 3;
  series = series * z2 + 1.0;
  return e * 0.6931471805599453 + 2 * z * series;
}

/// cos(2 pi t) for t in [0, 1): sin of an angle in [-pi/2, pi/2] by Taylor.
LABGEN_INLINE double cosOfTurn(double t) {
  double half = std::fabs(t - 0.5);             // cos(2 pi t) = -cos(2 pi half)
  double x = 6.283185307179586 * (half - 0.25); // = sin(2 pi (half - 1/4))
  double x2 = x * x;
  double series = 1.0 / 355687428096000; // 1 / 17!
  series = series * x2 - 1.0 / 1307674368000;
  series = series * x2 + 1.0 / 6227020800;
  series = series * x2 - 1.0 / 39916800;
  series = series * x2 + 1.0 / 362880;
  series = series * x2 - 1.0 / 5040;
  series = series * x2 + 1.0 / 120;
  series = series * x2 - 1.0 / 6;
  series = series * x2 + 1.0;
  return x * series;
}

/// Box and Muller; with `outliers`, one in 64 is a hundred times larger.
LABGEN_CLONES void fillNormal(uint64_t seed, uint64_t stream, int64_t flat,
                              int64_t count, bool outliers, double *out) {
  for (int64_t i = 0; i < count; ++i) {
    PhiloxWords words = philox(seed, uint64_t(flat + i), stream);
    double u = (double(words.w0) + 0.5) * 0x1p-32;
    double radius = std::sqrt(-2 * logOf(u));
    double value = radius * cosOfTurn(double(words.w1) * 0x1p-32);
    bool large = outliers && words.w2 % 64 == 0;
    out[i] = large ? value * 100 : value;
  }
}

/// [-1, 1), shrunk by half an ulp of the format so that rounding cannot give 1.
LABGEN_CLONES void fillUniform(uint64_t seed, uint64_t stream, int64_t flat,
                               int64_t count, double shrink, double *out) {
  for (int64_t i = 0; i < count; ++i) {
    PhiloxWords words = philox(seed, uint64_t(flat + i), stream);
    out[i] = double(int32_t(words.w0)) * 0x1p-31 * shrink;
  }
}

double withSign(double magnitude, uint32_t word) {
  return word % 2 ? -magnitude : magnitude;
}

/// Halfway between a finite code chosen by `word` and the next larger one.
double betweenCodes(Format format, uint32_t word) {
  const FormatInfo &f = info(format);
  if (isInteger(format)) // where f16 still has halves
    return double(word % uint32_t(std::min(f.max, 1000.0))) + 0.5;
  int shift = f.storageBits - f.bits;
  uint64_t largest = encode(format, f.max) >> shift;
  uint64_t code = (uint64_t(word) * 0x9E3779B97F4A7C15u >> 1) % largest;
  double low = decode(format, code << shift);
  double high = decode(format, (code + 1) << shift);
  return low + (high - low) / 2;
}

/// An integer one bit too long for a float of `mantissaBits`: a tie.
double integerTie(Format source, int mantissaBits, uint32_t word) {
  double least = std::ldexp(1.0, mantissaBits + 1);
  if (2 * least - 1 > info(source).max)
    return double(word % 8);
  double steps = std::floor(std::ldexp(double(word), mantissaBits - 32));
  return least + 2 * steps + 1;
}

} // namespace

Draw::Draw(Distribution distribution, uint64_t seed, int argument,
           Format format, int64_t k, const TieGrid &grid)
    : distribution(distribution), seed(seed), stream(uint64_t(argument) + 1),
      format(format), k(k), grid(grid) {}

void Draw::operator()(int64_t row, int64_t begin, int64_t count,
                      double *out) const {
  int64_t flat = row * k + begin;
  double shrink = 1 - std::ldexp(1.0, -info(format).mantissaBits - 1);
  switch (distribution) {
  case Distribution::Normal:
  case Distribution::Outliers:
    fillNormal(seed, stream, flat, count,
               distribution == Distribution::Outliers, out);
    break;
  case Distribution::Uniform:
    fillUniform(seed, stream, flat, count, isFloat(format) ? shrink : 1, out);
    break;
  case Distribution::Ones:
    std::fill_n(out, count, 1.0);
    return;
  case Distribution::Zeros:
    std::fill_n(out, count, 0.0);
    return;
  case Distribution::Ties:
    for (int64_t i = 0; i < count; ++i)
      out[i] = tie(row, begin + i);
    return;
  case Distribution::Extremes:
    for (int64_t i = 0; i < count; ++i)
      out[i] = extreme(flat + i);
    return;
  }
  if (isInteger(format))
    toInteger(out, count);
  else if (info(format).kind == FormatKind::Scale) // has no sign and no zero
    for (int64_t i = 0; i < count; ++i)
      out[i] = std::max(std::fabs(out[i]), info(format).min);
}

void Draw::toInteger(double *values, int64_t count) const {
  const FormatInfo &f = info(format);
  bool isUniform = distribution == Distribution::Uniform;
  double spread = isUniform ? f.max + 1 : f.max / 4;
  for (int64_t i = 0; i < count; ++i) {
    double value = values[i];
    if (f.kind == FormatKind::UnsignedInt)
      value = isUniform ? (value + 1) / 2 : std::fabs(value);
    values[i] = std::floor(value * spread);
  }
}

double Draw::tie(int64_t row, int64_t column) const {
  PhiloxWords words = philox(seed, uint64_t(row * k + column), stream);
  const FormatInfo &f = info(grid.format);
  switch (grid.kind) {
  case TieGrid::Plain:
    return withSign(double(words.w0 % 8) + 0.5, words.w1);
  case TieGrid::Cast: {
    double between = isInteger(format) && isFloat(grid.format)
                         ? integerTie(format, f.mantissaBits, words.w0)
                         : betweenCodes(grid.format, words.w0);
    bool isSigned = f.kind == FormatKind::Float || f.min < 0;
    return isSigned ? withSign(between, words.w1) : between;
  }
  case TieGrid::Ones:
    return 1;
  case TieGrid::Ulps:
    return withSign(std::ldexp(1.0, -f.mantissaBits - 1), words.w1);
  case TieGrid::Units:
    return 1 + std::ldexp(std::floor(std::ldexp(double(words.w0),
                                                f.mantissaBits - 32)),
                          -f.mantissaBits);
  case TieGrid::Quantize:
    break;
  }
  // The first elements of a group fix its scale at a power of two.
  int64_t along = grid.group.along(k), at = column % along;
  if (grid.group.kind == Group::Tensor) {
    at += row; // nothing but the very first elements
    along = std::numeric_limits<int64_t>::max();
  }
  int64_t groupOf =
      grid.group.kind == Group::Tensor ? 0 : row * k + column - at;
  uint32_t leader = philox(seed, uint64_t(groupOf), stream).w3;
  double scale = std::ldexp(1.0, int(leader % 8) - 6);
  if (!isInteger(grid.format))
    return scale *
           (at == 0 ? f.max
                    : withSign(betweenCodes(grid.format, words.w0), words.w1));
  double steps = f.max - f.min;
  if (grid.asymmetric) {
    double below = std::floor(steps / 2);
    if (at < 2)
      return scale * (at == 0 ? -below : steps - below);
    return scale * (double(words.w0 % uint32_t(steps)) - below + 0.5);
  }
  if (at == 0)
    return scale * withSign(f.max + (grid.full ? 0.5 : 0), words.w1);
  uint32_t codes = uint32_t(f.max) + (grid.full ? 1 : 0);
  return scale * withSign(double(words.w0 % codes) + 0.5, words.w1);
}

double Draw::extreme(int64_t flat) const {
  PhiloxWords words = philox(seed, uint64_t(flat), stream);
  const FormatInfo &f = info(format);
  if (isInteger(format)) {
    const double values[] = {f.min, f.max, 0, 1, f.min < 0 ? -1.0 : 2.0};
    return values[words.w0 % 5];
  }
  if (f.hasNaN && words.w0 % 512 == 0)
    return std::numeric_limits<double>::quiet_NaN();
  bool isSigned = f.kind == FormatKind::Float;
  uint32_t sign = isSigned ? words.w1 : 0;
  if (f.hasInf && words.w0 % 256 == 1)
    return withSign(std::numeric_limits<double>::infinity(), sign);
  int least = std::ilogb(f.minSubnormal), most = std::ilogb(f.max);
  int exponent = least + int(words.w3 % uint32_t(most - least + 1));
  switch (words.w2 % 8) {
  case 0:
    return isSigned ? withSign(0, sign) : f.min;
  case 1:
    return withSign(f.minSubnormal, sign);
  case 2: // between the smallest subnormal and the smallest normal
    return withSign(f.minNormal * (double(words.w3) + 0.5) * 0x1p-32, sign);
  case 3:
    return withSign(f.minNormal, sign);
  case 4:
    return withSign(f.max, sign);
  default:
    return withSign(std::ldexp(1.0, exponent), sign);
  }
}

} // namespace labgen
