// FormatVectors.cpp - see FormatVectors.h.
#include "lib/Transforms/Bodies/FormatVectors.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
constexpr uint32_t signBit = 0x80000000, magnitudeBits = 0x7fffffff;
constexpr uint32_t infinityBits = 0x7f800000, implicitOne = 0x00800000;
constexpr int floatMantissa = 23, floatBias = 127;

uint32_t bitsOfFloat(double value) {
  float f = static_cast<float>(value);
  return llvm::bit_cast<uint32_t>(f);
}
} // namespace

Value FormatVectors::bitsOf(Value x) {
  return e.make<arith::BitcastOp>(e.vec(lanes(x), e.b.getI32Type()), x);
}
Value FormatVectors::floatOf(Value bits) {
  return e.make<arith::BitcastOp>(e.vec(lanes(bits), e.b.getF32Type()), bits);
}
Value FormatVectors::select(CmpIPredicate predicate, Value a, Value b,
                            Value then, Value otherwise) {
  return e.make<arith::SelectOp>(e.make<arith::CmpIOp>(predicate, a, b), then,
                                 otherwise);
}

Value FormatVectors::toStorage(Value code) {
  unsigned bits = row.storageBits <= 8 ? 8 : row.storageBits;
  if (bits == 32)
    return floatOf(code);
  return e.make<arith::TruncIOp>(e.vec(lanes(code), e.b.getIntegerType(bits)),
                                 code);
}

// ---- to f32

Value FormatVectors::toFloat(Value raw) {
  VectorType i32 = e.vec(lanes(raw), e.b.getI32Type());
  VectorType f32 = e.vec(lanes(raw), e.b.getF32Type());
  if (isa<FloatType>(elementType(raw)))
    return e.widen(raw);
  if (isInteger(format)) {
    bool isSigned = row.kind == FormatKind::SignedInt;
    Value wide = isSigned ? e.make<arith::ExtSIOp>(i32, raw)
                          : e.make<arith::ExtUIOp>(i32, raw);
    return e.make<arith::SIToFPOp>(f32, wide);
  }
  Value code = e.make<arith::ExtUIOp>(i32, raw);
  auto shl = [&](Value v, int n) {
    return e.make<arith::ShLIOp>(v, splat(v, n));
  };
  if (format == Format::BF16)
    return floatOf(shl(code, 16));
  if (format == Format::F8E8M0FNU) {
    // 0 is 2^-127, a subnormal f32; 0xFF is NaN.
    Value bits = select(CmpIPredicate::eq, code, splat(code, 0),
                        splat(code, 0x00400000), shl(code, floatMantissa));
    return floatOf(select(CmpIPredicate::eq, code, splat(code, 0xff),
                          splat(code, infinityBits | 0x400000), bits));
  }
  // The code's fields in f32's places, then times a power of two, which moves
  // the bias and turns subnormals into normals, exactly.
  int drop = row.exponentBits + row.mantissaBits;
  Value magnitude = e.make<arith::AndIOp>(code, splat(code, (1u << drop) - 1));
  Value sign =
      e.make<arith::AndIOp>(shl(code, 31 - drop), splat(code, signBit));
  Value moved = floatOf(shl(magnitude, floatMantissa - row.mantissaBits));
  double scale = std::ldexp(1.0, floatBias - row.bias);
  Value bits = bitsOf(e.make<arith::MulFOp>(
      moved, e.floatSplat(lanes(raw), scale, e.b.getF32Type())));
  Value nan = splat(code, infinityBits | 0x400000);
  if (row.hasInf) {
    uint32_t inf = ((1u << row.exponentBits) - 1) << row.mantissaBits;
    bits = select(CmpIPredicate::eq, magnitude, splat(code, inf),
                  splat(code, infinityBits), bits);
    bits = select(CmpIPredicate::ugt, magnitude, splat(code, inf), nan, bits);
  } else if (row.hasNaN && row.hasNegativeZero) {
    bits = select(CmpIPredicate::eq, magnitude, splat(code, (1u << drop) - 1),
                  nan, bits);
  }
  bits = e.make<arith::OrIOp>(bits, sign);
  if (row.hasNaN && !row.hasNegativeZero) // the code of -0 is the NaN
    bits = select(CmpIPredicate::eq, code, splat(code, 1u << drop), nan, bits);
  return floatOf(bits);
}

// ---- from f64

Value FormatVectors::bitsTowardsZero(Value x, Value nearest) {
  Value bits = bitsOf(nearest);
  Value back = e.make<arith::ExtFOp>(x.getType(), nearest);
  Value beyond = e.make<arith::CmpFOp>(
      CmpFPredicate::OGT, e.make<math::AbsFOp>(back), e.make<math::AbsFOp>(x));
  return e.make<arith::SelectOp>(
      beyond, e.make<arith::SubIOp>(bits, splat(bits, 1)), bits);
}

