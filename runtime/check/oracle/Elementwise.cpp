// Elementwise.cpp - cast, exp and axpy by the contract.
#include "runtime/check/oracle/Elementwise.h"

#include "runtime/check/numbers/Arithmetic.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/core/Chunks.h"
#include "runtime/core/Isa.h"
#include "runtime/core/Tensor.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace labgen::oracle {

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

namespace {

/// Whether every value of `narrow` is one of the f32 or f64 target.
bool widens(Format narrow, Format target) {
  if (target == Format::F64)
    return true;
  return target == Format::F32 && narrow != Format::F64 &&
         narrow != Format::I32;
}

/// One rounding to an integer, then clamped; NaN gives 0.
template <typename Round>
LABGEN_INLINE int64_t toIntegers(const double *values, int64_t count,
                                 int32_t *out, Round round) {
  int64_t clamped = 0;
  for (int64_t i = 0; i < count; ++i) {
    double rounded = round(values[i]);
    double inside = rounded < -0x1p31 ? -0x1p31 : rounded;
    inside = inside > 0x1p31 - 1 ? 0x1p31 - 1 : inside;
    inside = inside == inside ? inside : 0;
    clamped += (rounded < -0x1p31) | (rounded > 0x1p31 - 1);
    out[i] = int32_t(inside);
  }
  return clamped;
}
LABGEN_CLONES int64_t toEvenIntegers(const double *values, int64_t count,
                                     int32_t *out) {
  return toIntegers(values, count, out,
                    [](double v) { return std::nearbyint(v); });
}
LABGEN_CLONES int64_t toZeroIntegers(const double *values, int64_t count,
                                     int32_t *out) {
  return toIntegers(values, count, out, [](double v) { return std::trunc(v); });
}
LABGEN_CLONES int64_t toAwayIntegers(const double *values, int64_t count,
                                     int32_t *out) {
  // |v| + 1/2 is exact below 2^52 but for the largest number under a half.
  return toIntegers(values, count, out, [](double v) {
    double magnitude = std::fabs(v);
    double rounded = std::floor(magnitude < 0.5 ? 0.0 : magnitude + 0.5);
    return std::copysign(magnitude < 0x1p51 ? rounded : magnitude, v);
  });
}

} // namespace

Caster::Caster(const KernelSpec &spec)
    : spec(spec), rules{spec.round, spec.overflow, spec.nan, 0},
      way(chooseWay()),
      rounder(spec.out, rules, way == Way::Rounded ? spec.n : 0) {
  if (way == Way::Stochastic)
    stochastic = StochasticRounder::make(spec.out, rules, spec.seed, spec.n);
  if (way == Way::Stochastic && !stochastic)
    way = Way::Each;
  if (way != Way::Codes)
    return;
  for (uint64_t code = 0; code < uint64_t(1) << info(spec.in).bits; ++code) {
    EncodeEvent event;
    codes.push_back(
        uint32_t(encode(spec.out, decode(spec.in, code), rules, &event)));
    clamped.push_back(event == EncodeEvent::Saturated);
  }
}

Caster::Way Caster::chooseWay() const {
  if (spec.round == Rounding::Stochastic)
    return widens(spec.in, Format::F32) ? Way::Stochastic : Way::Each;
  bool plain = spec.overflow == Overflow::Ieee && spec.nan != NanRule::Max;
  bool nearest = plain && spec.round == Rounding::Even;
  if (plain && widens(spec.in, spec.out))
    return Way::Machine;
  if (nearest && spec.out == Format::F32 && spec.in != Format::TF32)
    return Way::Machine; // from f64 and i32, by the hardware's one rounding
  if (nearest && spec.in == Format::F32 &&
      (spec.out == Format::BF16 || spec.out == Format::F16))
    return Way::Machine;
  // Beyond f32 all is one to roundToOdd, and not clamped when it rounds to
  // zero.
  if (spec.in == Format::F64 && spec.round == Rounding::Zero &&
      info(spec.out).max >= 0x1p127)
    return Way::Each;
  if (info(spec.in).bits <= 16)
    return info(spec.out).bits <= 32 ? Way::Codes : Way::Each;
  return spec.out == Format::I32 ? Way::Integers : Way::Rounded;
}

int64_t Caster::cast(const std::byte *x, int64_t begin, int64_t count,
                     std::byte *out) const {
  if (way == Way::Each)
    return castEach(x, begin, count, out);
  int64_t saturated = 0;
  for (int64_t at = 0; at < count; at += chunkElements) {
    int64_t n = std::min(chunkElements, count - at);
    saturated += castSpan(x, begin + at, n, out, at);
  }
  return saturated;
}

int64_t Caster::castSpan(const std::byte *x, int64_t begin, int64_t count,
                         std::byte *out, int64_t at) const {
  if (way == Way::Codes)
    return castCodes(x, begin, count, out + packedBytes(spec.out, at));
  bool fromF32 = way == Way::Stochastic ||
                 (spec.in == Format::F32 && spec.out != Format::F64 &&
                  way != Way::Integers);
  float floats[chunkElements];
  double doubles[chunkElements];
  if (fromF32)
    readFloats(spec.in, x, begin, count, floats);
  else
    readDoubles(spec.in, x, begin, count, doubles);
  if (way == Way::Integers) {
    auto *integers = reinterpret_cast<int32_t *>(out) + at;
    auto *round = spec.round == Rounding::Even   ? toEvenIntegers
                  : spec.round == Rounding::Away ? toAwayIntegers
                                                 : toZeroIntegers;
    return round(doubles, count, integers);
  }
  if (way == Way::Stochastic)
    return stochastic->write(floats, begin, count, out, at);
  if (way == Way::Rounded)
    return fromF32 ? rounder.write(floats, count, out, at)
                   : rounder.write(doubles, count, out, at);
  if (spec.out == Format::F64)
    writeDoubles(spec.out, out, at, count, doubles);
  else {
    if (!fromF32)
      std::copy(doubles, doubles + count, floats);
    writeFloats(spec.out, out, at, count, floats);
  }
  return 0;
}

