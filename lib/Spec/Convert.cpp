// Convert.cpp - decode and encode by integer arithmetic on f64 bits.
#include "lib/Spec/Convert.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace labgen {

Overflow defaultOverflow(Format target) {
  const FormatInfo &to = info(target);
  return to.hasInf || to.hasNaN ? Overflow::Ieee : Overflow::Saturate;
}

NanRule defaultNanRule(Format target) {
  return info(target).hasNaN ? NanRule::Propagate : NanRule::Max;
}

namespace {

uint64_t lowBits(int count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double fromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// tf32 lives in the high bits of an f32.
int storageShift(const FormatInfo &row) { return row.storageBits - row.bits; }

/// Codes of a floating format without its sign.
struct Codes {
  uint64_t max; ///< largest finite
  uint64_t inf; ///< 0 when there is none
  uint64_t nan; ///< quiet; with the sign bit for FNUZ

  explicit Codes(const FormatInfo &row) {
    int m = row.mantissaBits;
    uint64_t top = lowBits(row.exponentBits) << m; // all ones exponent
    if (row.hasInf)
      max = top - 1;
    else
      max = lowBits(row.bits - 1) - (row.hasNaN && row.hasNegativeZero);
    inf = row.hasInf ? top : 0;
    if (row.hasInf)
      nan = top | (uint64_t(1) << (m - 1));
    else
      nan = row.hasNegativeZero ? lowBits(row.bits - 1)
                                : uint64_t(1) << (row.bits - 1);
  }
};

/// A positive finite f64 as significand * 2^exponent, the leading bit of the
/// significand at position 52.
struct Positive {
  uint64_t significand;
  int exponent;

  explicit Positive(uint64_t bits) {
    int field = int(bits >> 52 & 0x7ff);
    significand = bits & lowBits(52);
    if (field != 0) {
      significand |= uint64_t(1) << 52;
      exponent = field - 1075;
      return;
    }
    int shift = __builtin_clzll(significand) - 11;
    significand <<= shift;
    exponent = -1074 - shift;
  }
  /// floor(log2) of the value.
  int log2() const { return exponent + 52; }
};

/// significand / 2^drop as an integer. `flip` takes ties to even by the other
/// parity (E8M0, whose last place is the exponent, not the bit kept here).
uint64_t roundShift(uint64_t significand, int drop, const EncodeRules &rules,
                    bool flip = false) {
  if (drop <= 0)
    return significand << -drop;
  uint64_t kept = drop < 64 ? significand >> drop : 0;
  uint64_t rest = drop < 64 ? significand & lowBits(drop) : significand;
  bool up = false;
  switch (rules.rounding) {
  case Rounding::Even:
  case Rounding::Away:
    // Past 63 the significand is below a half whatever it is.
    if (drop < 64) {
      uint64_t half = uint64_t(1) << (drop - 1);
      bool tieUp = rules.rounding == Rounding::Away || ((kept & 1) != flip);
      up = rest > half || (rest == half && tieUp);
    }
    break;
  case Rounding::Zero:
    break;
  case Rounding::Stochastic: {
    uint64_t fraction = drop <= 32       ? rest << (32 - drop)
                        : drop - 32 < 64 ? rest >> (drop - 32)
                                         : 0;
    up = rules.random < fraction;
    break;
  }
  }
  return kept + up;
}

/// Whether finite values beyond the largest give it: rounding towards zero
/// never goes beyond it (IEEE 754-2019 7.4).
bool stopsAtLargest(const EncodeRules &rules) {
  return rules.overflow == Overflow::Saturate ||
         rules.rounding == Rounding::Zero;
}

uint64_t encodeInteger(const FormatInfo &row, double value,
                       const EncodeRules &rules, EncodeEvent &event) {
  if (std::isnan(value))
    return 0;
  bool negative = std::signbit(value);
  double magnitude = std::fabs(value);
  uint64_t limit = uint64_t(negative ? -row.min : row.max);
  uint64_t rounded = 0;
  // Every limit is below 2^33; the shift would not hold what is far above.
  if (magnitude >= 0x1p40) {
    rounded = uint64_t(1) << 40;
  } else if (magnitude > 0) {
    Positive p(bitsOf(magnitude));
    rounded = roundShift(p.significand, -p.exponent, rules);
  }
  if (rounded > limit) {
    rounded = limit;
    event = EncodeEvent::Saturated;
  } else if (rounded == 0 && magnitude > 0) {
    event = EncodeEvent::Flushed;
  }
  return (negative ? 0 - rounded : rounded) & lowBits(row.bits);
}

uint64_t encodeScale(double value, const EncodeRules &rules,
                     EncodeEvent &event) {
  constexpr uint64_t nan = 0xff, largest = 0xfe;
  if (!(value > 0) || std::isinf(value))
    return nan;
  Positive p(bitsOf(value));
  int byte = p.log2() + 127;
  if (byte < 0)
    return 0;
  bool up = roundShift(p.significand, 52, rules, (byte & 1) == 0) > 1;
  byte += up;
  if (byte <= int(largest))
    return uint64_t(byte);
  bool saturate = stopsAtLargest(rules);
  event = saturate ? EncodeEvent::Saturated : EncodeEvent::Overflowed;
  return saturate ? largest : nan;
}

uint64_t encodeFloat(const FormatInfo &row, double value,
                     const EncodeRules &rules, EncodeEvent &event) {
  Codes codes(row);
  uint64_t bits = bitsOf(value);
  uint64_t sign = (bits >> 63) << (row.bits - 1);
  if (std::isnan(value))
    return row.hasNaN && rules.nan != NanRule::Max ? codes.nan : codes.max;
  uint64_t code = 0;
  bool infinite = std::isinf(value);
  if (!infinite && value != 0) {
    Positive p(bits & lowBits(63));
    int m = row.mantissaBits;
    int exponent = std::max(p.log2(), 1 - row.bias);
    uint64_t kept = roundShift(p.significand, exponent - m - p.exponent, rules);
    // A carry out of the mantissa, or out of the subnormals, adds up right.
    // Beyond the exponent field only the comparison with max matters.
    code = (uint64_t(exponent + row.bias - 1) << m) + kept;
    if (code == 0)
      event = EncodeEvent::Flushed;
  }
  if (infinite || code > codes.max) {
    bool saturate = (infinite ? rules.overflow == Overflow::Saturate
                              : stopsAtLargest(rules)) ||
                    !(row.hasInf || row.hasNaN);
    if (saturate)
      event = EncodeEvent::Saturated;
    else if (!infinite)
      event = EncodeEvent::Overflowed;
    if (!saturate && !row.hasInf)
      return codes.nan;
    code = saturate ? codes.max : codes.inf;
  }
  if (code == 0 && !row.hasNegativeZero)
    sign = 0;
  return sign | code;
}

} // namespace

uint64_t encode(Format format, double value, const EncodeRules &rules,
                EncodeEvent *event) {
  const FormatInfo &row = info(format);
  EncodeEvent ignored;
  EncodeEvent &what = event ? *event : ignored;
  what = EncodeEvent::None;
  if (row.kind == FormatKind::Scale)
    return encodeScale(value, rules, what);
  if (row.kind != FormatKind::Float)
    return encodeInteger(row, value, rules, what);
  return encodeFloat(row, value, rules, what) << storageShift(row);
}

double decode(Format format, uint64_t bits) {
  const FormatInfo &row = info(format);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (row.kind == FormatKind::Scale) {
    bits &= 0xff;
    return bits == 0xff ? nan : fromBits((bits + 1023 - 127) << 52);
  }
  if (row.kind == FormatKind::UnsignedInt)
    return double(bits & lowBits(row.bits));
  if (row.kind == FormatKind::SignedInt) {
    int unused = 64 - row.bits;
    return double(int64_t(bits << unused) >> unused);
  }

  // The whole container counts: an f32 in a tf32 box keeps its low bits.
  int m = row.mantissaBits + storageShift(row);
  int width = row.storageBits;
  bits &= lowBits(width);
  uint64_t sign = bits >> (width - 1) << 63;
  uint64_t code = bits & lowBits(width - 1);
  uint64_t field = code >> m, mantissa = code & lowBits(m);
  if (row.hasInf && field == lowBits(row.exponentBits))
    return mantissa ? nan : fromBits(sign | (uint64_t(0x7ff) << 52));
  if (row.hasNaN && !row.hasInf &&
      (row.hasNegativeZero ? code == lowBits(width - 1)
                           : bits == Codes(row).nan))
    return nan;
  if (format == Format::F64)
    return fromBits(bits);
  if (field == 0) { // a subnormal, normal in f64
    if (mantissa == 0)
      return fromBits(sign);
    int lead = 63 - __builtin_clzll(mantissa);
    mantissa = mantissa << (m - lead) & lowBits(m);
    field = uint64_t(lead - m + 1 - row.bias + 1023);
  } else {
    field += uint64_t(1023 - row.bias);
  }
  return fromBits(sign | field << 52 | mantissa << (52 - m));
}

double roundTo(Format format, double value, const EncodeRules &rules) {
  return decode(format, encode(format, value, rules));
}

} // namespace labgen
