// DotProducts.cpp - see DotProducts.h.
#include "lib/Transforms/Bodies/Gemm/DotProducts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace labgen;

FailureOr<DotProducts> DotProducts::get(BodyBuilder &e, Operation *op,
                                        bool unsignedA, bool unsignedB) {
  using lab::IntegerDot;
  IntegerDot dot = e.kernel.integerDot.value_or(IntegerDot::Generic);
  bool wide = e.vectorBytes == 32 || e.vectorBytes == 64;
  // A machine with vpdpbusd has vpmaddwd too.
  if (dot == IntegerDot::Vnni && wide && !unsignedA)
    return DotProducts(e, dot, 4, unsignedA, unsignedB);
  if (dot != IntegerDot::Generic && wide)
    return DotProducts(e, IntegerDot::Madd, 2, unsignedA, unsignedB);
  if (dot == IntegerDot::Generic)
    return DotProducts(e, dot, 1, unsignedA, unsignedB);
  return op->emitOpError("schedule asks for integer_dot = ")
         << stringifyIntegerDot(dot) << " with " << e.vectorBytes
         << "-byte vectors; legal: vnni or madd with 32 or 64, generic";
}

Value DotProducts::call(StringRef name256, StringRef name512,
                        ArrayRef<Value> arguments) {
  StringRef name = e->vectorBytes == 64 ? name512 : name256;
  return e->make<LLVM::CallIntrinsicOp>(type(), e->b.getStringAttr(name),
                                        ValueRange(arguments));
}

// vpdpbusd multiplies unsigned by signed: signed codes of B move up by 128
// (their sign bit flips), and every product starts from -128 times the sum of
// A's codes.
Value DotProducts::prepareB(Value codes) {
  if (kind == lab::IntegerDot::Vnni)
    return unsignedB
               ? codes
               : e->make<arith::XOrIOp>(codes, e->intSplat(chunk(), 0x80, 8));
  return widen(codes, !unsignedB);
}

Value DotProducts::prepareA(Value codes) {
  return kind == lab::IntegerDot::Vnni ? codes : widen(codes, !unsignedA);
}

Value DotProducts::widen(Value codes, bool isSigned) {
  unsigned bits = kind == lab::IntegerDot::Madd ? 16 : 32;
  VectorType wide = e->vec(chunk(), e->b.getIntegerType(bits));
  return isSigned ? e->make<arith::ExtSIOp>(wide, codes)
                  : e->make<arith::ExtUIOp>(wide, codes);
}

Value DotProducts::start(Value preparedA) {
  Value zero = e->zeros(type());
  if (offset() == 0)
    return zero;
  Value bias = add(zero, preparedA, e->intSplat(chunk(), offset(), 8));
  return e->make<arith::SubIOp>(zero, bias);
}

Value DotProducts::addSum(Value acc, Value preparedA) {
  unsigned bits = kind == lab::IntegerDot::Vnni   ? 8
                  : kind == lab::IntegerDot::Madd ? 16
                                                  : 32;
  return add(acc, preparedA, e->intSplat(chunk(), 1, bits));
}

Value DotProducts::add(Value acc, Value preparedA, Value preparedB) {
  switch (kind) {
  case lab::IntegerDot::Vnni:
    return call("llvm.x86.avx512.vpdpbusd.256", "llvm.x86.avx512.vpdpbusd.512",
                {acc, preparedB, preparedA});
  case lab::IntegerDot::Madd:
    return e->make<arith::AddIOp>(acc, call("llvm.x86.avx2.pmadd.wd",
                                            "llvm.x86.avx512.pmaddw.d.512",
                                            {preparedA, preparedB}));
  case lab::IntegerDot::Generic:
    return e->make<arith::AddIOp>(acc,
                                  e->make<arith::MulIOp>(preparedA, preparedB));
  }
  llvm_unreachable("every kind is handled");
}
