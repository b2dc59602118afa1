// CopyOp.cpp - a matrix copied, its elements converted: its types, its tiles,
// its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Verify/Verify.h"

using namespace mlir;
using namespace labgen::lab;

Type CopyOp::getCodeType() { return namedType(*this, "code", getSrc()); }

OpOperand &CopyOp::getWholeSide() {
  bool dst = cast<MemRefType>(getDst().getType()).hasStaticShape();
  return dst ? getDstMutable() : getSrcMutable();
}

SmallVector<utils::IteratorType> CopyOp::getIterators() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel};
}

SmallVector<Access> CopyOp::getAccesses() {
  if (getPad()) {
    OpOperand &whole = getWholeSide();
    OpOperand &other =
        whole.getOperandNumber() == 0 ? getDstMutable() : getSrcMutable();
    return {{&whole, {{0}, {1}}}, {&other, {{0}, {1}}, /*clamp=*/true}};
  }
  return {{&getSrcMutable(), {{0}, codesAlong(1, getCodeType())}},
          {&getDstMutable(), {{0}, {1}}}};
}

int64_t CopyOp::getTileMultiple(unsigned dim) {
  return dim == 0 ? 1 : codesAlong(1, getCodeType()).div;
}

LogicalResult CopyOp::verify() {
  if (getPad()) {
    if (getCodeAttr())
      return emitOpError("pad does not go with code; copy the codes as values "
                         "first");
    if (!cast<MemRefType>(getWholeSide().get().getType()).hasStaticShape())
      return emitOpError("pad needs one side of static size, got ")
             << getSrc().getType() << " and " << getDst().getType();
  }
  if (getCodeAttr()) {
    if (!isCodeType(getCodeType()) || isa<IntegerType>(getCodeType()))
      return emitOpError("code must be an f8, f6 or f4 format, got ")
             << getCodeType();
    if (!element(getDst()).isF32())
      return emitOpError("dst of codes must be f32, got ") << element(getDst());
    return checkCodes(*this, getCodeType(), getSrc(), dim(getDst(), 0),
                      dim(getDst(), 1));
  }
  if (!getPad() && (failed(checkSize(*this, "rows of dst", dim(getDst(), 0),
                                     dim(getSrc(), 0), "as many as src")) ||
                    failed(checkSize(*this, "columns of dst", dim(getDst(), 1),
                                     dim(getSrc(), 1), "as many as src"))))
    return failure();
  Type src = element(getSrc()), dst = element(getDst());
  bool widens = dst.isF32() && (src.isF16() || src.isBF16());
  if (src != dst && !widens)
    return emitOpError("dst must be ")
           << src << " or a wider float, got " << dst;
  return success();
}
