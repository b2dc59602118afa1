// VerifyCodes.cpp - verifiers of the ops on codes with scales and zero points.
// Each message names the constraint, the value given and the nearest legal one.
#include "dialects/Lab/Verify/Verify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace labgen::lab;

static LogicalResult checkGroup(Operation *op, int64_t group) {
  if (group >= groupChannel)
    return success();
  return op->emitOpError("group must be at least 1, got ")
         << group << "; nearest legal: 1 (or channel, tensor)";
}

LogicalResult labgen::lab::checkCodes(Operation *op, Type code, Value codes,
                                      int64_t rows, int64_t k) {
  std::optional<labgen::Format> format = formatOf(code);
  if (!format || !labgen::isCode(*format))
    return op->emitOpError("codes must be i8, i4, ui8, ui4 or an f8, f6 or f4 "
                           "format, got ")
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

/// Zero points lie as scales do, packed as the codes whose type they have.
static LogicalResult checkZero(Operation *op, Type code, Value zero,
                               int64_t group, int64_t rows, int64_t k) {
  if (!zero) {
    if (code.isUnsignedInteger())
      return op->emitOpError("codes of ")
             << code << " need zero points; nearest legal: i" << codeBits(code);
    return success();
  }
  if (!isa<IntegerType>(code))
    return op->emitOpError("zero points go with integer codes, got ")
           << code << "; nearest legal: i8";
  if (!element(zero).isSignlessInteger(8))
    return op->emitOpError("zero points must be stored as i8 bytes, got ")
           << element(zero);
  int64_t wantRows = group == groupTensor ? 1 : rows;
  if (failed(checkSize(op, "rows of zero points", dim(zero, 0), wantRows,
                       group == groupTensor ? "group = tensor has one"
                                            : "one row per row")))
    return failure();
  if (group > 0 && ShapedType::isDynamic(k))
    return success();
  int64_t groups = group > 0 ? llvm::divideCeil(k, group) : 1;
  return checkSize(op, "bytes in a row of zero points", dim(zero, 1),
                   llvm::divideCeil(groups * codeBits(code), 8),
                   Twine(groups) + " of " + Twine(codeBits(code)) +
                       " bits, each row starting on a byte");
}

/// What quantize, encode and dequantize have in common: codes of a [rows, k]
/// matrix with the scales and zero points of its groups.
/// `pad`: matrix may be larger than the codes fill.
static LogicalResult checkQuantized(Operation *op, Value matrix, Value codes,
                                    Type code, Value scale, Type scaleFormat,
                                    Value zero, Value global, int64_t group,
                                    bool pad = false) {
  int64_t rows = pad ? ShapedType::kDynamic : dim(matrix, 0);
  int64_t k = pad ? ShapedType::kDynamic : dim(matrix, 1);
  if (failed(checkCodes(op, code, codes, rows, k)) ||
      failed(checkScaleType(op, code, scaleFormat, scale, global)) ||
      failed(checkScale(op, scale, group, rows, k)))
    return failure();
  return checkZero(op, code, zero, group, rows, k);
}

/// What only a symmetric quantizer may choose.
static LogicalResult checkRange(Operation *op, IntRange range, Type code,
                                Value zero) {
  if (range == IntRange::Narrow || (!zero && isa<IntegerType>(code)))
    return success();
  return op->emitOpError("range = full goes with symmetric i8 and i4 codes "
                         "only, got ")
         << code << (zero ? " with zero points" : "")
         << "; nearest legal: narrow";
}

LogicalResult QuantizeOp::verify() {
  if (failed(checkGroup(*this, getGroup())) ||
      failed(checkFloat(*this, "x", element(getX()))))
    return failure();
  if (failed(checkQuantized(*this, getX(), getQ(), getCodeType(), getScale(),
                            getScaleFormat(), getZero(), getGlobal(),
                            getGroup())))
    return failure();
  if (failed(checkRange(*this, getRange(), getCodeType(), getZero())))
    return failure();
  return checkSeed(*this, getRound(), getSeed(), getPosition(), 2);
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
  if (failed(checkRange(*this, getRange(), getCodeType(), getZero())))
    return failure();
  return checkSeed(*this, getRound(), getSeed(), getPosition(), 2);
}

LogicalResult DequantizeOp::verify() {
  if (failed(checkGroup(*this, getGroup())) ||
      failed(checkFloat(*this, "y", element(getY()))))
    return failure();
  if (getPad() && !cast<MemRefType>(getY().getType()).hasStaticShape())
    return emitOpError("pad needs a y of static size, got ")
           << getY().getType();
  return checkQuantized(*this, getY(), getQ(), getCodeType(), getScale(),
                        getScaleFormat(), getZero(), getGlobal(), getGroup(),
                        getPad());
}

LogicalResult labgen::lab::verifyScaledGemm(GemmOp op) {
  if (!op.getGroup())
    return op.emitOpError("b_scale needs a group");
  int64_t group = *op.getGroup(), n = dim(op.getC(), 1), m = dim(op.getC(), 0),
          k = dim(op.getA(), 1);
  if (failed(checkGroup(op, group)) ||
      failed(checkCodes(op, op.getCodeType(), op.getB(), n, k)) ||
      failed(checkScaleType(op, op.getCodeType(), op.getScaleFormat(),
                            op.getBScale(), op.getBGlobal())) ||
      failed(checkScale(op, op.getBScale(), group, n, k)) ||
      failed(checkZero(op, op.getCodeType(), op.getBZero(), group, n, k)))
    return failure();
  if (op.getComputeAttr() && !op.getCompute()->isF32() &&
      !op.getCompute()->isSignlessInteger(8))
    return op.emitOpError("compute must be f32 or i8, got ")
           << *op.getCompute();
  Type c = element(op.getC());
  if (!c.isF32() && !c.isBF16() && !c.isF16())
    return op.emitOpError(
               "c must be f32, bf16 or f16 with scaled weights, got ")
           << c;
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
