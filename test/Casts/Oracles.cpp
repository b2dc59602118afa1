// Oracles.cpp - see Oracles.h.
#include "test/Casts/Oracles.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <sstream>

using namespace labgen;
using llvm::APFloat;
using llvm::APInt;

namespace {

/// Codes and values written down by hand from the formats' definitions.
struct Specials {
  uint64_t max, inf, nan; ///< inf: of overflow under ieee
  double largest;         ///< max as a value
  double place;           ///< from the largest to what would come next
  const llvm::fltSemantics *semantics;
};

Specials specialsOf(Format format) {
  using S = llvm::APFloatBase;
  switch (format) {
  case Format::F64:
    return {0x7fefffffffffffff,
            0x7ff0000000000000,
            0x7ff8000000000000,
            0x1.fffffffffffffp1023,
            0x1p971,
            &S::IEEEdouble()};
  case Format::F32:
    return {0x7f7fffff,     0x7f800000, 0x7fc00000,
            0x1.fffffep127, 0x1p104,    &S::IEEEsingle()};
  case Format::TF32:
    return {0x7f7fe000,  0x7f800000, 0x7fc00000,
            0x1.ffcp127, 0x1p117,    &S::FloatTF32()};
  case Format::BF16:
    return {0x7f7f, 0x7f80, 0x7fc0, 0x1.fep127, 0x1p120, &S::BFloat()};
  case Format::F16:
    return {0x7bff, 0x7c00, 0x7e00, 65504, 32, &S::IEEEhalf()};
  case Format::F8E5M2:
    return {0x7b, 0x7c, 0x7e, 57344, 8192, &S::Float8E5M2()};
  case Format::F8E4M3FN:
    return {0x7e, 0x7f, 0x7f, 448, 32, &S::Float8E4M3FN()};
  case Format::F8E4M3:
    return {0x77, 0x78, 0x7c, 240, 16, &S::Float8E4M3()};
  case Format::F8E5M2FNUZ:
    return {0x7f, 0x80, 0x80, 57344, 8192, &S::Float8E5M2FNUZ()};
  case Format::F8E4M3FNUZ:
    return {0x7f, 0x80, 0x80, 240, 16, &S::Float8E4M3FNUZ()};
  case Format::F6E2M3FN:
    return {0x1f, 0x1f, 0x1f, 7.5, 0.5, &S::Float6E2M3FN()};
  case Format::F6E3M2FN:
    return {0x1f, 0x1f, 0x1f, 28, 4, &S::Float6E3M2FN()};
  case Format::F4E2M1FN:
    return {7, 7, 7, 6, 2, &S::Float4E2M1FN()};
  case Format::F8E8M0FNU:
    return {0xfe, 0xff, 0xff, 0x1p127, 0x1p127, &S::Float8E8M0FNU()};
  case Format::I8:
    return {0x7f, 0x7f, 0, 127, 1, nullptr};
  case Format::I4:
    return {7, 7, 0, 7, 1, nullptr};
  case Format::U8:
    return {0xff, 0xff, 0, 255, 1, nullptr};
  case Format::U4:
    return {0xf, 0xf, 0, 15, 1, nullptr};
  case Format::I32:
    return {0x7fffffff, 0x7fffffff, 0, 0x7fffffff, 1, nullptr};
  }
  return {};
}

APFloat::roundingMode modeOf(Rounding rounding) {
  switch (rounding) {
  case Rounding::Away:
    return APFloat::rmNearestTiesToAway;
  case Rounding::Zero:
    return APFloat::rmTowardZero;
  default:
    return APFloat::rmNearestTiesToEven;
  }
}

/// Powers of two by comparison with the middle of the two neighbours.
uint64_t scaleOf(double x, const EncodeRules &rules) {
  constexpr uint64_t nan = 0xff, largest = 0xfe;
  if (!(x > 0) || std::isinf(x))
    return nan;
  uint64_t byte = 0;
  if (x >= 0x1p-127) {
    int exponent = std::ilogb(x);
    double low = std::ldexp(1.0, std::min(exponent, 1023));
    double ratio = x / low; // exact, in [1, 2)
    bool isEven = (exponent + 127) % 2 == 0;
    bool up = false;
    if (rules.rounding == Rounding::Even)
      up = ratio > 1.5 || (ratio == 1.5 && !isEven);
    if (rules.rounding == Rounding::Away)
      up = ratio >= 1.5;
    byte = uint64_t(exponent + 127 + up);
  }
  if (byte <= largest)
    return byte;
  bool stops =
      rules.overflow == Overflow::Saturate || rules.rounding == Rounding::Zero;
  return stops ? largest : nan;
}

uint64_t integerOf(const APFloat &x, Format out, const EncodeRules &rules) {
  const FormatInfo &row = info(out);
  llvm::APSInt result(row.bits, row.kind == FormatKind::UnsignedInt);
  bool exact;
  x.convertToInteger(result, modeOf(rules.rounding), &exact);
  return result.getZExtValue() & ((uint64_t(1) << row.bits) - 1);
}

APFloat apfloatOf(CastInput x) {
  const FormatInfo &row = info(x.format);
  if (row.kind == FormatKind::SignedInt)
    return APFloat(
        double(int64_t(x.bits << (64 - row.bits)) >> (64 - row.bits)));
  if (row.kind == FormatKind::UnsignedInt)
    return APFloat(double(x.bits));
  // The low bits of a tf32 in its f32 box count.
  if (x.format == Format::TF32)
    return APFloat(APFloat::IEEEsingle(), APInt(32, x.bits));
  return APFloat(*specialsOf(x.format).semantics, APInt(row.bits, x.bits));
}

bool isScaleNaN(CastInput x) {
  return x.format == Format::F8E8M0FNU && x.bits == 0xff;
}

} // namespace

