// Tile.cpp - the one tiling pass: any lab op, by its schedule.
//
// The domain of each level is split first and tiled after, with loop headers
// that say "this tile has size t": upstream's would leave affine.min(t, rest)
// that nothing folds away again.
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/TileBuffers.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/ScopeExit.h"

namespace labgen {
#define GEN_PASS_DEF_LABTILE
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

/// A part of one dimension that is a whole number of tiles (0: not tiled);
/// padded: perhaps one whole tile too many.
struct Segment {
  OpFoldResult offset, size;
  int64_t tile;
  bool padded = false;
};

/// Splits a dimension of `size` for tiles of `tile` that start at multiples of
/// `multiple`. `firstApart`: the first tile stands alone (it overwrites).
SmallVector<Segment> splitDimension(OpBuilder &b, Location loc,
                                    OpFoldResult size, int64_t tile,
                                    int64_t multiple, bool firstApart) {
  auto constant = [&](int64_t v) -> OpFoldResult { return b.getIndexAttr(v); };
  SmallVector<Segment> segments;
  if (tile == 0)
    return {{constant(0), size, 0}};
  if (auto n = getConstantIntValue(size)) {
    int64_t at = 0;
    auto push = [&](int64_t length, int64_t t) {
      if (length > 0)
        segments.push_back({constant(at), constant(length), t});
      at += length;
    };
    if (*n == 0)
      return {{constant(0), size, 0}};
    if (firstApart && *n > tile)
      push(tile, tile);
    push((*n - at) / tile * tile, tile);
    if (multiple > 1)
      push((*n - at) / multiple * multiple, (*n - at) / multiple * multiple);
    push(*n - at, *n - at);
    return segments;
  }
  AffineExpr s = b.getAffineSymbolExpr(0);
  auto apply = [&](AffineExpr e) {
    return affine::makeComposedFoldedAffineApply(b, loc, e, {size});
  };
  AffineExpr whole = s.floorDiv(tile) * tile;
  segments.push_back({constant(0), apply(whole), tile});
  int64_t unit = std::max<int64_t>(multiple, 1);
  AffineExpr units = s.floorDiv(unit) * unit;
  if (tile > unit)
    segments.push_back({apply(whole), apply(units - whole), unit});
  if (unit > 1)
    segments.push_back({apply(units), apply(s % unit), 0});
  return segments;
}

bool hasThreads(ScheduleAttr schedule) {
  return llvm::any_of(schedule.getLevels(), [](LevelAttr level) {
    return level.getKind() == LevelKind::Thread;
  });
}

class Tiler {
public:
  Tiler(IRRewriter &rewriter, func::FuncOp func, ScheduleAttr schedule,
        int64_t phase)
      : rewriter(rewriter), buffers(rewriter, func, hasThreads(schedule)),
        schedule(schedule), phase(phase) {}

  /// Tiles `op` by the levels from `at` on; erases it unless it is a leaf.
  LogicalResult run(Operation *op, ArrayRef<LevelAttr> levels, size_t at);

private:
  LogicalResult splitLevel(Operation *op, LevelAttr level,
                           SmallVectorImpl<SmallVector<Segment>> &segments);
  LogicalResult tileSegment(Operation *op, LevelAttr level,
                            ArrayRef<Segment> segments,
                            ArrayRef<LevelAttr> levels, size_t at);
  /// Loops over `segments` around the insertion point; offsets of one tile.
  SmallVector<OpFoldResult> makeLoops(Location loc, LevelAttr level,
                                      ArrayRef<Segment> segments);
  /// Copies what the level packs and stages; the op that reads the copies.
  FailureOr<Operation *> copyOperands(Operation *op, LevelAttr level,
                                      size_t at);
  LogicalResult copyOperand(Operation *&op, LevelAttr level, size_t at,
                            int64_t operand, bool transpose);
  /// A level that keeps its result in the threads' own memory.
  LogicalResult runKept(Operation *op, ArrayRef<LevelAttr> levels, size_t at);
  /// Where the operand's tile is padded: its size with the padding.
  SmallVector<int64_t> paddedShape(LabAccess op, int64_t operand) const;

  /// A forall over `segments`' tiles, mapped to blocks or threads.
  scf::ForallOp makeForall(Location loc, LevelAttr level,
                           SmallVector<OpFoldResult> lower,
                           SmallVector<OpFoldResult> upper,
                           SmallVector<OpFoldResult> step);
  /// Threads that share a tile of the innermost thread level.
  int64_t threadsOfTile() const;

