// TileCopies.cpp - what a level copies of its operands, and a result that
// stays in registers while its loop runs.
#include "lib/Transforms/Tiles/Tiler.h"

#include "dialects/Lab/LevelText.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

SmallVector<int64_t> Tiler::paddedShape(LabAccess op, int64_t operand) const {
  if (!padded)
    return {};
  SmallVector<int64_t> shape;
  for (const Access &access : op.getAccesses())
    if (access.operand->getOperandNumber() == operand)
      for (const AccessDim &d : access.dims)
        shape.push_back(d.dim == AccessDim::whole ? 1 : tileSizes[d.dim]);
  return shape;
}

int64_t Tiler::bankGap(LabAccess op, int64_t operand) const {
  LevelAttr last = schedule.getLevels().back();
  if (!last.isWithinBlock())
    return 0;
  // (A dimension that is whole has no tile.)
  for (const Access &access : op.getAccesses())
    if (access.operand->getOperandNumber() == operand &&
        access.dims[0].dim < last.getTile().size())
      return last.getTile()[access.dims[0].dim];
  return 0;
}

/// Bytes of a copy with room for widened elements; nothing where they are not
/// known or beyond any memory.
static std::optional<int64_t> bytesOfCopy(ArrayRef<int64_t> shape) {
  constexpr int64_t widest = 8;
  int64_t bytes = widest;
  for (int64_t size : shape)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

LogicalResult Tiler::checkCopy(LabAccess op, ArrayRef<LevelAttr> levels,
                               size_t at, int64_t operand) {
  SmallVector<int64_t> shape = paddedShape(op, operand);
  auto gemm = cast<GemmOp>(op);
  if (shape.empty())
    shape = {cast<MemRefType>(op->getOperand(operand).getType()).getDimSize(0),
             gemm.getDepth()};
  std::optional<int64_t> bytes = bytesOfCopy(shape);
  if (bytes && *bytes <= maxCopyBytes)
    return success();
  InFlightDiagnostic error = op->emitOpError("schedule ")
                             << levelText(levels, at) << " copies ";
  llvm::interleave(
      shape, error,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          error << "?";
        else
          error << size;
      },
      " x ");
  return error << " elements of operand " << operand
               << " into local memory, which has " << maxCopyBytes
               << " bytes at 8 an element; copy at a level of smaller tiles";
}

LogicalResult Tiler::copyOperand(Operation *&op, LevelAttr level, size_t at,
                                 int64_t operand, bool transpose) {
  auto access = cast<LabAccess>(op);
  FailureOr<CopiedOperand> copied = buffers.copyOperand(
      op, operand, transpose, at, paddedShape(access, operand),
      transpose ? bankGap(access, operand) : 0);
  if (failed(copied))
    return failure();
  op = copied->tile;
  SmallVector<int64_t> by(level.getCopyBy());
  auto copy = cast<LabAccess>(copied->copy);
  int64_t multiple = std::max<int64_t>(copy.getTileMultiple(1), 1);
  if (by[1] && !arePartsOfGroups(copy, 1, by[1])) // 0: all of it
    by[1] = std::max<int64_t>(by[1] / multiple, 1) * multiple;
  MLIRContext *context = rewriter.getContext();
  auto inner = LevelAttr::get(
      context, hasThreads(schedule) ? LevelKind::Thread : LevelKind::Loop, by);
  // (How codes are converted holds for copies that dequantize, too.)
  KernelParameters kernel;
  kernel.extend = llvm::to_vector(schedule.getKernel().getExtend());
  auto plain = ScheduleAttr::get(context, {inner}, kernel);
  return Tiler(rewriter, buffers.function(), plain, phase)
      .run(copied->copy, {inner}, 0);
}