int64_t Caster::castCodes(const std::byte *x, int64_t begin, int64_t count,
                          std::byte *out) const {
  uint32_t results[chunkElements];
  int64_t saturated = 0;
  auto look = [&](const auto *sources) {
    for (int64_t i = 0; i < count; ++i) {
      results[i] = codes[sources[i]];
      saturated += clamped[sources[i]];
    }
  };
  if (info(spec.in).storageBits == 16) {
    look(reinterpret_cast<const uint16_t *>(x) + begin);
  } else {
    uint8_t sources[chunkElements];
    readCodes(spec.in, x, begin, count, sources);
    look(sources);
  }
  writeWords(spec.out, out, 0, count, results);
  return saturated;
}

int64_t Caster::castEach(const std::byte *x, int64_t begin, int64_t count,
                         std::byte *out) const {
  clearSpan(spec.out, out, 0, count);
  EncodeRules one = rules;
  int64_t saturated = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (one.rounding == Rounding::Stochastic)
      one.random = randomWord(spec.seed, begin + i);
    double value = decode(spec.in, codeBits(spec.in, x, begin + i));
    EncodeEvent event;
    setCodeBits(spec.out, out, i, encode(spec.out, value, one, &event));
    saturated += event == EncodeEvent::Saturated;
  }
  return saturated;
}

//===----------------------------------------------------------------------===//
// exp
//===----------------------------------------------------------------------===//

ExpRange expRange(double exact) {
  if (std::isnan(exact))
    return {0, 0, true};
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (std::isinf(exact))
    return {infinity, infinity, false};
  // std::exp itself is good to about one ulp of f64.
  double slack = exact * 0x1p-50;
  double ulp =
      exact > 0 ? std::ldexp(1, std::max(std::ilogb(exact), -126) - 23) : 0;
  double low = std::max(0.0, exact - ulp - slack), high = exact + ulp + slack;
  ExpRange range{float(low), float(high), false};
  if (double(range.low) < low)
    range.low = std::nextafter(range.low, infinity);
  if (double(range.high) > high && high < 0x1p128)
    range.high = std::nextafter(range.high, 0.0f);
  return range;
}

bool holds(const ExpRange &range, Format out, double result) {
  if (out == Format::F32)
    return range.nan ? std::isnan(result)
                     : range.low <= result && result <= range.high;
  EncodeRules rules = defaultRules(out);
  double nan = std::numeric_limits<double>::quiet_NaN();
  double low = roundTo(out, range.nan ? nan : range.low, rules);
  double high = roundTo(out, range.nan ? nan : range.high, rules);
  // Overflow may be NaN in formats without Inf.
  if (std::isnan(result))
    return std::isnan(high);
  return !std::isnan(low) && low <= result &&
         (std::isnan(high) || result <= high);
}

//===----------------------------------------------------------------------===//
// axpy
//===----------------------------------------------------------------------===//

LABGEN_CLONES static void fusedFloats(float alpha, const float *x,
                                      const float *y, int64_t count,
                                      float *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = std::fma(alpha, x[i], y[i]);
}
LABGEN_CLONES static void fusedDoubles(double alpha, const double *x,
                                       const double *y, int64_t count,
                                       double *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = std::fma(alpha, x[i], y[i]);
}

/// Of bf16 and f16, whose products are exact in f64.
LABGEN_CLONES static void fusedToOdd(double alpha, const double *x,
                                     const double *y, int64_t count,
                                     double *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = addToOdd(alpha * x[i], y[i]);
}

void axpy(const KernelSpec &spec, double alpha, const std::byte *x,
          const std::byte *y, int64_t begin, int64_t count, std::byte *want,
          double *reference) {
  double xs[chunkElements], ys[chunkElements];
  readDoubles(spec.type, x, begin, count, xs);
  readDoubles(spec.type, y, begin, count, ys);
  fusedDoubles(alpha, xs, ys, count, reference);
  if (spec.acc == Format::F64)
    return writeDoubles(spec.type, want, 0, count, reference);
  float fx[chunkElements], fy[chunkElements], sums[chunkElements];
  if (spec.acc == Format::F32) {
    readFloats(spec.type, x, begin, count, fx);
    readFloats(spec.type, y, begin, count, fy);
    fusedFloats(float(alpha), fx, fy, count, sums);
  } else {
    // acc is the type itself: what was rounded to odd is rounded once more.
    uint32_t odd[chunkElements];
    fusedToOdd(alpha, xs, ys, count, xs);
    roundToOdd(xs, count, odd);
    std::memcpy(sums, odd, size_t(count) * sizeof *sums);
  }
  writeFloats(spec.type, want, 0, count, sums);
}

} // namespace labgen::oracle
