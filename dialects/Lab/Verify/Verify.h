// Verify.h - what the verifiers of the lab ops share.
#ifndef LABGEN_DIALECTS_LAB_VERIFY_VERIFY_H
#define LABGEN_DIALECTS_LAB_VERIFY_VERIFY_H

#include "dialects/Lab/Lab.h"

namespace labgen::lab {

inline mlir::MemRefType type(mlir::Value v) {
  return llvm::cast<mlir::MemRefType>(v.getType());
}
inline int64_t dim(mlir::Value v, unsigned i) { return type(v).getDimSize(i); }
inline mlir::Type element(mlir::Value v) { return type(v).getElementType(); }
/// Whether two sizes are known and not the same.
inline bool differ(int64_t a, int64_t b) {
  return !mlir::ShapedType::isDynamic(a) && !mlir::ShapedType::isDynamic(b) &&
         a != b;
}

/// Whether a type is a number format of at most a byte.
bool isCodeType(mlir::Type t);
/// `what` has `got` along a dimension that must have `want`.
mlir::LogicalResult checkSize(mlir::Operation *op, llvm::StringRef what,
                              int64_t got, int64_t want,
                              const llvm::Twine &because);
mlir::LogicalResult checkFloat(mlir::Operation *op, llvm::StringRef what,
                               mlir::Type t);
/// Codes of `code` type in `codes`, `k` of them along a row.
mlir::LogicalResult checkCodes(mlir::Operation *op, mlir::Type code,
                               mlir::Value codes, int64_t rows, int64_t k);
/// A seed and a position go with stochastic rounding, which needs the first.
mlir::LogicalResult checkSeed(mlir::Operation *op, Rounding round,
                              std::optional<uint64_t> seed,
                              mlir::ValueRange position, size_t rank);
/// x and y lie in memory as their formats do, and hold as many elements along
/// the last dimension, of which there are `count` where both are packed.
mlir::LogicalResult checkElements(mlir::Operation *op, mlir::Value x,
                                  mlir::Type in, mlir::Value y, mlir::Type out,
                                  std::optional<int64_t> count);

llvm::LogicalResult checkGroup(mlir::Operation *op, int64_t group);
/// How scales of a type lie in memory, and whether they have a global one.
llvm::LogicalResult checkScaleType(mlir::Operation *op, mlir::Type type,
                                   mlir::Value scale, mlir::Value global);
/// One scale per group of a [rows, k] matrix.
llvm::LogicalResult checkScale(mlir::Operation *op, mlir::Value scale,
                               int64_t group, int64_t rows, int64_t k);
/// Zero points lie as scales do, packed as the codes whose type they have.
llvm::LogicalResult checkZero(mlir::Operation *op, mlir::Type code,
                              mlir::Value zero, int64_t group, int64_t rows,
                              int64_t k);
/// What quantize, encode and dequantize have in common: codes of a [rows, k]
/// matrix with the scales and zero points of its groups.
/// `pad`: matrix may be larger than the codes fill.
llvm::LogicalResult checkQuantized(mlir::Operation *op, mlir::Value matrix,
                                   mlir::Value codes, mlir::Type code,
                                   mlir::Value scale, mlir::Type scaleFormat,
                                   mlir::Value zero, mlir::Value global,
                                   int64_t group, bool pad = false);

} // namespace labgen::lab

#endif // LABGEN_DIALECTS_LAB_VERIFY_VERIFY_H
