// VerifyCodes.cpp - codes with scales and zero points. Each message names the
// constraint, the value given and the nearest legal one.
#include "dialects/Lab/Verify/Verify.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace labgen::lab;

LogicalResult labgen::lab::checkGroup(Operation *op, int64_t group) {
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

LogicalResult labgen::lab::checkScaleType(Operation *op, Type type, Value scale,
                                          Value global) {
  std::optional<labgen::Format> format = formatOf(type);
  bool relative = format && labgen::needsGlobal(*format);
  if (relative != static_cast<bool>(global))
    return op->emitOpError("scales of f8E4M3FN and a global scale go together, "
                           "got scales of ")
           << type << (global ? " with" : " without") << " global";
  if (!format)
    return op->emitOpError("scales have no number format ")
           << type << "; nearest legal: f32";
  Type storage = storageOf(*format, op->getContext());
  if (element(scale) != storage)
    return op->emitOpError("scales of ")
           << type << " must be stored as " << storage << ", got "
           << element(scale);
  if (global && (!element(global).isF32() || dim(global, 0) != 1))
    return op->emitOpError("global must be memref<1xf32>, got ")
           << global.getType();
  return success();
}

LogicalResult labgen::lab::checkScale(Operation *op, Value scale, int64_t group,
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

LogicalResult labgen::lab::checkZero(Operation *op, Type code, Value zero,
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

LogicalResult labgen::lab::checkQuantized(Operation *op, Value matrix,
                                          Value codes, Type code, Value scale,
                                          Type scaleFormat, Value zero,
                                          Value global, int64_t group,
                                          bool pad) {
  int64_t rows = pad ? ShapedType::kDynamic : dim(matrix, 0);
  int64_t k = pad ? ShapedType::kDynamic : dim(matrix, 1);
  if (failed(checkCodes(op, code, codes, rows, k)) ||
      failed(checkScaleType(op, scaleFormat, scale, global)) ||
      failed(checkScale(op, scale, group, rows, k)))
    return failure();
  return checkZero(op, code, zero, group, rows, k);
}
