// Buffers.h - local copies of a tile's operands (packing and staging).
#ifndef LABGEN_LIB_TRANSFORMS_TILES_BUFFERS_H
#define LABGEN_LIB_TRANSFORMS_TILES_BUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace labgen {

/// The op that fills the buffer, and the op that now reads it.
struct CopiedOperand {
  mlir::Operation *copy;
  mlir::Operation *tile;
};

/// One buffer per (level, operand) of a lab op, at function level, shared by
/// all parts of its domain and as large as the largest needs.
class TileBuffers {
public:
  /// `areShared`: buffers are shared by the threads of a block.
  TileBuffers(mlir::IRRewriter &rewriter, mlir::func::FuncOp func,
              bool areShared)
      : rewriter(rewriter), func(func), areShared(areShared) {}

  /// Copies operand `operand` of the gemm `op` into the buffer of `level`;
  /// transposed, its first dimension gets unit stride. Narrow floats are
  /// widened to f32. Codes with scales are dequantized, which turns a scaled
  /// gemm into a plain one. `padded`: the size of the copy where the operand
  /// may be smaller, filled with zeros; empty for the operand's own. `gap`:
  /// elements between the runs of unit stride.
  mlir::FailureOr<CopiedOperand>
  copyOperand(mlir::Operation *op, int64_t operand, bool transpose,
              size_t level, llvm::ArrayRef<int64_t> padded, int64_t gap);
  /// A matrix of each thread's own, at function level.
  mlir::Value ownTile(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                      mlir::Type element);
  mlir::func::FuncOp function() { return func; }

private:
  /// A [rows, cols] view of the buffer.
  mlir::Value view(mlir::Location loc, size_t level, int64_t operand,
                   mlir::MemRefType shape, bool transpose, int64_t gap);

  mlir::IRRewriter &rewriter;
  mlir::func::FuncOp func;
  bool areShared;
  std::map<std::pair<size_t, int64_t>, mlir::memref::AllocaOp> buffers;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_TILES_BUFFERS_H
