// Softmax.cpp - see Softmax.h.
#include "runtime/check/oracle/Softmax.h"

#include "runtime/check/numbers/ExactSum.h"
#include "runtime/check/numbers/Spans.h"
#include "runtime/check/oracle/Elementwise.h"
#include "runtime/check/oracle/Oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace labgen::oracle {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

float maximum(const std::vector<float> &values) {
  float most = -inf;
  for (float value : values) {
    if (std::isnan(value))
      return value;
    most = std::max(most, value);
  }
  return most;
}

/// The f32 that exp is taken of.
float exponentOf(const KernelSpec &spec, float value, float most) {
  return spec.shift ? value - most : value;
}

float nearestExp(float exponent) { return float(std::exp(double(exponent))); }

} // namespace

Softmax::Softmax(const KernelSpec &spec, const Tensor &x, int64_t at)
    : spec(spec), values(size_t(x.columns())) {
  readFloats(spec.in, x.data() + at * x.argument().rowBytes(), 0, x.columns(),
             values.data());
  most = maximum(values);

  auto sumOf = [&](auto term) {
    std::vector<float> terms;
    terms.reserve(values.size());
    for (float value : values)
      terms.push_back(term(exponentOf(spec, value, most)));
    return blockedSum(std::move(terms), softmaxBlock);
  };
  sums.nearest = sumOf(nearestExp);
  if (std::isnan(sums.nearest))
    return; // NaN throughout, with any exp
  sums.low = sumOf([](float d) { return expRange(std::exp(double(d))).low; });
  sums.high = sumOf([](float d) { return expRange(std::exp(double(d))).high; });

  // The exact row is the same with and without the shift.
  ExactSum weights, moved;
  for (int64_t i = 0; i < int64_t(values.size()); ++i) {
    double part = weight(i);
    double drift =
        part * softmaxDrift(spec, double(most) - double(values[size_t(i)]));
    weights.add(&part, nullptr, 1);
    if (part > 0)
      moved.add(&drift, nullptr, 1);
  }
  total = weights.value();
  row.sum = spec.shift ? total : total * std::exp(double(most));
  row.drift = moved.value() / total;
}

double Softmax::weight(int64_t i) const {
  return std::exp(double(values[size_t(i)]) - double(most));
}

double Softmax::exact(int64_t i) const {
  if (std::isnan(sums.nearest))
    return nan;
  // Only unshifted, and beside a NaN at the Inf itself.
  if (most == inf)
    return values[size_t(i)] == inf ? nan : 0;
  return weight(i) / total;
}

double Softmax::nearest(int64_t i) const {
  float part = nearestExp(exponentOf(spec, values[size_t(i)], most));
  return roundTo(spec.out, double(part / sums.nearest), defaultRules(spec.out));
}

bool Softmax::holds(int64_t i, double result) const {
  EncodeRules rules = defaultRules(spec.out);
  bool nanIsLargest = !info(spec.out).hasNaN;
  bool isNan = nanIsLargest ? result == info(spec.out).max : std::isnan(result);
  float exponent = exponentOf(spec, values[size_t(i)], most);
  ExpRange part = expRange(std::exp(double(exponent)));
  bool always = std::isnan(sums.nearest) || part.low == inf || sums.high == 0;
  if (always)
    return isNan;
  // Inf / Inf, 0 / 0.
  bool sometimes = part.high == inf || sums.low == 0;
  if (isNan && sometimes)
    return true;
  float low = part.low / sums.high;
  float high = std::min(part.high, std::numeric_limits<float>::max());
  // No term is above the sum of all.
  high = sums.low == 0 ? 1 : std::min(high / sums.low, 1.0f);
  return roundTo(spec.out, low, rules) <= result &&
         result <= roundTo(spec.out, high, rules) && !std::signbit(result);
}

double Softmax::bound(int64_t i) const {
  double distance = double(most) - double(values[size_t(i)]);
  return softmaxBound(spec, row, distance, exact(i));
}

} // namespace labgen::oracle