FailureOr<Operation *>
Tiler::copyOperands(Operation *op, ArrayRef<LevelAttr> levels, size_t at) {
  LevelAttr level = levels[at];
  for (ArrayRef<int64_t> operands : {level.getPack(), level.getStage()})
    for (int64_t operand : operands)
      if (failed(checkCopy(cast<LabAccess>(op), levels, at, operand)))
        return failure();
  bool copies = !level.getPack().empty() || !level.getStage().empty();
  // The threads of a block share the copies: none may still read the old ones,
  // none may read the new ones before all are there.
  auto barrier = [&] {
    if (!copies || !hasThreads(schedule))
      return;
    rewriter.setInsertionPoint(op);
    gpu::BarrierOp::create(rewriter, op->getLoc());
  };
  barrier();
  for (int64_t operand : level.getPack())
    if (failed(copyOperand(op, level, at, operand, /*transpose=*/true)))
      return failure();
  for (int64_t operand : level.getStage())
    if (failed(copyOperand(op, level, at, operand, /*transpose=*/false)))
      return failure();
  barrier();
  return op;
}

LogicalResult Tiler::runAccumulated(Operation *op, ArrayRef<LevelAttr> levels,
                                    size_t at) {
  auto gemm = cast<GemmOp>(op);
  LevelAttr thread = levels[at + 1];
  auto error = [&](size_t at) {
    return op->emitOpError("schedule ") << levelText(levels, at);
  };
  Location loc = op->getLoc();
  SmallVector<Segment> segments;
  int64_t tiles = 1;
  for (int64_t d = 0; d < 2; ++d) {
    int64_t size = tileSizes.empty() ? 0 : tileSizes[d];
    int64_t tile = thread.getTile()[d];
    if (tile == 0 || size % tile)
      return error(at) << " accumulates tiles of " << tile << " in dimension "
                       << d << ", which has " << size
                       << "; make it a whole number of them, by another tile "
                          "or by `pad` at the level before";
    segments.push_back(
        {rewriter.getIndexAttr(0), rewriter.getIndexAttr(size), tile});
    tiles *= size / tile;
  }
  int64_t threads = levels.front().getThreads();
  if (tiles != threads)
    return error(at) << " accumulates " << tiles << " tiles in the memory of "
                     << threads << " threads; give level 1 `threads " << tiles
                     << "`, or the thread level other tiles";
  Value c = gemm.getC();
  SmallVector<int64_t> shape(thread.getTile().take_front(2));
  auto type = cast<MemRefType>(c.getType());
  registers = buffers.ownTile(loc, shape, type.getElementType());
  // A piece of c as large as is there of this thread's tile.
  bool isWhole = type.getShape() == ArrayRef(tileSizes).take_front(2);
  auto pieceOfC = [&](ArrayRef<OpFoldResult> offsets) -> Value {
    SmallVector<OpFoldResult> sizes, ones(2, rewriter.getIndexAttr(1));
    for (auto [d, offset] : llvm::enumerate(offsets)) {
      OpFoldResult size = rewriter.getIndexAttr(shape[d]);
      if (!isWhole)
        size = clampedSize(rewriter, loc, size, offset,
                           memref::getMixedSize(rewriter, loc, c, d));
      sizes.push_back(size);
    }
    return memref::SubViewOp::create(rewriter, loc, c, offsets, sizes, ones);
  };
  // No elements of it, which fill a tile with zeros.
  auto nothingOf = [&](Value matrix) -> Value {
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 one = rewriter.getIndexAttr(1);
    return memref::SubViewOp::create(rewriter, loc, matrix,
                                     ArrayRef{zero, zero}, ArrayRef{zero, zero},
                                     ArrayRef{one, one});
  };
  // The forall deals tiles to threads as the thread level below does.
  auto forEachThread = [&](function_ref<void(ArrayRef<OpFoldResult>)> body) {
    OpBuilder::InsertionGuard guard(rewriter);
    body(makeLoops(loc, thread, segments));
  };
  rewriter.setInsertionPoint(op);
  forEachThread([&](ArrayRef<OpFoldResult> offsets) {
    Value before = gemm.getAccumulate() ? pieceOfC(offsets) : nothingOf(c);
    CopyOp::create(rewriter, loc, before, registers, TypeAttr(),
                   /*pad=*/!isWhole || !gemm.getAccumulate());
  });
  rewriter.setInsertionPointAfter(op);
  forEachThread([&](ArrayRef<OpFoldResult> offsets) {
    CopyOp::create(rewriter, loc, registers, pieceOfC(offsets), TypeAttr(),
                   /*pad=*/!isWhole);
  });
  gemm.setAccumulate(true);
  LogicalResult done = run(op, levels, at);
  registers = Value();
  return done;
}
