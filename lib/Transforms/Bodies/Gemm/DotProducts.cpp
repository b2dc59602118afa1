// DotProducts.cpp - see DotProducts.h.
#include "lib/Transforms/Bodies/Gemm/DotProducts.h"

using namespace mlir;
using namespace labgen;

FailureOr<DotProducts> DotProducts::get(BodyBuilder &e, Operation *op,
                                        bool unsignedA, bool unsignedB) {
  using lab::IntegerDot;
  IntegerDot dot = e.kernel.integerDot.value_or(IntegerDot::Generic);
  bool wide = e.vectorBytes == 32 || e.vectorBytes == 64;
  // A machine with steps of four has steps of two as well.
  if (dot == IntegerDot::Quads && wide && !unsignedA)
    return DotProducts(e, dot, 4, unsignedA, unsignedB);
  if (dot != IntegerDot::Generic && wide)
    return DotProducts(e, IntegerDot::Pairs, 2, unsignedA, unsignedB);
  if (dot == IntegerDot::Generic)
    return DotProducts(e, dot, 1, unsignedA, unsignedB);
  return op->emitOpError("schedule asks for integer_dot = ")
         << stringifyIntegerDot(dot) << " with " << e.vectorBytes
         << "-byte vectors; legal: quads or pairs with 32 or 64, generic";
}

// Unsigned times signed is what targets have: signed codes of B move up by 128
// (their sign bit flips), and every product starts from -128 times the sum of
// A's codes.
Value DotProducts::prepareB(Value codes) {
  if (offset() != 0)
    codes = e->make<arith::XOrIOp>(codes, e->intSplat(chunk(), 0x80, 8));
  return widen(codes, !unsignedB && offset() == 0);
}

Value DotProducts::prepareA(Value codes) { return widen(codes, !unsignedA); }

Value DotProducts::widen(Value codes, bool isSigned) {
  VectorType wide = e->vec(chunk(), e->b.getI32Type());
  return isSigned ? e->make<arith::ExtSIOp>(wide, codes)
                  : e->make<arith::ExtUIOp>(wide, codes);
}

Value DotProducts::start(Value preparedA) {
  Value zero = e->zeros(type());
  if (offset() == 0)
    return zero;
  Value bias = add(zero, preparedA, e->intSplat(chunk(), offset(), 32));
  return e->make<arith::SubIOp>(zero, bias);
}

Value DotProducts::addSum(Value acc, Value preparedA) {
  return add(acc, preparedA, e->intSplat(chunk(), 1, 32));
}

// Neighbours are a dimension of their own: what a target's dot product step
// does in one instruction, in words that any target understands.
Value DotProducts::add(Value acc, Value preparedA, Value preparedB) {
  Value products = e->make<arith::MulIOp>(preparedA, preparedB);
  if (kind == lab::IntegerDot::Generic)
    return e->make<arith::AddIOp>(acc, products);
  auto byLane = VectorType::get({lanes(), perLane}, e->b.getI32Type());
  return e->make<vector::MultiDimReductionOp>(
      e->make<vector::ShapeCastOp>(byLane, products), acc,
      ArrayRef<bool>{false, true}, vector::CombiningKind::ADD);
}
