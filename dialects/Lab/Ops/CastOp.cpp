// CastOp.cpp - every element in another number format: its types, its tiles,
// its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"
#include "lib/Spec/Convert.h"

using namespace mlir;
using namespace labgen::lab;

Type CastOp::getInType() { return namedType(*this, "in", getX()); }

Type CastOp::getOutType() { return namedType(*this, "out", getY()); }

SmallVector<utils::IteratorType> CastOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel};
}

SmallVector<Access> CastOp::getAccesses() { return elementAccesses(*this); }

int64_t CastOp::getTileMultiple(unsigned) { return elementMultiple(*this); }

LogicalResult CastOp::adjustTile(Operation *tile,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  adjustPosition(*this, tile, offsets);
  return adjustCount(*this, tile, sizes.front());
}

FailureOr<labgen::KernelSpec> CastOp::getRules() {
  FailureOr<labgen::KernelSpec> spec = elementSpec(*this, labgen::Op::Cast);
  if (failed(spec))
    return failure();
  spec->round = static_cast<labgen::Rounding>(getRound());
  spec->seed = getSeed().value_or(0);
  spec->overflow = getOverflow() ? static_cast<labgen::Overflow>(*getOverflow())
                                 : labgen::defaultOverflow(spec->out);
  spec->nan = getNan() ? static_cast<labgen::NanRule>(*getNan())
                       : labgen::defaultNanRule(spec->out);
  return spec;
}

LogicalResult CastOp::verify() {
  if (failed(checkElements(*this, getX(), getInType(), getY(), getOutType(),
                           getCount())))
    return failure();
  if (failed(checkSeed(*this, getRound(), getSeed(), getPosition(), 1)))
    return failure();
  return checkSpec(*this);
}
