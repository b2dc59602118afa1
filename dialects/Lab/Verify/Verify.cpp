// Verify.cpp - verifier messages of the ops without codes, and what verifiers
// share. Each names the constraint, the value given and the nearest legal one.
#include "dialects/Lab/Verify/Verify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace labgen::lab;

LogicalResult labgen::lab::checkSize(Operation *op, StringRef what, int64_t got,
                                     int64_t want, const Twine &because) {
  if (!differ(got, want))
    return success();
  return op->emitOpError() << what << " is " << got << ", expected " << want
                           << " (" << because << ")";
}

LogicalResult labgen::lab::checkFloat(Operation *op, StringRef what, Type t) {
  if (t.isF32() || t.isF64() || t.isF16() || t.isBF16())
    return success();
  return op->emitOpError() << what << " must be f64, f32, bf16 or f16, got "
                           << t << "; nearest legal: f32";
}

LogicalResult AxpyOp::verify() {
  Type t = element(getX());
  if (failed(checkFloat(*this, "x", t)))
    return failure();
  if (element(getY()) != t || element(getAlpha()) != t)
    return emitOpError("alpha, x and y must have one element type, got ")
           << element(getAlpha()) << ", " << t << ", " << element(getY());
  return checkSize(*this, "length of y", dim(getY(), 0), dim(getX(), 0),
                   "as long as x");
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
    return success();
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

/// Whether a type is a number format of at most a byte.
static bool isCodeType(Type t) {
  std::optional<labgen::Format> format = formatOf(t);
  return format && labgen::isCode(*format);
}

/// A gemm without scales: both sides floats, both codes of floats, or both
/// integers. A packed or staged copy of one may have been widened already.
static LogicalResult verifyPlainGemm(GemmOp op) {
  Type a = op.getACodeType(), b = op.getCodeType(), c = element(op.getC());
  int64_t k = op.getDepth();
  for (auto [type, value] : {std::pair(a, op.getA()), std::pair(b, op.getB())})
    if (isCodeType(type) &&
        failed(checkCodes(op, type, value, dim(value, 0), k)))
      return failure();
  bool codes = isCodeType(a) && isCodeType(b) &&
               isa<IntegerType>(a) == isa<IntegerType>(b);
  auto widens = [](Type narrow, Type wide) {
    bool small = isa<FloatType>(narrow) && isCodeType(narrow);
    return wide.isF32() && (narrow.isBF16() || narrow.isF16() || small);
  };
  if (a != b && !codes && !widens(a, b) && !widens(b, a))
    return op.emitOpError("a and b must have one element type (one of them may "
                          "be widened to f32) or both be integers or both f8, "
                          "f6 or f4 codes, got ")
           << a << " and " << b;
  if (!isCodeType(b) && failed(checkSize(op, "columns of b", dim(op.getB(), 1),
                                         k, "k, the columns of a")))
    return failure();
  if (!isCodeType(a) && !isa<FloatTF32Type>(a) &&
      failed(checkFloat(op, "a", a)))
    return failure();
  bool integers = isCodeType(a) && isa<IntegerType>(a);
  Type f32 = Float32Type::get(op.getContext());
  Type want = integers    ? Type(IntegerType::get(op.getContext(), 32))
              : a.isF64() ? a
                          : f32;
  if (c != want && !(want == f32 && (c.isBF16() || c.isF16())))
    return op.emitOpError("c must be ")
           << want << " for " << a << " inputs, got " << c;
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(checkSize(*this, "rows of a", dim(getA(), 0), dim(getC(), 0),
                       "m, the rows of c")) ||
      failed(checkSize(*this, "rows of b", dim(getB(), 0), dim(getC(), 1),
                       "n, the columns of c")))
    return failure();
  if (getBScale() && getACodeAttr())
    return emitOpError("a_code goes without b_scale; a of ")
           << getACodeType() << " codes has a_scale, or none";
  if (getBScale())
    return verifyScaledGemm(*this);
  if (getAScale() || getBZero() || getGroup() || getComputeAttr())
    return emitOpError("a_scale, b_zero, group and compute need b_scale");
  return verifyPlainGemm(*this);
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
