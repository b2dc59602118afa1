// EncodeOp.cpp - codes of a matrix by scales that are there: its types, its
// tiles, its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type EncodeOp::getCodeType() { return namedType(*this, "code", getQ()); }

Type EncodeOp::getScaleFormat() {
  return namedType(*this, "scale_type", getScale());
}

SmallVector<utils::IteratorType> EncodeOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel};
}

SmallVector<Access> EncodeOp::getAccesses() {
  return {{&getXMutable(), {{0}, {1}}},
          {&getQMutable(), {{0}, codesAlong(1, getCodeType())}}};
}

int64_t EncodeOp::getTileMultiple(unsigned dim) {
  return dim == 0 ? 1 : startMultiple(1, getCodeType(), false);
}

LogicalResult EncodeOp::adjustTile(Operation *tile,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult>) {
  adjustPosition(*this, tile, offsets);
  return success();
}

LogicalResult EncodeOp::verify() {
  if (failed(checkFloat(*this, "x", element(getX()))))
    return failure();
  if (failed(checkQuantized(*this, getX(), getQ(), getCodeType(), getScale(),
                            getScaleFormat(), getZero(), getGlobal(),
                            groupTensor)))
    return failure();
  if (getDivisor() &&
      (!element(getDivisor()).isF32() || differ(dim(getDivisor(), 0), 1) ||
       differ(dim(getDivisor(), 1), 1)))
    return emitOpError("divisor must be memref<1x1xf32>, got ")
           << getDivisor().getType();
  if (failed(checkSeed(*this, getRound(), getSeed(), getPosition(), 2)))
    return failure();
  return checkSpec(*this, quantizerSpec(*this, groupTensor));
}
