// CutCodes.cpp - f32 and f64 to any narrower float format, by cutting the
// significand: ties away from zero, towards zero, stochastic, and to nearest
// even where the exponent is f32's own.
#include "lib/Transforms/Numerics/FormatVectors.h"

using namespace mlir;
using namespace labgen;
using arith::CmpIPredicate;

/// The significand is cut by as many places as the value needs, subnormals by
/// more. Lanes as wide as the source.
Value FormatVectors::cutMagnitude(Value magnitude, CastRules rules) {
  int bits = static_cast<int>(width(magnitude));
  int mantissa = bits == 64 ? 52 : 23, bias = bits == 64 ? 1023 : 127;
  int cut = mantissa - row.mantissaBits;
  auto constant = [&](int64_t v) {
    return splat(magnitude, static_cast<uint64_t>(v));
  };
  if (rules.round == lab::Rounding::Even) {
    // bf16 and tf32: f32's subnormals lie where theirs do, so half of the last
    // kept place is added, and the rest cut.
    Value odd = e.make<arith::AndIOp>(
        e.make<arith::ShRUIOp>(magnitude, constant(cut)), constant(1));
    Value half = e.make<arith::AddIOp>(magnitude,
                                       constant((int64_t(1) << (cut - 1)) - 1));
    return e.make<arith::ShRUIOp>(e.make<arith::AddIOp>(half, odd),
                                  constant(cut));
  }
  int64_t implicitOne = int64_t(1) << mantissa;
  Value exponent = e.make<arith::ShRUIOp>(magnitude, constant(mantissa));
  Value fraction = e.make<arith::AndIOp>(magnitude, constant(implicitOne - 1));
  Value isNormal =
      e.make<arith::CmpIOp>(CmpIPredicate::ne, exponent, constant(0));
  Value significand = e.make<arith::SelectOp>(
      isNormal, e.make<arith::OrIOp>(fraction, constant(implicitOne)),
      fraction);
  exponent = e.make<arith::MaxUIOp>(exponent, constant(1));
  // Places below the smallest normal exponent.
  Value above = e.make<arith::SubIOp>(exponent, constant(bias - row.bias + 1));
  Value below = e.make<arith::MaxSIOp>(
      e.make<arith::SubIOp>(constant(0), above), constant(0));
  Value all = e.make<arith::AddIOp>(below, constant(cut));
  Value places = e.make<arith::MinUIOp>(all, constant(bits - 1));
  Value kept = e.make<arith::ShRUIOp>(significand, places);
  if (rules.round == lab::Rounding::Away) {
    Value last = e.make<arith::SubIOp>(places, constant(1));
    Value half = e.make<arith::AndIOp>(
        e.make<arith::ShRUIOp>(significand, last), constant(1));
    kept = e.make<arith::AddIOp>(kept, half);
  } else if (rules.round == lab::Rounding::Stochastic) {
    // What is dropped, as a fraction of `bits` bits, of which the first 32
    // count. Past `bits` places it starts with zeros.
    Value within = e.make<arith::ShLIOp>(
        significand,
        e.make<arith::SubIOp>(constant(bits),
                              e.make<arith::MinUIOp>(all, constant(bits))));
    Value past = e.make<arith::MinSIOp>(
        e.make<arith::MaxSIOp>(e.make<arith::SubIOp>(all, constant(bits)),
                               constant(0)),
        constant(bits - 1));
    Value dropped = select(CmpIPredicate::ugt, all, constant(bits),
                           e.make<arith::ShRUIOp>(significand, past), within);
    if (bits == 64)
      dropped = trunc(e.make<arith::ShRUIOp>(dropped, constant(32)), 32);
    Value up = e.make<arith::CmpIOp>(CmpIPredicate::ult, rules.random, dropped);
    kept = e.make<arith::AddIOp>(
        kept, e.make<arith::ExtUIOp>(magnitude.getType(), up));
  }
  Value field = e.make<arith::ShLIOp>(
      e.make<arith::MaxSIOp>(above, constant(0)), constant(row.mantissaBits));
  return e.make<arith::AddIOp>(field, kept);
}

/// The code of |x| as i32, overflow and NaN included.
Value FormatVectors::magnitudeCode(Value magnitude, CastRules rules) {
  Codes all = codes();
  Value code = cutMagnitude(magnitude, rules);
  // Towards zero no finite value is beyond the largest: Inf is told apart.
  bool stops = rules.round == lab::Rounding::Zero && !rules.saturate;
  code = e.make<arith::MinUIOp>(
      code, splat(code, stops ? all.largest : all.beyond(rules)));
  if (width(code) == 64)
    code = trunc(code, 32);
  Value infinity =
      splat(magnitude, width(magnitude) == 64 ? uint64_t(0x7ff) << 52
                                              : uint64_t(0xff) << 23);
  if (stops)
    code = select(CmpIPredicate::uge, magnitude, infinity,
                  splat(code, all.infinity), code);
  if (rules.noNaN || (stops && all.infinity == all.nan))
    return code;
  return select(CmpIPredicate::ugt, magnitude, infinity, splat(code, all.nan),
                code);
}

Value FormatVectors::cutCode(Value x, CastRules rules, Value signSource) {
  x = withoutNaN(x, rules);
  Value bits = bitsOf(x);
  uint64_t top = uint64_t(1) << (width(x) - 1);
  Value code =
      magnitudeCode(e.make<arith::AndIOp>(bits, splat(bits, top - 1)), rules);
  code = e.make<arith::OrIOp>(
      code, signField(code, signSource ? signSource : x, rules));
  return toStorage(code);
}
