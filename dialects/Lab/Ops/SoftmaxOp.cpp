// SoftmaxOp.cpp - exp over the sum of a row's: its types, its tiles, its spec
// and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type SoftmaxOp::getInType() { return namedType(*this, "in", getX()); }

Type SoftmaxOp::getOutType() { return namedType(*this, "out", getY()); }

SmallVector<utils::IteratorType> SoftmaxOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel};
}

SmallVector<Access> SoftmaxOp::getAccesses() {
  return {{&getXMutable(), {{0}, codesAlong(1, getInType())}},
          {&getYMutable(), {{0}, codesAlong(1, getOutType())}}};
}

// A row has one sum.
int64_t SoftmaxOp::getTileMultiple(unsigned dim) { return dim == 0 ? 1 : 0; }

FailureOr<labgen::KernelSpec> SoftmaxOp::getRules() {
  FailureOr<labgen::KernelSpec> spec = elementSpec(*this, labgen::Op::Softmax);
  if (failed(spec))
    return failure();
  spec->m = sizeOf(getX(), 0);
  spec->shift = getShift();
  return spec;
}

LogicalResult SoftmaxOp::verify() {
  if (failed(checkElements(*this, getX(), getInType(), getY(), getOutType(),
                           getCount())) ||
      failed(checkSize(*this, "rows of y", dim(getY(), 0), dim(getX(), 0),
                       "as many as x")))
    return failure();
  return checkSpec(*this);
}
