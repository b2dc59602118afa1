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
/// Types and shapes of a gemm whose B is codes with scales.
mlir::LogicalResult verifyScaledGemm(GemmOp op);

} // namespace labgen::lab

#endif // LABGEN_DIALECTS_LAB_VERIFY_VERIFY_H