Value FormatVectors::oddFloat(Value x, CastRules rules) {
  VectorType f32 = e.vec(lanes(x), e.b.getF32Type());
  Value nearest = e.make<arith::TruncFOp>(f32, x);
  Value back = e.make<arith::ExtFOp>(x.getType(), nearest);
  Value bits = bitsOf(nearest);
  // Towards zero, then odd where anything was dropped.
  Value inexact = e.make<arith::CmpFOp>(CmpFPredicate::ONE, back, x);
  Value odd = e.make<arith::OrIOp>(bitsTowardsZero(x, nearest), splat(bits, 1));
  if (!rules.saturate) {
    // From 2^128 on it is beyond every format, whatever the rounding.
    Value within = e.make<arith::CmpFOp>(
        CmpFPredicate::OLT, e.make<math::AbsFOp>(x),
        e.floatSplat(lanes(x), 0x1p128, e.b.getF64Type()));
    inexact = e.make<arith::AndIOp>(inexact, within);
  }
  return floatOf(e.make<arith::SelectOp>(inexact, odd, bits));
}

Value FormatVectors::floatFromDouble(Value x, CastRules rules) {
  VectorType f32 = e.vec(lanes(x), e.b.getF32Type());
  Type f64 = e.b.getF64Type();
  Value result = e.make<arith::TruncFOp>(f32, x);
  auto absolute = [&](Value v) { return e.make<math::AbsFOp>(v); };
  auto back = [&](Value v) { return e.make<arith::ExtFOp>(x.getType(), v); };
  if (rules.round != lab::Rounding::Even) {
    Value bits = bitsOf(result);
    Value down = bitsTowardsZero(x, result);
    result = floatOf(down);
    if (rules.round == lab::Rounding::Away) {
      Value up = floatOf(e.make<arith::AddIOp>(down, splat(bits, 1)));
      Value half = e.floatSplat(lanes(x), 0.5, f64);
      Value middle = e.make<arith::MulFOp>(
          e.make<arith::AddFOp>(back(result), back(up)), half);
      Value reaches = e.make<arith::CmpFOp>(CmpFPredicate::OGE, absolute(x),
                                            absolute(middle));
      result = e.make<arith::SelectOp>(reaches, up, result);
    }
    // Beyond the largest by more than any rounding keeps.
    Value tooLarge = e.make<arith::CmpFOp>(
        CmpFPredicate::OGE, absolute(x),
        e.floatSplat(lanes(x),
                     rules.round == lab::Rounding::Zero ? 0x1p128
                                                        : 0x1.ffffffp127,
                     f64));
    Value sign = e.make<arith::AndIOp>(bits, splat(bits, signBit));
    Value infinity =
        floatOf(e.make<arith::OrIOp>(sign, splat(bits, infinityBits)));
    result = e.make<arith::SelectOp>(tooLarge, infinity, result);
    Value isNan = e.make<arith::CmpFOp>(CmpFPredicate::UNO, x, x);
    result = e.make<arith::SelectOp>(
        isNan, floatOf(splat(bits, infinityBits | 0x400000)), result);
  }
  return wideFloat(result, rules);
}

// ---- from f32

/// f32 to f32: what the rules make of Inf and NaN is left.
Value FormatVectors::wideFloat(Value x, CastRules rules) {
  if (!rules.saturate && !rules.nanIsMax)
    return x;
  Value bits = bitsOf(x);
  Value magnitude = e.make<arith::AndIOp>(bits, splat(bits, magnitudeBits));
  Value sign = e.make<arith::AndIOp>(bits, splat(bits, signBit));
  Value max = splat(bits, infinityBits - 1), result = bits;
  Value infinity = splat(bits, infinityBits);
  if (rules.saturate)
    result = select(CmpIPredicate::eq, magnitude, infinity,
                    e.make<arith::OrIOp>(sign, max), result);
  if (rules.nanIsMax)
    result = select(CmpIPredicate::ugt, magnitude, infinity, max, result);
  return floatOf(result);
}

