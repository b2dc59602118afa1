// QuantizeOp.cpp - codes and scales of the groups of a matrix: its types, its
// tiles, its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type QuantizeOp::getCodeType() { return namedType(*this, "code", getQ()); }

Type QuantizeOp::getScaleFormat() {
  return namedType(*this, "scale_type", getScale());
}

SmallVector<utils::IteratorType> QuantizeOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel};
}

SmallVector<Access> QuantizeOp::getAccesses() {
  SmallVector<Access> accesses = {
      {&getXMutable(), {{0}, {1}}},
      {&getQMutable(), {{0}, codesAlong(1, getCodeType())}},
      {&getScaleMutable(), scaleDims(0, 1, getGroup())}};
  if (getZero())
    accesses.push_back(
        {&getZeroMutable()[0], zeroDims(0, 1, getGroup(), getCodeType())});
  return accesses;
}

int64_t QuantizeOp::getTileMultiple(unsigned dim) {
  int64_t group = getGroup();
  if (group == groupTensor || (getGlobal() && !getGlobalKnown()))
    return 0;
  if (dim == 0)
    return 1;
  return group == groupChannel
             ? 0
             : startMultiple(group, getCodeType(), bool(getZero()));
}

LogicalResult QuantizeOp::adjustTile(Operation *tile,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult>) {
  adjustPosition(*this, tile, offsets);
  return success();
}

FailureOr<labgen::KernelSpec> QuantizeOp::getRules() {
  FailureOr<labgen::KernelSpec> spec = quantizerSpec(*this, getGroup());
  if (failed(spec))
    return failure();
  spec->inverse = static_cast<labgen::Inverse>(getInverse());
  spec->divisor = static_cast<labgen::Divisor>(getDivisor());
  spec->rule = static_cast<labgen::ScaleRule>(getRule());
  return spec;
}

LogicalResult QuantizeOp::verify() {
  if (failed(checkGroup(*this, getGroup())) ||
      failed(checkFloat(*this, "x", element(getX()))))
    return failure();
  if (failed(checkQuantized(*this, getX(), getQ(), getCodeType(), getScale(),
                            getScaleFormat(), getZero(), getGlobal(),
                            getGroup())))
    return failure();
  if (failed(checkSeed(*this, getRound(), getSeed(), getPosition(), 2)))
    return failure();
  return checkSpec(*this);
}
