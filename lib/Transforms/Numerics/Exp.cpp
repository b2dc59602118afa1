// Exp.cpp - see Exp.h.
//
// x = n ln 2 + r with |r| <= ln 2 / 2, so that e^x = 2^n e^r; ln 2 in two parts
// (Cody and Waite, 1980), e^r by its Taylor series to r^7, whose next term is
// below 2^-30. 2^n in two steps, for subnormal results.
#include "lib/Transforms/Numerics/Exp.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

Value labgen::expFloat(BodyBuilder &e, Value x) {
  int64_t n = cast<VectorType>(x.getType()).getDimSize(0);
  Type f32 = e.b.getF32Type();
  auto splat = [&](double v) { return e.floatSplat(n, v, f32); };
  auto clampTo = [&](Value v, arith::CmpFPredicate p, double limit) {
    return e.make<arith::SelectOp>(e.make<arith::CmpFOp>(p, v, splat(limit)),
                                   splat(limit), v);
  };
  // Beyond these e^x is Inf or 0 whatever x is; NaN passes.
  Value in = clampTo(x, arith::CmpFPredicate::OGT, 89.0);
  in = clampTo(in, arith::CmpFPredicate::OLT, -104.0);
  Value turns = e.make<math::RoundEvenOp>(
      e.make<arith::MulFOp>(in, splat(1.44269504088896341)));
  // The first product is exact; what the second rounding drops is kept, it
  // would cost up to a quarter of an ulp.
  Value high = e.make<math::FmaOp>(turns, splat(-0x1.62e4p-1), in);
  Value low = splat(-0x1.7f7d1cp-20);
  Value r = e.make<math::FmaOp>(turns, low, high);
  Value dropped =
      e.make<math::FmaOp>(turns, low, e.make<arith::SubFOp>(high, r));
  Value p = splat(1.0 / 5040);
  for (double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5})
    p = e.make<math::FmaOp>(p, r, splat(c));
  // 1 + (r + (r^2 p + dropped)): the large part is added last.
  Value small = e.make<math::FmaOp>(e.make<arith::MulFOp>(r, r), p, dropped);
  Value result =
      e.make<arith::AddFOp>(e.make<arith::AddFOp>(r, small), splat(1.0));
  VectorType i32 = e.vec(n, e.b.getI32Type());
  Value exponent = e.make<arith::FPToSIOp>(i32, turns);
  Value half = e.make<arith::ShRSIOp>(exponent, e.intSplat(n, 1, 32));
  auto power = [&](Value k) {
    Value biased = e.make<arith::AddIOp>(k, e.intSplat(n, 127, 32));
    return e.make<arith::BitcastOp>(
        e.vec(n, f32), e.make<arith::ShLIOp>(biased, e.intSplat(n, 23, 32)));
  };
  result = e.make<arith::MulFOp>(result, power(half));
  result = e.make<arith::MulFOp>(result,
                                 power(e.make<arith::SubIOp>(exponent, half)));
  Value isNan = e.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
  return e.make<arith::SelectOp>(isNan, x, result);
}
