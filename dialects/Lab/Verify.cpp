// Verify.cpp - every verifier message of the dialect. Each names the
// constraint, the value given and the nearest legal one.
#include "dialects/Lab/Lab.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace labgen::lab;

static MemRefType type(Value v) { return cast<MemRefType>(v.getType()); }
static int64_t dim(Value v, unsigned i) { return type(v).getDimSize(i); }
static Type element(Value v) { return type(v).getElementType(); }
static bool differ(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

/// `what` has `got` along a dimension that must have `want`.
static LogicalResult checkSize(Operation *op, StringRef what, int64_t got,
                               int64_t want, const Twine &because) {
  if (!differ(got, want))
    return success();
  return op->emitOpError() << what << " is " << got << ", expected " << want
                           << " (" << because << ")";
}

static LogicalResult checkFloat(Operation *op, StringRef what, Type t) {
  if (t.isF32() || t.isF64() || t.isF16() || t.isBF16())
    return success();
  return op->emitOpError() << what << " must be f64, f32, bf16 or f16, got "
                           << t << "; nearest legal: f32";
}

static LogicalResult checkGroup(Operation *op, int64_t group) {
  if (group >= groupChannel)
    return success();
  return op->emitOpError("group must be at least 1, got ")
         << group << "; nearest legal: 1 (or channel, tensor)";
}

/// Codes of `code` type in `codes`, `k` of them along a row.
static LogicalResult checkCodes(Operation *op, Type code, Value codes,
                                int64_t rows, int64_t k) {
  std::optional<labgen::Format> format = formatOf(code);
  bool plain = code.isSignlessInteger(8) || code.isSignlessInteger(4);
  bool small = format && labgen::isFloat(*format) && codeBits(code) <= 8;
  if (!plain && !small)
    return op->emitOpError(
               "codes must be i8, i4 or an f8, f6 or f4 format, got ")
           << code << "; nearest legal: i8";
  if (!element(codes).isSignlessInteger(8))
    return op->emitOpError("codes must be stored as i8 bytes, got ")
           << element(codes) << "; use i8 and name the type as code = " << code;
  if (failed(checkSize(op, "rows of codes", dim(codes, 0), rows,
                       "one row per row of the matrix")))
    return failure();
  if (ShapedType::isDynamic(k))
    return success();
  int64_t bytes = llvm::divideCeil(k * codeBits(code), 8);
  return checkSize(op, "bytes in a row of codes", dim(codes, 1), bytes,
                   Twine(k) + " codes of " + Twine(codeBits(code)) +
                       " bits, each row starting on a byte");
}

/// The type of the scales, and how they lie in memory.
static LogicalResult checkScaleType(Operation *op, Type code, Type format,
                                    Value scale, Value global) {
  bool relative = formatOf(format) == labgen::Format::F8E4M3FN;
  if (relative != static_cast<bool>(global))
    return op->emitOpError("scales of f8E4M3FN and a global scale go together, "
                           "got scales of ")
           << format << (global ? " with" : " without") << " global";
  if (relative) {
    auto codes = formatOf(code);
    if (codes != labgen::Format::F4E2M1FN && codes != labgen::Format::F8E4M3FN)
      return op->emitOpError("f8E4M3FN scales go with f4E2M1FN and f8E4M3FN "
                             "codes, got ")
             << code << "; nearest legal: scales of f32";
    if (!element(scale).isSignlessInteger(8))
      return op->emitOpError("f8E4M3FN scales must be stored as i8 bytes, "
                             "got ")
             << element(scale);
    if (!element(global).isF32() || dim(global, 0) != 1)
      return op->emitOpError("global must be memref<1xf32>, got ")
             << global.getType();
    return success();
  }
  if (formatOf(format) == labgen::Format::F8E8M0FNU) {
    if (isa<IntegerType>(code))
      return op->emitOpError("f8E8M0FNU scales go with f8, f6 and f4 codes, "
                             "got ")
             << code << "; nearest legal: scales of f32";
    if (!element(scale).isSignlessInteger(8))
      return op->emitOpError("f8E8M0FNU scales must be stored as i8 bytes, "
                             "got ")
             << element(scale);
    return success();
  }
  if (!format.isF32() && !format.isF16() && !format.isBF16())
    return op->emitOpError(
               "scale must be f32, f16, bf16, f8E8M0FNU or f8E4M3FN, got ")
           << format << "; nearest legal: f32";
  if (format != element(scale))
    return op->emitOpError("scales of ")
           << format << " must be stored as such, got " << element(scale);
  return success();
}

/// One scale per group of a [rows, k] matrix.
static LogicalResult checkScale(Operation *op, Value scale, int64_t group,
                                int64_t rows, int64_t k) {
  int64_t wantRows = group == groupTensor ? 1 : rows;
  if (failed(checkSize(op, "rows of scales", dim(scale, 0), wantRows,
                       group == groupTensor ? "group = tensor has one scale"
                                            : "one row of scales per row")))
    return failure();
  if (group <= 0)
    return checkSize(op, "columns of scales", dim(scale, 1), 1,
                     group == groupTensor ? "group = tensor has one scale"
                                          : "group = channel has one a row");
  if (ShapedType::isDynamic(k))
    return success();
  return checkSize(op, "columns of scales", dim(scale, 1),
                   llvm::divideCeil(k, group),
                   "ceil(" + Twine(k) + " / " + Twine(group) + ")");
}

LogicalResult QuantizeOp::verify() {
  int64_t rows = dim(getX(), 0), k = dim(getX(), 1), group = getGroup();
  if (failed(checkGroup(*this, group)) ||
      failed(checkFloat(*this, "x", element(getX()))) ||
      failed(checkCodes(*this, getCodeType(), getQ(), rows, k)) ||
      failed(checkScaleType(*this, getCodeType(), getScaleFormat(), getScale(),
                            getGlobal())))
    return failure();
  return checkScale(*this, getScale(), group, rows, k);
}

LogicalResult EncodeOp::verify() {
  int64_t rows = dim(getX(), 0), k = dim(getX(), 1);
  if (failed(checkFloat(*this, "x", element(getX()))) ||
      failed(checkCodes(*this, getCodeType(), getQ(), rows, k)) ||
      failed(checkScaleType(*this, getCodeType(), getScaleFormat(), getScale(),
                            Value())))
    return failure();
  return checkScale(*this, getScale(), groupTensor, rows, k);
}

LogicalResult DequantizeOp::verify() {
  int64_t rows = dim(getY(), 0), k = dim(getY(), 1), group = getGroup();
  if (failed(checkGroup(*this, group)) ||
      failed(checkFloat(*this, "y", element(getY()))) ||
      failed(checkCodes(*this, getCodeType(), getQ(), rows, k)) ||
      failed(checkScaleType(*this, getCodeType(), getScaleFormat(), getScale(),
                            getGlobal())))
    return failure();
  return checkScale(*this, getScale(), group, rows, k);
}

/// x and y of a one-dimensional op lie in memory as their formats do, and hold
/// as many elements.
static LogicalResult checkElements(Operation *op, Value x, Type in, Value y,
                                   Type out) {
  for (auto [what, value, type] :
       {std::tuple("x", x, in), std::tuple("y", y, out)}) {
    std::optional<labgen::Format> format = formatOf(type);
    if (!format || *format == labgen::Format::I32)
      return op->emitOpError(what)
             << " has no number format " << type << "; nearest legal: f32";
    Type storage = storageOf(*format, op->getContext());
    if (element(value) != storage)
      return op->emitOpError(what)
             << " of format " << type << " must be stored as " << storage
             << ", got " << element(value);
  }
  int64_t xSize = dim(x, 0), ySize = dim(y, 0);
  unsigned xBits = codeBits(in), yBits = codeBits(out);
  bool xPacked = xBits % 8, yPacked = yBits % 8;
  if (ShapedType::isDynamic(xSize) || ShapedType::isDynamic(ySize)) {
    if (xPacked && yPacked)
      return op->emitOpError(
          "needs static sizes where x and y are both packed");
    return success();
  }
  int64_t n = !xPacked   ? xSize
              : !yPacked ? ySize
                         : std::min(xSize * 8 / xBits, ySize * 8 / yBits);
  if (failed(
          checkSize(op, "length of x", xSize,
                    llvm::divideCeil(n * xBits, 8 * (xPacked ? 1 : xBits / 8)),
                    Twine(n) + " elements of " + Twine(xBits) + " bits")))
    return failure();
  return checkSize(op, "length of y", ySize,
                   llvm::divideCeil(n * yBits, 8 * (yPacked ? 1 : yBits / 8)),
                   Twine(n) + " elements of " + Twine(yBits) + " bits");
}

LogicalResult CastOp::verify() {
  if (failed(checkElements(*this, getX(), getInType(), getY(), getOutType())))
    return failure();
  const labgen::FormatInfo &out = labgen::info(*formatOf(getOutType()));
  if (getOverflow() == Overflow::Ieee && !out.hasInf && !out.hasNaN)
    return emitOpError("overflow = ieee needs a format with Inf or NaN, got ")
           << getOutType() << "; nearest legal: saturate";
  if (getNan() == NanRule::Propagate && !out.hasNaN)
    return emitOpError("nan = propagate needs a format with NaN, got ")
           << getOutType() << "; nearest legal: max";
  return success();
}

LogicalResult ExpOp::verify() {
  if (failed(checkElements(*this, getX(), getInType(), getY(), getOutType())))
    return failure();
  if (getInType().isF64() || getOutType().isF64())
    return emitOpError("computes in f32, so f64 is no format of it; nearest "
                       "legal: f32");
  return success();
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
  if (acc != want)
    return emitOpError("r must have the accumulator's type ")
           << want << ", got " << acc;
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

/// Types and shapes of a gemm whose B is codes with scales.
static LogicalResult verifyScaledGemm(GemmOp op) {
  if (!op.getGroup())
    return op.emitOpError("b_scale needs a group");
  int64_t group = *op.getGroup(), n = dim(op.getC(), 1), m = dim(op.getC(), 0),
          k = dim(op.getA(), 1);
  if (failed(checkGroup(op, group)) ||
      failed(checkCodes(op, op.getCodeType(), op.getB(), n, k)) ||
      failed(checkScaleType(op, op.getCodeType(), op.getScaleFormat(),
                            op.getBScale(), op.getBGlobal())) ||
      failed(checkScale(op, op.getBScale(), group, n, k)))
    return failure();
  if (op.getComputeAttr() && !op.getCompute()->isF32() &&
      !op.getCompute()->isSignlessInteger(8))
    return op.emitOpError("compute must be f32 or i8, got ")
           << *op.getCompute();
  if (!element(op.getC()).isF32())
    return op.emitOpError("c must be f32 with scaled weights, got ")
           << element(op.getC());
  if ((op.getAScale() || op.quantizesA()) &&
      !isa<IntegerType>(op.getCodeType()))
    return op.emitOpError("compute = i8 needs integer codes, got ")
           << op.getCodeType() << "; nearest legal: compute = f32";
  if (!op.getAScale())
    return checkFloat(op, "a", element(op.getA()));
  if (!element(op.getA()).isSignlessInteger(8))
    return op.emitOpError("a must be i8 codes where it has a_scale, got ")
           << element(op.getA());
  return checkScale(op, op.getAScale(), group, m, k);
}

LogicalResult GemmOp::verify() {
  Type a = element(getA()), b = element(getB()), c = element(getC());
  if (failed(checkSize(*this, "rows of a", dim(getA(), 0), dim(getC(), 0),
                       "m, the rows of c")) ||
      failed(checkSize(*this, "rows of b", dim(getB(), 0), dim(getC(), 1),
                       "n, the columns of c")))
    return failure();
  if (getBScale())
    return verifyScaledGemm(*this);
  if (getAScale() || getGroup() || getCode() || getComputeAttr())
    return emitOpError("a_scale, group, code and compute need b_scale");
  if (failed(checkSize(*this, "columns of b", dim(getB(), 1), dim(getA(), 1),
                       "k, the columns of a")))
    return failure();
  // A packed or staged copy of one of them may have been widened already.
  auto widens = [](Type narrow, Type wide) {
    return wide.isF32() && (narrow.isBF16() || narrow.isF16());
  };
  if (a != b && !widens(a, b) && !widens(b, a))
    return emitOpError("a and b must have one element type (one of them may be "
                       "widened to f32), got ")
           << a << " and " << b;
  if (!a.isSignlessInteger(8) && failed(checkFloat(*this, "a", a)))
    return failure();
  Type want = a.isSignlessInteger(8) ? Type(IntegerType::get(getContext(), 32))
              : a.isF64()            ? a
                                     : Float32Type::get(getContext());
  if (c != want)
    return emitOpError("c must be ")
           << want << " for " << a << " inputs, got " << c;
  return success();
}

LogicalResult CopyOp::verify() {
  if (failed(checkSize(*this, "rows of dst", dim(getDst(), 0), dim(getSrc(), 0),
                       "as many as src")) ||
      failed(checkSize(*this, "columns of dst", dim(getDst(), 1),
                       dim(getSrc(), 1), "as many as src")))
    return failure();
  Type src = element(getSrc()), dst = element(getDst());
  bool widens = dst.isF32() && (src.isF16() || src.isBF16());
  if (src != dst && !widens)
    return emitOpError("dst must be ")
           << src << " or a wider float, got " << dst;
  return success();
}
