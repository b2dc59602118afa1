// DotTile.h - what the float and the integer dot-product bodies share.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_GEMM_DOTTILE_H
#define LABGEN_LIB_TRANSFORMS_BODIES_GEMM_DOTTILE_H

#include "lib/Transforms/Bodies/Subgroup.h"
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/CodeVectors.h"

namespace labgen {

class DotTile {
public:
  DotTile(BodyBuilder &e, lab::GemmOp op)
      : e(e), op(op), rows(dimension(op.getC(), 0)),
        columns(dimension(op.getC(), 1)), k(op.getDepth()),
        group(lab::groupAlong(op.getGroup().value_or(1), k)),
        codes(e, op.getB(), op.getCodeType()),
        aCodes(e, op.getA(), op.getACodeType()), subgroup(e),
        sets(subgroup.size() > 1   ? 1
             : rows * columns == 1 ? 4
             : rows * columns == 2 ? 2
                                   : 1) {}

protected:
  int64_t outputs() const { return rows * columns; }
  /// Starting sums: `sets` times one per output. A tile of one or two outputs
  /// would otherwise wait for each multiply-add to end before the next.
  llvm::SmallVector<mlir::Value> startSums(mlir::VectorType type) {
    return llvm::SmallVector<mlir::Value>(sets * outputs(), e.zeros(type));
  }
  /// The sums that step `i` adds to.
  llvm::MutableArrayRef<mlir::Value>
  setOf(llvm::SmallVectorImpl<mlir::Value> &sums, int64_t i) {
    return llvm::MutableArrayRef<mlir::Value>(sums).slice(i % sets * outputs(),
                                                          outputs());
  }
  /// What pieces of a row must not cut, on either side.
  int64_t granule() const {
    return std::max(codes.granule(), aCodes.granule());
  }
  /// B's codes [at, at + n) of a row, at any column where groups are odd.
  mlir::Value loadCodes(mlir::Value row, mlir::Value at, int64_t n) {
    return codes.sharesBytes(group) && group < k
               ? codes.loadUnaligned(row, at, n)
               : codes.load(row, at, n);
  }
  /// Elements without scales, in the accumulator's type.
  mlir::Value loadPlain(CodeVectors &codes, mlir::Value matrix, mlir::Type type,
                        mlir::Value row, mlir::Value at, int64_t n);
  /// n neighbouring scales of a row, in f32.
  mlir::Value loadScale(mlir::Value scale, int64_t row, mlir::Value groupIndex,
                        int64_t n) {
    mlir::Value raw = e.load(scale, n, {scaleRow(row), groupIndex});
    if (scale != op.getBScale())
      return raw; // of quantized activations: f32
    mlir::Value s =
        FormatVectors(e, *lab::formatOf(op.getScaleFormat())).toFloat(raw);
    if (!op.getBGlobal())
      return s;
    mlir::Value global = e.load(op.getBGlobal(), 1, e.index(0));
    return e.make<mlir::arith::MulFOp>(s, e.broadcast(global, n));
  }
  /// n neighbouring zero points of a row of B, as i8.
  mlir::Value loadZeros(int64_t row, mlir::Value groupIndex, int64_t n) {
    return CodeVectors(e, op.getBZero(), op.getCodeType())
        .loadUnaligned(scaleRow(row), groupIndex, n);
  }
  mlir::Value scaleRow(int64_t row) {
    return e.index(*op.getGroup() == lab::groupTensor ? 0 : row);
  }
  /// Adds the sets up, folds the lanes of every sum and writes (or adds) it to
  /// c.
  void storeSums(llvm::ArrayRef<mlir::Value> sums);

  BodyBuilder &e;
  lab::GemmOp op;
  int64_t rows, columns, k, group;
  CodeVectors codes, aCodes;
  Subgroup subgroup;
  int64_t sets;
};

/// A and B are i8 (or packed) codes, with or without scales.
mlir::LogicalResult lowerIntegerDot(BodyBuilder &e, lab::GemmOp op);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_GEMM_DOTTILE_H
