// Elementwise.cpp - cast, exp and axpy by the contract.
#include "runtime/check/oracle/Elementwise.h"

#include "runtime/Tensor.h"
#include "runtime/check/Chunks.h"
#include "runtime/check/oracle/Isa.h"
#include "runtime/check/oracle/Oracle.h"
#include "runtime/check/oracle/Spans.h"

#include <cmath>
#include <limits>

namespace labgen::oracle {

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

Caster::Caster(const KernelSpec &spec)
    : spec(spec), rules{spec.round, spec.overflow, spec.nan, 0} {
  bool stochastic = spec.round == Rounding::Stochastic;
  bool half = spec.out == Format::BF16 || spec.out == Format::F16;
  direct = half && spec.in == Format::F32 && spec.round == Rounding::Even &&
           spec.overflow == Overflow::Ieee && spec.nan == NanRule::Propagate;
  if (stochastic || info(spec.in).bits > 16)
    return;
  for (uint64_t code = 0; code < uint64_t(1) << info(spec.in).bits; ++code)
    table.push_back(castOne(decode(spec.in, code), 0));
}

Caster::Entry Caster::castOne(double value, int64_t flat) const {
  EncodeRules one = rules;
  if (one.rounding == Rounding::Stochastic)
    one.random = randomWord(spec.seed, flat);
  EncodeEvent event;
  uint64_t code = encode(spec.out, value, one, &event);
  return {code, event == EncodeEvent::Saturated};
}

int64_t Caster::cast(const std::byte *x, int64_t begin, int64_t count,
                     std::byte *out) const {
  if (direct) {
    float values[chunkElements];
    for (int64_t at = 0; at < count; at += chunkElements) {
      int64_t n = std::min(chunkElements, count - at);
      readFloats(spec.in, x, begin + at, n, values);
      writeFloats(spec.out, out, at, n, values);
    }
    return 0;
  }
  clearSpan(spec.out, out, 0, count);
  int64_t saturated = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = codeBits(spec.in, x, begin + i);
    Entry entry = table.empty() ? castOne(decode(spec.in, bits), begin + i)
                                : table[size_t(bits)];
    setCodeBits(spec.out, out, i, entry.code);
    saturated += entry.saturated;
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
    for (int64_t i = 0; i < count; ++i)
      sums[i] = float(fmaIn(spec.acc, alpha, xs[i], ys[i]));
  }
  writeFloats(spec.type, want, 0, count, sums);
}

} // namespace labgen::oracle
