// ExpOp.cpp - exp of every element: its types, its tiles, its spec and its
// verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type ExpOp::getInType() { return namedType(*this, "in", getX()); }

Type ExpOp::getOutType() { return namedType(*this, "out", getY()); }

SmallVector<utils::IteratorType> ExpOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel};
}

SmallVector<Access> ExpOp::getAccesses() { return elementAccesses(*this); }

int64_t ExpOp::getTileMultiple(unsigned) { return elementMultiple(*this); }

LogicalResult ExpOp::adjustTile(Operation *tile, ArrayRef<OpFoldResult>,
                                ArrayRef<OpFoldResult> sizes) {
  return adjustCount(*this, tile, sizes.front());
}

FailureOr<labgen::KernelSpec> ExpOp::getRules() {
  return elementSpec(*this, labgen::Op::Exp);
}

LogicalResult ExpOp::verify() {
  if (failed(checkElements(*this, getX(), getInType(), getY(), getOutType(),
                           getCount())))
    return failure();
  return checkSpec(*this);
}