/// Integers saturate whatever the rules say; NaN gives 0.
Value FormatVectors::integerCode(Value x, CastRules rules) {
  int64_t n = lanes(x);
  Type f32 = e.b.getF32Type();
  Value rounded;
  switch (rules.round) {
  case lab::Rounding::Even:
    rounded = e.make<math::RoundEvenOp>(x);
    break;
  case lab::Rounding::Away:
    rounded = e.make<math::RoundOp>(x);
    break;
  case lab::Rounding::Zero:
    rounded = e.make<math::TruncOp>(x);
    break;
  }
  auto clamp = [&](CmpFPredicate predicate, double limit) {
    Value bound = e.floatSplat(n, limit, f32);
    rounded = e.make<arith::SelectOp>(
        e.make<arith::CmpFOp>(predicate, rounded, bound), rounded, bound);
  };
  // A NaN fails the first comparison and becomes the lower bound, so it is
  // taken out before.
  Value isNumber = e.make<arith::CmpFOp>(CmpFPredicate::ORD, x, x);
  rounded = e.make<arith::SelectOp>(isNumber, rounded, e.zeros(e.vec(n, f32)));
  clamp(CmpFPredicate::OGT, row.min);
  clamp(CmpFPredicate::OLT, row.max);
  Value code = e.make<arith::FPToSIOp>(e.vec(n, e.b.getI32Type()), rounded);
  return toStorage(code);
}

/// E8M0: no sign, no zero; ties go to the even byte.
Value FormatVectors::scaleCode(Value x, CastRules rules) {
  Value bits = bitsOf(x);
  auto shr = [&](Value v) {
    return e.make<arith::ShRUIOp>(v, splat(v, floatMantissa));
  };
  Value exponent = shr(bits), code;
  Value half = splat(bits, 0x400000);
  if (rules.round == lab::Rounding::Even) {
    Value odd = e.make<arith::AndIOp>(exponent, splat(bits, 1));
    Value added = e.make<arith::AddIOp>(bits, splat(bits, 0x3fffff));
    code = shr(e.make<arith::AddIOp>(added, odd));
  } else if (rules.round == lab::Rounding::Away) {
    code = shr(e.make<arith::AddIOp>(bits, half));
  } else {
    code = exponent;
  }
  // Below 2^-126 the only values are 2^-127 and 2^-126.
  if (rules.round != lab::Rounding::Zero) {
    auto above = rules.round == lab::Rounding::Even ? CmpIPredicate::ugt
                                                    : CmpIPredicate::uge;
    Value low = select(above, bits, splat(bits, 0x600000), splat(bits, 1),
                       splat(bits, 0));
    code =
        select(CmpIPredicate::ult, bits, splat(bits, implicitOne), low, code);
  }
  uint32_t beyond = rules.saturate ? 0xfe : 0xff;
  code = select(CmpIPredicate::ugt, code, splat(bits, 0xfe),
                splat(bits, beyond), code);
  // 0, negatives (their sign is the top bit), Inf and NaN.
  Value less = e.make<arith::SubIOp>(bits, splat(bits, 1));
  return toStorage(select(CmpIPredicate::uge, less,
                          splat(bits, infinityBits - 1), splat(bits, 0xff),
                          code));
}

/// Nearest, ties to even: in the normal range half of the last kept place is
/// added and the rest cut; below it f32's own addition rounds.
Value FormatVectors::nearestEvenCode(Value magnitude) {
  int cut = floatMantissa - row.mantissaBits;
  int rebias = floatBias - row.bias;
  Value place = splat(magnitude, cut);
  Value odd = e.make<arith::AndIOp>(e.make<arith::ShRUIOp>(magnitude, place),
                                    splat(magnitude, 1));
  uint32_t bias =
      (1u << (cut - 1)) - 1 - (static_cast<uint32_t>(rebias) << floatMantissa);
  Value sum = e.make<arith::AddIOp>(
      e.make<arith::AddIOp>(magnitude, splat(magnitude, bias)), odd);
  Value normal = e.make<arith::ShRUIOp>(sum, place);
  if (rebias == 0) // bf16, tf32: f32's subnormals lie where theirs do
    return normal;
  double magic =
      std::ldexp(1.0, floatMantissa - row.mantissaBits + 1 - row.bias);
  Value small = e.make<arith::AddFOp>(
      floatOf(magnitude),
      e.floatSplat(lanes(magnitude), magic, e.b.getF32Type()));
  Value subnormal = e.make<arith::SubIOp>(bitsOf(small),
                                          splat(magnitude, bitsOfFloat(magic)));
  return select(CmpIPredicate::ult, magnitude,
                splat(magnitude, bitsOfFloat(row.minNormal)), subnormal,
                normal);
}

