// AxpyOp.cpp - y <- a x + y: its types, its tiles, its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

SmallVector<utils::IteratorType> AxpyOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel};
}

SmallVector<Access> AxpyOp::getAccesses() {
  return {{&getXMutable(), {{0}}}, {&getYMutable(), {{0}}}};
}

FailureOr<labgen::KernelSpec> AxpyOp::getRules() {
  auto type = elementFormat(getX());
  if (!type)
    return failure();
  labgen::KernelSpec spec;
  spec.op = labgen::Op::Axpy;
  spec.n = sizeOf(getX(), 0);
  spec.type = *type, spec.acc = labgen::defaultAccumulator(*type);
  return spec;
}

LogicalResult AxpyOp::verify() {
  Type t = element(getX());
  if (failed(checkFloat(*this, "x", t)))
    return failure();
  if (element(getY()) != t || element(getAlpha()) != t)
    return emitOpError("alpha, x and y must have one element type, got ")
           << element(getAlpha()) << ", " << t << ", " << element(getY());
  if (failed(checkSize(*this, "length of y", dim(getY(), 0), dim(getX(), 0),
                       "as long as x")))
    return failure();
  return checkSpec(*this);
}
