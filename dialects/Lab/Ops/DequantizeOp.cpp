// DequantizeOp.cpp - codes times the scale of their group: its types, its
// tiles, its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type DequantizeOp::getCodeType() { return namedType(*this, "code", getQ()); }

Type DequantizeOp::getScaleFormat() {
  return namedType(*this, "scale_type", getScale());
}

SmallVector<utils::IteratorType> DequantizeOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel};
}

SmallVector<Access> DequantizeOp::getAccesses() {
  bool clamp = getPad();
  SmallVector<Access> accesses = {
      {&getQMutable(), {{0}, codesAlong(1, getCodeType())}, clamp},
      {&getScaleMutable(), scaleDims(0, 1, getGroup()), clamp},
      {&getYMutable(), {{0}, {1}}}};
  if (getZero())
    accesses.push_back({&getZeroMutable()[0],
                        zeroDims(0, 1, getGroup(), getCodeType()), clamp});
  // The side that is whole has the sizes.
  if (clamp)
    std::swap(accesses[0], accesses[2]);
  return accesses;
}

int64_t DequantizeOp::getTileMultiple(unsigned dim) {
  return dim == 0 ? 1
                  : startMultiple(getGroup(), getCodeType(), bool(getZero()));
}

int64_t DequantizeOp::getTileWithin(unsigned dim) {
  return dim == 1 ? partsOf(getGroup(), getCodeType(), bool(getZero())) : 0;
}

FailureOr<labgen::KernelSpec> DequantizeOp::getRules() {
  auto in = formatOf(getCodeType()), out = elementFormat(getY()),
       s = formatOf(getScaleFormat());
  if (!in || !out || !s)
    return failure();
  labgen::KernelSpec spec;
  spec.op = labgen::Op::Dequantize;
  spec.m = sizeOf(getY(), 0), spec.k = sizeOf(getY(), 1);
  spec.in = *in, spec.out = *out, spec.scale = *s;
  if (getZero())
    spec.zero = *in;
  spec.group = labgen::Group::ofNumber(getGroup());
  return spec;
}

LogicalResult DequantizeOp::verify() {
  if (failed(checkGroup(*this, getGroup())) ||
      failed(checkFloat(*this, "y", element(getY()))))
    return failure();
  if (getPad() && !cast<MemRefType>(getY().getType()).hasStaticShape())
    return emitOpError("pad needs a y of static size, got ")
           << getY().getType();
  if (failed(checkQuantized(*this, getY(), getQ(), getCodeType(), getScale(),
                            getScaleFormat(), getZero(), getGlobal(),
                            getGroup(), getPad())))
    return failure();
  return checkSpec(*this);
}
