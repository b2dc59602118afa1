// UnrolledSize.h - how much code the bodies of a lab are, and how much they may
// be: what is unrolled grows with the tiles, and LLVM needs minutes for what is
// written in a second.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_UNROLLEDSIZE_H
#define LABGEN_LIB_TRANSFORMS_BODIES_UNROLLEDSIZE_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// Parts of a tile that have code of their own: sums of a gemm, elements of a
/// copy that is padded. Chosen are some hundred; LLVM takes seconds for a
/// thousand and minutes for four.
constexpr int64_t maxUnrolledParts = 1024;
/// Operations of all bodies of a function together, constants left out; several
/// times what chosen schedules have.
constexpr int64_t maxOperations = 100'000;

/// An error where a gemm's tile of C has more than maxUnrolledParts sums,
/// `lanes` of them in a vector.
llvm::LogicalResult checkUnrolledSums(lab::GemmOp op, int64_t lanes);
/// An error where `tile`, which a padded copy fills, has more elements.
llvm::LogicalResult checkUnrolledElements(mlir::Operation *op,
                                          mlir::Value tile);

/// Counts what bodies put where their ops stood.
class OperationCount {
public:
  explicit OperationCount(mlir::MLIRContext *context)
      : loc(mlir::UnknownLoc::get(context)) {}
  /// Call it before `op` is lowered, and done() after.
  void start(mlir::Operation *op);
  /// An error when there are more than maxOperations now.
  llvm::LogicalResult done();

private:
  int64_t count = 0;
  mlir::Block *block = nullptr;
  mlir::Operation *before = nullptr, *after = nullptr;
  std::string name;
  mlir::Location loc;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_UNROLLEDSIZE_H
