// NearestEven.cpp - f32 to formats of at most 16 bits with a narrower exponent,
// to nearest even: the casts that have to keep up with memory.
//
// With E the power of two at or below |x|, at least the smallest normal value,
// and m mantissa bits, the sum |x| + E * 2^(23 - m) has a last place of
// E * 2^-m: the processor's own addition rounds |x| there, and the low bits of
// the sum are |x| in units of that place, for normal and subnormal results
// alike. The code is these units plus the field of E over that of the smallest
// normal, so only low bits matter and everything after the sum is done in lanes
// as narrow as the code.
#include "lib/Transforms/Numerics/FormatVectors.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;
using arith::CmpIPredicate;

namespace {
constexpr uint32_t magnitudeMask = 0x7fffffff, exponentMask = 0x7f800000;
constexpr int floatMantissa = 23, floatBias = 127;
} // namespace

/// Bits of |x|, no further than the first code beyond the largest; NaN is what
/// has NaN's code.
Value FormatVectors::clampedMagnitude(Value x, CastRules rules) {
  int cut = floatMantissa - row.mantissaBits;
  uint32_t rebias = static_cast<uint32_t>(floatBias - row.bias);
  auto bitsOfCode = [&](uint64_t code) {
    return (static_cast<uint32_t>(code) << cut) + (rebias << floatMantissa);
  };
  Value bits = bitsOf(x);
  Value magnitude = e.make<arith::AndIOp>(bits, splat(bits, magnitudeMask));
  if (rules.bounded) // the code is clamped instead
    return magnitude;
  uint64_t beyond = codes().beyond(rules), nan = codes().nan;
  magnitude =
      e.make<arith::MinUIOp>(magnitude, splat(bits, bitsOfCode(beyond)));
  if (!rules.noNaN && beyond != nan)
    magnitude = e.make<arith::SelectOp>(isNaN(x), splat(bits, bitsOfCode(nan)),
                                        magnitude);
  return magnitude;
}

Value FormatVectors::nearestEven(Value x, CastRules rules, Value signSource) {
  int cut = floatMantissa - row.mantissaBits;
  unsigned storage = row.bits <= 8 ? 8 : 16;
  x = withoutNaN(x, rules);
  Value magnitude = clampedMagnitude(x, rules);
  uint32_t smallest = static_cast<uint32_t>(floatBias - row.bias + 1);
  Value power = e.make<arith::AndIOp>(
      e.make<arith::MaxUIOp>(magnitude,
                             splat(magnitude, smallest << floatMantissa)),
      splat(magnitude, exponentMask));
  Value sum = bitsOf(e.make<math::FmaOp>(
      floatOf(power), floats(x, static_cast<double>(1 << cut)),
      floatOf(magnitude)));
  Value field = e.make<arith::ShRUIOp>(power, splat(power, cut));
  Value code = e.lanePieces(e.make<arith::AddIOp>(sum, field), storage, 0);
  code = e.make<arith::SubIOp>(code, splat(code, smallest << row.mantissaBits));
  if (rules.bounded)
    code = e.make<arith::MinUIOp>(code, splat(code, codes().beyond(rules)));
  return e.make<arith::OrIOp>(
      code, signField(code, signSource ? signSource : x, rules));
}

/// The sign in its place beside a code: none on NaN, nor on a zero that has
/// none.
Value FormatVectors::signField(Value code, Value signSource, CastRules rules) {
  unsigned storage = width(code), from = width(signSource);
  Value bits = bitsOf(signSource);
  Value high =
      storage == from ? bits : e.lanePieces(bits, storage, from / storage - 1);
  Value sign =
      e.make<arith::AndIOp>(high, splat(code, uint64_t(1) << (storage - 1)));
  if (int places = static_cast<int>(storage) - 1 - magnitudeBits())
    sign = e.make<arith::ShRUIOp>(sign, splat(code, places));
  Codes all = codes();
  Value zero = splat(code, 0);
  if (!row.hasNegativeZero) // (Its NaN is the code of -0 with a sign or
                            // without)
    return select(CmpIPredicate::eq, code, zero, zero, sign);
  if (row.hasNaN && (!rules.noNaN || all.beyond(rules) == all.nan))
    return select(CmpIPredicate::ugt, code,
                  splat(code, row.hasInf ? all.infinity : all.largest), zero,
                  sign);
  return sign;
}
