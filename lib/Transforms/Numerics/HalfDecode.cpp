// HalfDecode.cpp - small floats to f32 by way of f16, which holds all their
// values: in lanes half as wide, and without products of subnormal f32, which
// cost some processors a hundred cycles. Conversion from f16 does not mind
// subnormals.
#include "lib/Transforms/Numerics/FormatVectors.h"

#include <cmath>

using namespace mlir;
using namespace labgen;
using arith::CmpIPredicate;

namespace {
constexpr int halfMantissa = 10, halfBias = 15, halfSign = 15;
constexpr uint64_t halfInfinity = 0x7c00, halfNaN = 0x7e00;
} // namespace

/// The largest exponent must not be the one of Inf, as in f8E5M2FNUZ.
bool FormatVectors::fitsHalf() const {
  return row.kind == FormatKind::Float && row.bits <= 8 &&
         (row.exponentBits < 5 || row.hasInf);
}

Value FormatVectors::halfToFloat(Value raw) {
  VectorType i16 = e.vec(lanes(raw), e.b.getI16Type());
  auto shl = [&](Value v, int n) {
    return e.make<arith::ShLIOp>(v, splat(v, n));
  };
  auto mask = [&](Value v, uint64_t bits) {
    return e.make<arith::AndIOp>(v, splat(v, bits));
  };
  // The code's fields in f16's places; the sign of a code that fills its byte
  // comes there by extension.
  uint64_t magnitudes = (uint64_t(1) << magnitudeBits()) - 1;
  constexpr uint64_t signBit = uint64_t(1) << halfSign;
  int up = halfMantissa - row.mantissaBits;
  bool fillsByte = row.bits == 8;
  Value code = fillsByte ? e.make<arith::ExtSIOp>(i16, raw)
                         : e.make<arith::ExtUIOp>(i16, raw);
  Value moved = shl(code, up);
  Value sign =
      mask(fillsByte ? moved : shl(code, halfSign - magnitudeBits()), signBit);
  Value bits = mask(moved, magnitudes << up);
  auto replace = [&](CmpIPredicate predicate, Value code, uint64_t than,
                     uint64_t by) {
    bits = select(predicate, code, splat(code, than), splat(bits, by), bits);
  };
  if (row.hasInf) {
    Value magnitude = mask(raw, magnitudes);
    replace(CmpIPredicate::eq, magnitude, codes().infinity, halfInfinity);
    replace(CmpIPredicate::ugt, magnitude, codes().infinity, halfNaN);
  } else if (row.hasNaN && row.hasNegativeZero) {
    replace(CmpIPredicate::eq, mask(raw, magnitudes), codes().nan, halfNaN);
  }
  bits = e.make<arith::OrIOp>(bits, sign);
  if (row.hasNaN && !row.hasNegativeZero) // the code of -0 is the NaN
    replace(CmpIPredicate::eq, raw, codes().nan, halfNaN);
  Value half =
      e.make<arith::BitcastOp>(e.vec(lanes(raw), e.b.getF16Type()), bits);
  Value x = e.widen(half);
  if (row.bias == halfBias)
    return x;
  return e.make<arith::MulFOp>(x,
                               floats(x, std::ldexp(1.0, halfBias - row.bias)));
}
