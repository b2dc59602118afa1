// GroupScale.cpp - scales of groups, by the contract's rules.
#include "runtime/check/oracle/GroupScale.h"

#include "lib/Spec/Convert.h"
#include "lib/Spec/ops/Quantize.h"
#include "runtime/core/Isa.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace labgen::oracle {
namespace {

constexpr uint32_t infBits = 0x7f800000u;

LABGEN_INLINE uint32_t magnitudeBits(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits & 0x7fffffffu;
}

float fromBits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

LABGEN_CLONES void scan(const float *x, int64_t count, GroupStats &stats) {
  uint32_t amax = 0;
  float low = 0, high = 0;
  for (int64_t i = 0; i < count; ++i) {
    amax = std::max(amax, magnitudeBits(x[i]));
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
  }
  stats = {amax, low, high};
}

LABGEN_CLONES void scanFinite(const float *x, int64_t count, uint32_t &amax) {
  uint32_t most = 0;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = magnitudeBits(x[i]);
    most = std::max(most, bits < infBits ? bits : 0u);
  }
  amax = most;
}

/// The exponent rules of an E8M0 scale for a group of absmax `amax` > 0.
int scaleExponent(ScaleRule rule, Format codes, double amax) {
  double most = info(codes).max;
  int exponent = std::ilogb(amax), codeExponent = std::ilogb(most);
  switch (rule) {
  case ScaleRule::Floor:
    return exponent - codeExponent;
  case ScaleRule::RCeil: {
    int s = exponent - codeExponent - 1;
    while (std::ldexp(most, s) < amax)
      ++s;
    return s;
  }
  case ScaleRule::Ceil:
    return exponent + (std::ldexp(1.0, exponent) < amax) - codeExponent;
  case ScaleRule::Even: {
    double halfUlp = std::ldexp(1.0, exponent - info(codes).mantissaBits - 1);
    return std::ilogb(amax + halfUlp) - codeExponent;
  }
  }
  return 0;
}

/// (max - min) / steps; of halves where the difference is beyond f32.
float rangeScale(const QuantizePlan &plan, const GroupStats &stats) {
  float range = stats.high - stats.low;
  if (!std::isinf(range))
    return range / plan.top;
  return (stats.high / 2 - stats.low / 2) / (plan.top / 2);
}

/// Rounds a scale to its type, saturating.
uint64_t storeScale(const QuantizePlan &plan, float amax, float scale,
                    QuantizeCounts &counts) {
  if (plan.scale == Format::F8E8M0FNU) {
    int exponent = scaleExponent(plan.spec.rule, plan.spec.out, amax);
    counts.saturated += exponent > 127;
    return uint64_t(std::clamp(exponent, -127, 127) + 127);
  }
  EncodeEvent event;
  EncodeRules rules;
  rules.overflow = Overflow::Saturate;
  uint64_t bits = encode(plan.scale, scale, rules, &event);
  counts.saturated += event == EncodeEvent::Saturated;
  return bits;
}

} // namespace

void GroupStats::merge(const GroupStats &other) {
  amaxBits = std::max(amaxBits, other.amaxBits);
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

GroupStats statsOf(const float *x, int64_t count) {
  GroupStats stats;
  scan(x, count, stats);
  return stats;
}

float finiteAmax(const float *x, int64_t count) {
  uint32_t bits;
  scanFinite(x, count, bits);
  return fromBits(bits);
}

QuantizePlan::QuantizePlan(const KernelSpec &spec)
    : spec(spec), scale(spec.scale.value_or(Format::F32)),
      integer(isInteger(spec.out)), asymmetric(spec.zero.has_value()) {
  const FormatInfo &codes = info(spec.out);
  top = float(codes.max);
  if (!integer)
    return;
  low = float(codes.min);
  high = float(codes.max);
  if (asymmetric)
    top = high - low;
  else if (spec.range == IntRange::Full)
    top = high + 0.5f;
  else
    low = codes.kind == FormatKind::SignedInt ? -high : low;
}

float globalScale(const KernelSpec &spec, float amax) {
  return amax / float(info(spec.out).max * info(*spec.scale).max);
}

GroupScale scaleOfGroup(const QuantizePlan &plan, const GroupStats &stats,
                        QuantizeCounts &counts) {
  GroupScale group;
  if (stats.amaxBits >= infBits) {
    ++(stats.amaxBits > infBits ? counts.nan : counts.inf);
    group.bits = encode(plan.scale, std::nan(""));
    group.constant = true;
    return group;
  }
  if (plan.asymmetric)
    group.zero = int(plan.low);
  if (stats.amaxBits == 0) {
    ++counts.zeroGroups;
    group.constant = true;
    return group;
  }
  float amax = fromBits(stats.amaxBits);
  float unrounded = plan.asymmetric ? rangeScale(plan, stats) : amax / plan.top;
  float stored = 0; // relative to a global scale of 0 nothing can be stored
  if (plan.global != 0) {
    group.bits = storeScale(plan, amax, unrounded / plan.global, counts);
    stored = float(decode(plan.scale, group.bits)) * plan.global;
  }
  if (stored == 0) {
    ++counts.flushed;
    counts.bound = std::max(counts.bound, quantizeBound(plan.spec, amax, 0));
    group.constant = true;
    return group;
  }
  group.divisor = plan.spec.divisor == Divisor::Stored ? stored : unrounded;
  group.divides =
      plan.spec.inverse == Inverse::Divide || std::isinf(1.0f / group.divisor);
  if (plan.asymmetric)
    group.zero =
        int(std::clamp(std::nearbyint(plan.low - stats.low / group.divisor),
                       plan.low, plan.high));
  counts.bound = std::max(counts.bound, quantizeBound(plan.spec, amax, stored));
  return group;
}

} // namespace labgen::oracle
