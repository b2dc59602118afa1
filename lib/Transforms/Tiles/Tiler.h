// Tiler.h - tiles one lab op by its schedule, level by level.
#ifndef LABGEN_LIB_TRANSFORMS_TILES_TILER_H
#define LABGEN_LIB_TRANSFORMS_TILES_TILER_H

#include "dialects/Lab/Lab.h"
#include "lib/Transforms/Tiles/Buffers.h"
#include "lib/Transforms/Tiles/Segments.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace labgen {

/// Whether a schedule is one for the threads of a GPU.
bool hasThreads(lab::ScheduleAttr schedule);

class Tiler {
public:
  Tiler(mlir::IRRewriter &rewriter, mlir::func::FuncOp func,
        lab::ScheduleAttr schedule, int64_t phase)
      : rewriter(rewriter),
        buffers(rewriter, func, labgen::hasThreads(schedule)),
        schedule(schedule), phase(phase) {}

  /// Tiles `op` by the levels from `at` on; erases it unless no level is left.
  mlir::LogicalResult run(mlir::Operation *op,
                          llvm::ArrayRef<lab::LevelAttr> levels, size_t at);

private:
  mlir::LogicalResult
  splitLevel(mlir::Operation *op, llvm::ArrayRef<lab::LevelAttr> levels,
             size_t at,
             llvm::SmallVectorImpl<llvm::SmallVector<Segment>> &segments);
  mlir::LogicalResult tileSegment(mlir::Operation *op, lab::LevelAttr level,
                                  llvm::ArrayRef<Segment> segments,
                                  llvm::ArrayRef<lab::LevelAttr> levels,
                                  size_t at);
  /// Loops over `segments` around the insertion point; offsets of one tile.
  llvm::SmallVector<mlir::OpFoldResult>
  makeLoops(mlir::Location loc, lab::LevelAttr level,
            llvm::ArrayRef<Segment> segments);
  /// Copies what the level packs and stages; the op that reads the copies.
  mlir::FailureOr<mlir::Operation *>
  copyOperands(mlir::Operation *op, llvm::ArrayRef<lab::LevelAttr> levels,
               size_t at);
  /// An error where a copy has no static size or is larger than local memory.
  mlir::LogicalResult checkCopy(lab::LabAccess op,
                                llvm::ArrayRef<lab::LevelAttr> levels,
                                size_t at, int64_t operand);
  mlir::LogicalResult copyOperand(mlir::Operation *&op, lab::LevelAttr level,
                                  size_t at, int64_t operand, bool transpose);
  /// A level that accumulates its result in the threads' own memory.
  mlir::LogicalResult runAccumulated(mlir::Operation *op,
                                     llvm::ArrayRef<lab::LevelAttr> levels,
                                     size_t at);
  /// Where the operand's tile is padded: its size with the padding.
  llvm::SmallVector<int64_t> paddedShape(lab::LabAccess op,
                                         int64_t operand) const;

  /// Elements left free between the columns of a transposed copy in shared
  /// memory: one vector of a thread, so that vectors stay aligned and the
  /// columns that neighbouring threads write start at different banks.
  int64_t bankGap(lab::LabAccess op, int64_t operand) const;

  /// A forall over `segments`' tiles, mapped to blocks or threads.
  mlir::scf::ForallOp makeForall(mlir::Location loc, lab::LevelAttr level,
                                 llvm::SmallVector<mlir::OpFoldResult> lower,
                                 llvm::SmallVector<mlir::OpFoldResult> upper,
                                 llvm::SmallVector<mlir::OpFoldResult> step);
  /// Lanes that share a tile of the warp level, where there is one.
  std::optional<int64_t> lanesOfTile() const;

  mlir::IRRewriter &rewriter;
  TileBuffers buffers;
  lab::ScheduleAttr schedule;
  int64_t phase;
  llvm::SmallVector<int64_t> tileSizes; ///< of the levels so far, per dimension
  bool padded = false;                  ///< a level so far pads
  mlir::Value registers;                ///< where a gemm's result is summed up
  /// Of one copy: half of the stack that threads of a CPU have by default.
  static constexpr int64_t maxCopyBytes = 4 << 20;
  /// Ragged sizes double the tiles level by level, and each gets a body.
  static constexpr int64_t maxTiles = 512;
  int64_t tiles = 0; ///< tiles made so far
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_TILES_TILER_H
