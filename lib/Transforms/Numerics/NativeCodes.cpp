// NativeCodes.cpp - small floats by a GPU's own instruction, where the schedule
// names one and it gives the bits of the expansion.
//
// What it does otherwise is mended before: NVIDIA's always saturate; AMD's make
// NaN or Inf of what is too large for 8 bits, and keep the sign of a NaN that
// becomes the largest value.
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Numerics/Native/Pairs.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;

/// x within the finite values of the format; NaN stays.
Value FormatVectors::clamped(Value x, CastRules rules) {
  if (rules.noNaN)
    return e.make<arith::MinNumFOp>(
        e.make<arith::MaxNumFOp>(x, floats(x, -row.max)), floats(x, row.max));
  auto clamp = [&](CmpFPredicate p, double limit) {
    Value most = floats(x, limit);
    x = e.make<arith::SelectOp>(e.make<arith::CmpFOp>(p, x, most), most, x);
  };
  clamp(CmpFPredicate::OGT, row.max);
  clamp(CmpFPredicate::OLT, -row.max);
  return x;
}

/// x, or NaN where it rounds to more than the largest value. That one is even:
/// the tie above it rounds to it.
Value FormatVectors::nanBeyondLargest(Value x) {
  int lastPlace = std::ilogb(row.max) - row.mantissaBits;
  Value tie = floats(x, row.max + std::ldexp(0.5, lastPlace));
  Value beyond =
      e.make<arith::CmpFOp>(CmpFPredicate::OGT, e.make<math::AbsFOp>(x), tie);
  Value nan = floats(x, std::numeric_limits<double>::quiet_NaN());
  return e.make<arith::SelectOp>(beyond, nan, x);
}

/// Every GPU rounds f32 to f16.
Value FormatVectors::nativeHalf(Value x) {
  Value half = e.narrow(x, e.b.getF16Type());
  return e.make<arith::BitcastOp>(e.vec(lanes(x), e.b.getI16Type()), half);
}

Value FormatVectors::nativeCode(Value x, CastRules rules, Value signSource) {
  if (rules.round != lab::Rounding::Even || !elementType(x).isF32())
    return Value();
  if (format == Format::F16 && e.onGpu && !rules.saturate && !rules.nanIsMax)
    return nativeHalf(x);
  const NativeConversion *native =
      findNativeConversion(e.kernel.convert, format);
  bool sameSign = !signSource || elementType(signSource).isF32();
  if (!native || native->encode.empty() || !sameSign)
    return Value();
  bool overflows = row.hasNaN && !rules.saturate;
  if (native->isNvidia() && overflows && row.hasInf) // it makes no Inf
    return Value();
  if (signSource)
    x = e.make<math::CopySignOp>(x, signSource);
  if (native->isNvidia()) {
    if (row.hasNaN)
      x = withoutNaN(x, rules);
    if (overflows)
      x = nanBeyondLargest(x);
  } else {
    x = withoutNaN(x, rules);
    if (row.hasNaN && !overflows)
      x = clamped(x, rules);
  }
  return encodePairs(e, *native, x);
}

Value FormatVectors::nativeFloat(Value codes) {
  const NativeConversion *native =
      findNativeConversion(e.kernel.convert, format);
  if (!native || native->decode.empty())
    return Value();
  return e.widen(decodePairs(e, *native, codes));
}