  IRRewriter &rewriter;
  TileBuffers buffers;
  ScheduleAttr schedule;
  int64_t phase;
  SmallVector<int64_t> tileSizes; ///< of the levels so far, per dimension
  bool padded = false;            ///< a level so far pads
  Value kept;                     ///< where a gemm's result is kept
};

LogicalResult
Tiler::splitLevel(Operation *op, LevelAttr level,
                  SmallVectorImpl<SmallVector<Segment>> &segments) {
  auto access = cast<LabAccess>(op);
  SmallVector<Range> domain = iterationDomain(access, rewriter);
  if (level.getTile().size() != domain.size())
    return op->emitOpError("schedule level has ")
           << level.getTile().size() << " tile sizes, the op has "
           << domain.size() << " dimensions";
  for (auto [d, range] : llvm::enumerate(domain)) {
    int64_t tile = level.getTile()[d], multiple = access.getTileMultiple(d);
    auto size = getConstantIntValue(range.size);
    bool coversAll = size && *size <= tile;
    if (tile && multiple == 0 && !coversAll)
      return op->emitOpError("dimension ")
             << d << " cannot be tiled by " << tile
             << ": its group spans it; nearest legal: 0";
    if (multiple > 1 && tile % multiple && !coversAll)
      return op->emitOpError("tile ")
             << tile << " of dimension " << d << " is not a multiple of "
             << multiple << "; nearest legal: "
             << std::max(multiple, tile / multiple * multiple);
    if (level.getPad() && tile) {
      segments.push_back(
          {{rewriter.getIndexAttr(0), range.size, tile, /*padded=*/true}});
      continue;
    }
    bool overwrites = isa<GemmOp>(op) && !cast<GemmOp>(op).getAccumulate();
    bool reduces = access.getIterators()[d] == utils::IteratorType::reduction;
    if (tile && reduces && level.getKind() != LevelKind::Loop && !coversAll)
      return op->emitOpError("dimension ")
             << d
             << " is summed over, so work units cannot share it; tile it by a "
                "loop level";
    segments.push_back(splitDimension(rewriter, op->getLoc(), range.size, tile,
                                      multiple, overwrites && reduces));
  }
  return success();
}

LogicalResult Tiler::run(Operation *op, ArrayRef<LevelAttr> levels, size_t at) {
  if (at == levels.size()) {
    NamedAttrList leaf(schedule.getLeaf());
    if (int64_t threads = threadsOfTile(); threads > 1)
      leaf.set("threads", rewriter.getI64IntegerAttr(threads));
    if (!leaf.empty())
      op->setAttr(leafAttrName, leaf.getDictionary(op->getContext()));
    if (kept)
      cast<GemmOp>(op).getCMutable().assign(kept);
    return success();
  }
  if (levels[at].getKeep() && !kept)
    return runKept(op, levels, at);
  rewriter.setInsertionPoint(op);
  SmallVector<SmallVector<Segment>> segments;
  if (failed(splitLevel(op, levels[at], segments)))
    return failure();
  padded |= levels[at].getPad();
  // The tile sizes of this level hold for what is inside it only.
  SmallVector<int64_t> outer = tileSizes;
  llvm::scope_exit restore([&] { tileSizes = outer; });
  // Every combination of segments is a sub-op with whole tiles.
  SmallVector<size_t> index(segments.size(), 0);
  while (true) {
    SmallVector<Segment> chosen;
    SmallVector<OpFoldResult> offsets, sizes;
    bool wholeOp = true;
    for (auto [d, i] : llvm::enumerate(index)) {
      chosen.push_back(segments[d][i]);
      offsets.push_back(segments[d][i].offset);
      sizes.push_back(segments[d][i].size);
      wholeOp &= segments[d].size() == 1;
    }
    rewriter.setInsertionPoint(op);
    Operation *part = nullptr;
    if (wholeOp) {
      part = rewriter.clone(*op);
    } else {
      auto tiled = cast<TilingInterface>(op).getTiledImplementation(
          rewriter, offsets, sizes);
      if (failed(tiled))
        return failure();
      part = tiled->tiledOps.front();
    }
    if (failed(tileSegment(part, levels[at], chosen, levels, at)))
      return failure();
    int d = static_cast<int>(index.size()) - 1;
    while (d >= 0 && ++index[d] == segments[d].size())
      index[d--] = 0;
    if (d < 0)
      break;
  }
  rewriter.eraseOp(op);
  return success();
}

int64_t Tiler::threadsOfTile() const {
  for (LevelAttr level : llvm::reverse(schedule.getLevels()))
    if (level.getKind() == LevelKind::Thread)
      return level.getThreads();
  return 1;
}

scf::ForallOp Tiler::makeForall(Location loc, LevelAttr level,
                                SmallVector<OpFoldResult> lower,
                                SmallVector<OpFoldResult> upper,
                                SmallVector<OpFoldResult> step) {
  // A level that needs no loop still is one work unit.
  if (lower.empty()) {
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(rewriter.getIndexAttr(1));
    step.push_back(rewriter.getIndexAttr(1));
  }
  // The mapping keeps canonicalization from folding a forall of one unit.
  bool isBlock = level.getKind() == LevelKind::Block;
  SmallVector<Attribute> mapping;
  for (size_t i = 0; i < lower.size(); ++i) {
    auto id = static_cast<gpu::MappingId>(
        static_cast<size_t>(gpu::MappingId::LinearDim0) + i);
    mapping.push_back(
        isBlock ? Attribute(
                      gpu::GPUBlockMappingAttr::get(rewriter.getContext(), id))
                : gpu::GPUThreadMappingAttr::get(rewriter.getContext(), id));
  }
  auto forall =
      scf::ForallOp::create(rewriter, loc, lower, upper, step, ValueRange(),
                            rewriter.getArrayAttr(mapping));
  if (isBlock)
    forall->setAttr(phaseAttrName, rewriter.getI64IntegerAttr(phase));
  if (level.getThreads() > 1)
    forall->setAttr(threadsAttrName,
                    rewriter.getI64IntegerAttr(level.getThreads()));
  return forall;
}

SmallVector<OpFoldResult> Tiler::makeLoops(Location loc, LevelAttr level,
                                           ArrayRef<Segment> segments) {
  SmallVector<OpFoldResult> offsets, lower, upper, step;
  SmallVector<unsigned> looped;
  for (auto [d, s] : llvm::enumerate(segments)) {
    offsets.push_back(rewriter.getIndexAttr(0));
    // A one-trip loop would only hide that the offset is 0.
    bool oneTrip = getConstantIntValue(s.size) == s.tile;
    if (s.tile == 0 || oneTrip)
      continue;
    looped.push_back(d);
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(s.size);
    step.push_back(rewriter.getIndexAttr(s.tile));
  }
  if (level.getKind() != LevelKind::Loop) {
    scf::ForallOp forall = makeForall(loc, level, lower, upper, step);
    rewriter.setInsertionPointToStart(forall.getBody());
    for (auto [d, iv] : llvm::zip(looped, forall.getInductionVars()))
      offsets[d] = iv;
    return offsets;
  }
  for (auto [d, l, u, s] : llvm::zip(looped, lower, upper, step)) {
    auto loop = scf::ForOp::create(
        rewriter, loc, getValueOrCreateConstantIndexOp(rewriter, loc, l),
        getValueOrCreateConstantIndexOp(rewriter, loc, u),
        getValueOrCreateConstantIndexOp(rewriter, loc, s));
    rewriter.setInsertionPointToStart(loop.getBody());
    offsets[d] = loop.getInductionVar();
  }
  return offsets;
}

LogicalResult Tiler::tileSegment(Operation *op, LevelAttr level,
                                 ArrayRef<Segment> segments,
                                 ArrayRef<LevelAttr> levels, size_t at) {
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> offsets = makeLoops(op->getLoc(), level, segments);
  SmallVector<OpFoldResult> sizes;
  tileSizes.resize(segments.size(), 0);
  for (auto [d, s] : llvm::enumerate(segments)) {
    OpFoldResult size =
        s.tile ? OpFoldResult(rewriter.getIndexAttr(s.tile)) : s.size;
    auto whole = getConstantIntValue(s.size);
    if (s.padded && !(whole && *whole % s.tile == 0))
      size = clampedSize(rewriter, op->getLoc(), size, offsets[d], s.size);
    sizes.push_back(size);
    if (s.tile || !tileSizes[d])
      tileSizes[d] = s.tile ? s.tile : whole.value_or(0);
  }
  auto tiled = cast<TilingInterface>(op).getTiledImplementation(rewriter,
                                                                offsets, sizes);
  if (failed(tiled))
    return failure();
  rewriter.eraseOp(op);
  FailureOr<Operation *> tile =
      copyOperands(tiled->tiledOps.front(), level, at);
  if (failed(tile))
    return failure();
  return run(*tile, levels, at + 1);
}

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

LogicalResult Tiler::copyOperand(Operation *&op, LevelAttr level, size_t at,
                                 int64_t operand, bool transpose) {
  FailureOr<CopiedOperand> copied = buffers.copyOperand(
      op, operand, transpose, at, paddedShape(cast<LabAccess>(op), operand));
  if (failed(copied))
    return failure();
  op = copied->tile;
  SmallVector<int64_t> by(level.getCopyBy());
  int64_t multiple =
      std::max<int64_t>(cast<LabAccess>(copied->copy).getTileMultiple(1), 1);
  by[1] = std::max<int64_t>(by[1] / multiple, 1) * multiple;
  MLIRContext *context = rewriter.getContext();
  auto inner = LevelAttr::get(
      context, hasThreads(schedule) ? LevelKind::Thread : LevelKind::Loop, by);
  auto plain =
      ScheduleAttr::get(context, {inner}, DictionaryAttr::get(context));
  return Tiler(rewriter, buffers.function(), plain, phase)
      .run(copied->copy, {inner}, 0);
}

FailureOr<Operation *> Tiler::copyOperands(Operation *op, LevelAttr level,
                                           size_t at) {
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

LogicalResult Tiler::runKept(Operation *op, ArrayRef<LevelAttr> levels,
                             size_t at) {
  auto gemm = dyn_cast<GemmOp>(op);
  if (!gemm)
    return op->emitOpError("schedule keeps a result; only a gemm has one that "
                           "is summed up over tiles");
  if (at + 2 != levels.size() || levels[at + 1].getKind() != LevelKind::Thread)
    return op->emitOpError("schedule keeps a result over a level that is not "
                           "followed by one thread level, the last");
  LevelAttr thread = levels[at + 1];
  Location loc = op->getLoc();
  SmallVector<Segment> segments;
  int64_t tiles = 1;
  for (int64_t d = 0; d < 2; ++d) {
    int64_t size = tileSizes.empty() ? 0 : tileSizes[d];
    int64_t tile = thread.getTile()[d];
    if (tile == 0 || size % tile)
      return op->emitOpError("schedule keeps tiles of ")
             << tile << " in a dimension of " << size
             << "; it must be a whole number of tiles";
    segments.push_back(
        {rewriter.getIndexAttr(0), rewriter.getIndexAttr(size), tile});
    tiles *= size / tile;
  }
  int64_t threads = levels.front().getThreads();
  if (tiles != threads)
    return op->emitOpError("schedule keeps ")
           << tiles << " tiles in the memory of " << threads
           << " threads; each thread keeps one";
  Value c = gemm.getC();
  SmallVector<int64_t> shape(thread.getTile().take_front(2));
  auto type = cast<MemRefType>(c.getType());
  kept = buffers.ownTile(loc, shape, type.getElementType());
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
    CopyOp::create(rewriter, loc, before, kept, TypeAttr(),
                   /*pad=*/!isWhole || !gemm.getAccumulate());
  });
  rewriter.setInsertionPointAfter(op);
  forEachThread([&](ArrayRef<OpFoldResult> offsets) {
    CopyOp::create(rewriter, loc, kept, pieceOfC(offsets), TypeAttr(),
                   /*pad=*/!isWhole);
  });
  gemm.setAccumulate(true);
  LogicalResult done = run(op, levels, at);
  kept = Value();
  return done;
}

struct TilePass : labgen::impl::LabTileBase<TilePass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](LabAccess op) {
      if (op->hasAttr(scheduleAttrName))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (auto [phase, op] : llvm::enumerate(ops)) {
      auto schedule = op->getAttrOfType<ScheduleAttr>(scheduleAttrName);
      if (!schedule) {
        op->emitOpError("schedule must be a #lab.schedule attribute");
        return signalPassFailure();
      }
      op->removeAttr(scheduleAttrName);
      Tiler tiler(rewriter, getOperation(), schedule, phase);
      if (failed(tiler.run(op, schedule.getLevels(), 0)))
        return signalPassFailure();
    }
  }
};

} // namespace