/// Away from zero at ties, or towards zero: the significand is cut by as many
/// places as the value needs, subnormals by more.
Value FormatVectors::anyRoundingCode(Value magnitude, CastRules rules) {
  int cut = floatMantissa - row.mantissaBits;
  auto constant = [&](int64_t v) {
    return splat(magnitude, static_cast<uint32_t>(v));
  };
  Value exponent = e.make<arith::ShRUIOp>(magnitude, constant(floatMantissa));
  Value fraction = e.make<arith::AndIOp>(magnitude, constant(implicitOne - 1));
  Value isNormal =
      e.make<arith::CmpIOp>(CmpIPredicate::ne, exponent, constant(0));
  Value significand = e.make<arith::SelectOp>(
      isNormal, e.make<arith::OrIOp>(fraction, constant(implicitOne)),
      fraction);
  exponent = e.make<arith::MaxUIOp>(exponent, constant(1));
  // Places below the smallest normal exponent.
  int64_t smallest = floatBias - row.bias + 1;
  Value above = e.make<arith::SubIOp>(exponent, constant(smallest));
  Value below = e.make<arith::MaxSIOp>(
      e.make<arith::SubIOp>(constant(0), above), constant(0));
  Value places = e.make<arith::MinUIOp>(
      e.make<arith::AddIOp>(below, constant(cut)), constant(31));
  Value kept = e.make<arith::ShRUIOp>(significand, places);
  if (rules.round == lab::Rounding::Away) {
    Value last = e.make<arith::SubIOp>(places, constant(1));
    Value half = e.make<arith::AndIOp>(
        e.make<arith::ShRUIOp>(significand, last), constant(1));
    kept = e.make<arith::AddIOp>(kept, half);
  }
  Value field = e.make<arith::ShLIOp>(
      e.make<arith::MaxSIOp>(above, constant(0)), constant(row.mantissaBits));
  return e.make<arith::AddIOp>(field, kept);
}

/// The code of |x|, overflow and NaN included; the sign is still to come.
Value FormatVectors::magnitudeCode(Value magnitude, CastRules rules) {
  Value code = rules.round == lab::Rounding::Even
                   ? nearestEvenCode(magnitude)
                   : anyRoundingCode(magnitude, rules);
  int drop = row.exponentBits + row.mantissaBits;
  // The largest finite code, and what lies above it.
  uint32_t all = (1u << drop) - 1, largest = all;
  uint32_t infinity = ((1u << row.exponentBits) - 1) << row.mantissaBits;
  if (row.hasInf)
    largest = infinity - 1;
  else if (row.hasNaN && row.hasNegativeZero)
    largest = all - 1;
  uint32_t nan = row.hasInf ? infinity | (1u << (row.mantissaBits - 1))
                 : row.hasNegativeZero ? all
                                       : 1u << drop;
  uint32_t beyond = rules.saturate || !row.hasNaN ? largest
                    : row.hasInf                  ? infinity
                                                  : nan;
  if (rules.nanIsMax || !row.hasNaN)
    nan = largest;
  Value limit = splat(magnitude, largest);
  if (beyond == largest)
    code = e.make<arith::MinUIOp>(code, limit);
  else
    code =
        select(CmpIPredicate::ugt, code, limit, splat(magnitude, beyond), code);
  return select(CmpIPredicate::ugt, magnitude, splat(magnitude, infinityBits),
                splat(magnitude, nan), code);
}

Value FormatVectors::fromFloat(Value x, CastRules rules) {
  if (isInteger(format))
    return integerCode(x, rules);
  if (format == Format::F8E8M0FNU)
    return scaleCode(x, rules);
  if (format == Format::F32)
    return wideFloat(x, rules);
  Value code = codeOf(x, rules);
  if (format != Format::TF32)
    return toStorage(code);
  return floatOf(e.make<arith::ShLIOp>(
      code, splat(code, floatMantissa - row.mantissaBits)));
}

Value FormatVectors::codeOf(Value x, CastRules rules, Value signSource) {
  Value bits = bitsOf(x);
  Value magnitude = e.make<arith::AndIOp>(bits, splat(bits, magnitudeBits));
  Value code = magnitudeCode(magnitude, rules);
  int drop = row.exponentBits + row.mantissaBits;
  Value isNan = e.make<arith::CmpIOp>(CmpIPredicate::ugt, magnitude,
                                      splat(bits, infinityBits));
  // Overflow makes NaNs as well where all ones is the only one.
  if (!rules.saturate && row.hasNaN && !row.hasInf && row.hasNegativeZero) {
    Value made = e.make<arith::CmpIOp>(CmpIPredicate::eq, code,
                                       splat(bits, (1u << drop) - 1));
    isNan = rules.nanIsMax ? e.make<arith::OrIOp>(isNan, made) : made;
  }
  Value signBits = signSource ? bitsOf(signSource) : bits;
  Value sign = e.make<arith::AndIOp>(
      e.make<arith::ShRUIOp>(signBits, splat(bits, 31 - drop)),
      splat(bits, 1u << drop));
  // NaN has no sign; nor has the zero of a format without -0.
  sign = e.make<arith::SelectOp>(isNan, splat(bits, 0), sign);
  if (!row.hasNegativeZero)
    sign =
        select(CmpIPredicate::eq, code, splat(bits, 0), splat(bits, 0), sign);
  // (The NaN that overflow gives in FNUZ is the code of -0: a sign changes
  // nothing.)
  return e.make<arith::OrIOp>(code, sign);
}
