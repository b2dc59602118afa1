// ReduceOp.cpp - one value of a vector, or one of each span: its types, its
// tiles, its spec and its verifier.
#include "dialects/Lab/Rules/Accesses.h"
#include "dialects/Lab/Rules/Specs.h"
#include "dialects/Lab/Verify/Verify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace labgen::lab;

int64_t ReduceOp::getElementsPerResult() {
  if (!isPartial())
    return cast<MemRefType>(getX().getType()).getDimSize(0);
  return getSpan().value_or(getBlock());
}

SmallVector<utils::IteratorType> ReduceOp::getIterators() {
  using utils::IteratorType;
  return {isPartial() ? IteratorType::parallel : IteratorType::reduction};
}

SmallVector<Access> ReduceOp::getAccesses() {
  SmallVector<Access> accesses = {{&getXMutable(), {{0}}}};
  if (getY())
    accesses.push_back({&getYMutable()[0], {{0}}});
  if (isPartial())
    accesses.push_back({&getRMutable(), {{0, 1, getElementsPerResult()}}});
  return accesses;
}

int64_t ReduceOp::getTileMultiple(unsigned) {
  return isPartial() ? getElementsPerResult() : 0;
}

FailureOr<labgen::KernelSpec> ReduceOp::getRules() {
  auto type = elementFormat(getX());
  // Specs know no kinds that only decompositions need.
  bool known = getKind() <= ReduceKind::SumSq;
  if (!type || isPartial() || !known)
    return failure();
  labgen::KernelSpec spec;
  spec.op = labgen::Op::Reduce;
  spec.n = sizeOf(getX(), 0);
  spec.type = *type;
  spec.acc = elementFormat(getR()).value_or(labgen::defaultAccumulator(*type));
  spec.kind = static_cast<labgen::ReduceKind>(getKind());
  spec.order = static_cast<labgen::SumOrder>(getOrder());
  // Elsewhere it only says how the work is dealt.
  if (isSum(getKind()) && getOrder() != SumOrder::Sequential)
    spec.block = getBlock();
  return spec;
}

LogicalResult ReduceOp::verify() {
  Type t = element(getX()), acc = element(getR());
  if (failed(checkFloat(*this, "x", t)))
    return failure();
  bool isDot = getKind() == ReduceKind::Dot;
  if (isDot != static_cast<bool>(getY()))
    return emitOpError() << stringifyReduceKind(getKind())
                         << (isDot ? " needs a second vector y"
                                   : " takes one vector; only dot takes y");
  if (getY()) {
    if (element(getY()) != t)
      return emitOpError("x and y must have one element type, got ")
             << t << " and " << element(getY());
    if (failed(checkSize(*this, "length of y", dim(getY(), 0), dim(getX(), 0),
                         "as long as x")))
      return failure();
  }
  Type want = t.isF64() ? t : Float32Type::get(getContext());
  if (acc != want && !(t.isF16() && acc == t))
    return emitOpError("r must have the accumulator's type ")
           << want << (t.isF16() ? " or 'f16'" : "") << ", got " << acc;
  int64_t block = getBlock();
  if (block < 1)
    return emitOpError("block must be at least 1, got ")
           << block << "; nearest legal: 1";
  if (!isPartial()) {
    if (getSpan())
      return emitOpError("span needs a rank-1 r, one element per span");
    return checkSpec(*this);
  }
  int64_t span = getElementsPerResult();
  if (span < 1 || span % block)
    return emitOpError("span must be a positive multiple of block ")
           << block << ", got " << span
           << "; nearest legal: " << std::max(block, span / block * block);
  if (ShapedType::isDynamic(dim(getX(), 0)))
    return success();
  return checkSize(*this, "length of r", dim(getR(), 0),
                   llvm::divideCeil(dim(getX(), 0), span),
                   "ceil(" + Twine(dim(getX(), 0)) + " / " + Twine(span) + ")");
}
