// NativeCodes.cpp - small floats by the target's own instructions, where the
// schedule says that it has them.
//
// The conversion itself is arith's, which rounds to nearest even and makes NaN
// or Inf of what is too large; other rules are kept before it.
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Numerics/SmallFloats.h"

#include "mlir/Dialect/Math/IR/Math.h"

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

/// Every GPU rounds f32 to f16.
Value FormatVectors::nativeHalf(Value x) {
  Value half = e.narrow(x, e.b.getF16Type());
  return e.make<arith::BitcastOp>(e.vec(lanes(x), e.b.getI16Type()), half);
}

Value FormatVectors::nativeCode(Value x, CastRules rules, Value signSource) {
  if (rules.round != lab::Rounding::Even || !elementType(x).isF32())
    return Value();
  if (format == Format::F16 && e.isSimt && !rules.saturate && !rules.nanIsMax)
    return nativeHalf(x);
  Type type = lab::typeOf(format, e.b.getContext());
  bool sameSign = !signSource || elementType(signSource).isF32();
  if (!llvm::is_contained(e.kernel.truncate, type) || !sameSign)
    return Value();
  if (signSource)
    x = e.make<math::CopySignOp>(x, signSource);
  x = withoutNaN(x, rules);
  if (row.hasNaN && rules.saturate)
    x = clamped(x, rules);
  return truncateToCodes(e, x, type);
}

Value FormatVectors::nativeFloat(Value codes) {
  Type type = lab::typeOf(format, e.b.getContext());
  return llvm::is_contained(e.kernel.extend, type) ? extendCodes(e, codes, type)
                                                   : Value();
}
