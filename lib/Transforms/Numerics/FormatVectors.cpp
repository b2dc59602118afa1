// FormatVectors.cpp - see FormatVectors.h.
#include "lib/Transforms/Numerics/FormatVectors.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
constexpr uint32_t signBit = 0x80000000, infinityBits = 0x7f800000;
constexpr int floatMantissa = 23, floatBias = 127;
} // namespace

Value FormatVectors::bitsOf(Value x) {
  return e.make<arith::BitcastOp>(e.vec(lanes(x), e.b.getIntegerType(width(x))),
                                  x);
}
Value FormatVectors::floatOf(Value bits) {
  return e.make<arith::BitcastOp>(e.vec(lanes(bits), e.b.getF32Type()), bits);
}
Value FormatVectors::select(CmpIPredicate predicate, Value a, Value b,
                            Value then, Value otherwise) {
  return e.make<arith::SelectOp>(e.make<arith::CmpIOp>(predicate, a, b), then,
                                 otherwise);
}
Value FormatVectors::isNaN(Value x) {
  return e.make<arith::CmpFOp>(CmpFPredicate::UNO, x, x);
}

Value FormatVectors::withoutNaN(Value x, CastRules &rules) {
  if (rules.noNaN || (row.hasNaN && !rules.nanIsMax))
    return x;
  rules.noNaN = true;
  return e.make<arith::SelectOp>(isNaN(x), floats(x, row.max), x);
}

/// Codes as they lie in memory; tf32 has the high bits of an f32.
Value FormatVectors::toStorage(Value code) {
  if (format == Format::I32)
    return code;
  if (row.storageBits == 32)
    return floatOf(e.make<arith::ShLIOp>(
        code, splat(code, floatMantissa - row.mantissaBits)));
  unsigned bits = row.storageBits <= 8 ? 8 : row.storageBits;
  return width(code) == bits ? code : trunc(code, bits);
}

FormatVectors::Codes FormatVectors::codes() const {
  uint64_t all = (uint64_t(1) << magnitudeBits()) - 1;
  if (row.hasInf) {
    uint64_t infinity = all >> row.mantissaBits << row.mantissaBits;
    return {infinity - 1, infinity,
            infinity | uint64_t(1) << (row.mantissaBits - 1)};
  }
  if (!row.hasNaN)
    return {all, all, all};
  if (row.hasNegativeZero)
    return {all - 1, all, all};
  return {all, all + 1, all + 1};
}

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
  if (Value x = nativeFloat(raw))
    return x;
  if (!e.isSimt && fitsHalf())
    return halfToFloat(raw);
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

/// f32 to f32: what the rules make of Inf and NaN.
Value FormatVectors::wideFloat(Value x, CastRules rules) {
  if (!rules.saturate && !rules.nanIsMax)
    return x;
  Value bits = bitsOf(x);
  Value magnitude = e.make<arith::AndIOp>(bits, splat(bits, ~signBit));
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

Value FormatVectors::fromFloat(Value x, CastRules rules, Value signSource) {
  if (width(x) == 64)
    return fromDouble(x, rules);
  if (isInteger(format))
    return integerCode(x, rules);
  if (format == Format::F8E8M0FNU)
    return scaleCode(x, rules);
  if (format == Format::F32)
    return wideFloat(x, rules);
  if (Value code = nativeCode(x, rules, signSource))
    return code;
  if (rules.round == lab::Rounding::Even && hasNarrowExponent())
    return nearestEven(x, rules, signSource);
  return cutCode(x, rules, signSource);
}