double labgen::independentValue(CastInput x) {
  if (isScaleNaN(x)) // APFloat 22 converts it to Inf
    return std::numeric_limits<double>::quiet_NaN();
  APFloat value = apfloatOf(x);
  bool loses;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

uint64_t labgen::independentCode(CastInput x, Format out,
                                 const EncodeRules &rules) {
  const FormatInfo &row = info(out);
  Specials to = specialsOf(out);
  double value = independentValue(x);
  if (std::isnan(value))
    return rules.nan == NanRule::Max && isFloat(out) ? to.max : to.nan;
  if (out == Format::F8E8M0FNU)
    return scaleOf(value, rules);
  if (isInteger(out) && std::isfinite(value))
    return integerOf(apfloatOf(x), out, rules);

  bool negative = std::signbit(value);
  auto withSign = [&](uint64_t code) {
    if (isInteger(out)) // the lowest of two's complement, or 0
      return negative ? (row.min < 0 ? to.max + 1 : 0) : code;
    return negative ? code | uint64_t(1) << (row.storageBits - 1) : code;
  };
  bool saturates = rules.overflow == Overflow::Saturate || !row.hasNaN;
  // A NaN has no sign, also where overflow makes it.
  uint64_t overflowed = saturates    ? withSign(to.max)
                        : row.hasInf ? withSign(to.inf)
                                     : to.nan;
  double beyond = std::fabs(value) - to.largest; // exact where it decides
  if (std::isinf(value) || (beyond > 0 && saturates))
    return overflowed;
  if (beyond > 0 && rules.rounding == Rounding::Zero)
    return withSign(to.max);
  if (beyond > 0 && rules.rounding == Rounding::Away)
    return beyond >= to.place / 2 ? overflowed : withSign(to.max);
  APFloat result = apfloatOf(x);
  bool loses;
  result.convert(*to.semantics, modeOf(rules.rounding), &loses);
  if (result.isNaN())
    return to.nan;
  uint64_t code = result.bitcastToAPInt().getZExtValue();
  return out == Format::TF32 ? code << 13 : code;
}

CastJudge::CastJudge(const KernelSpec &spec) : spec(spec) {
  rules.rounding = spec.round;
  rules.overflow = spec.overflow;
  rules.nan = spec.nan;
}

bool CastJudge::isWanted(uint64_t want, uint64_t got) const {
  if (want == got)
    return true;
  // f32 and f64 may pass a NaN's payload on; smaller formats have one NaN.
  bool wide = spec.out == Format::F64 || spec.out == Format::F32;
  return wide && std::isnan(decode(spec.out, want)) &&
         std::isnan(decode(spec.out, got));
}

bool CastJudge::check(uint64_t bits, uint64_t got) {
  ++checked;
  uint64_t stated = encode(spec.out, decode(spec.in, bits), rules);
  uint64_t other = independentCode({spec.in, bits}, spec.out, rules);
  if (isWanted(stated, got) && isWanted(other, got))
    return true;
  std::ostringstream what;
  what << std::hex << "gave 0x" << got << ", encode gives 0x" << stated
       << ", the other oracle 0x" << other;
  fault(bits, what.str());
  return false;
}

void CastJudge::fault(uint64_t bits, const std::string &what) {
  if (++numFaults > 10)
    return;
  std::ostringstream line;
  line << "0x" << std::hex << bits << " (" << independentValue({spec.in, bits})
       << ") " << what;
  first.push_back(line.str());
}

void CastJudge::finish() const {
  EXPECT_GT(checked, 0) << spec.str();
  std::string lines;
  for (const std::string &line : first)
    lines += "\n  " + line;
  EXPECT_EQ(numFaults, 0) << spec.str() << " of " << checked
                          << " checked:" << lines;
}
