// Tiler.cpp - see Tiler.h: levels, parts and loops.
#include "lib/Transforms/Tiles/Tiler.h"

#include "dialects/Lab/LevelText.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

bool labgen::hasThreads(ScheduleAttr schedule) {
  return llvm::any_of(schedule.getLevels(),
                      [](LevelAttr level) { return level.isWithinBlock(); });
}

LogicalResult
Tiler::splitLevel(Operation *op, ArrayRef<LevelAttr> levels, size_t at,
                  SmallVectorImpl<SmallVector<Segment>> &segments) {
  LevelAttr level = levels[at];
  auto access = cast<LabAccess>(op);
  SmallVector<Range> domain = iterationDomain(access, rewriter);
  auto error = [&] {
    return op->emitOpError("schedule ") << levelText(levels, at);
  };
  for (auto [d, range] : llvm::enumerate(domain)) {
    int64_t tile = level.getTile()[d], multiple = access.getTileMultiple(d);
    auto size = getConstantIntValue(range.size);
    bool coversAll = size && *size <= tile;
    if (tile && multiple == 0 && !coversAll)
      return error() << " tiles dimension " << d << " by " << tile
                     << ", and its group spans it; nearest legal: 0";
    bool isPart = arePartsOfGroups(access, d, tile);
    if (multiple > 1 && tile % multiple && !coversAll && !isPart)
      return error() << " has tile " << tile << " of dimension " << d
                     << ", which is not a multiple of " << multiple
                     << "; nearest legal: "
                     << std::max(multiple, tile / multiple * multiple);
    auto gemm = dyn_cast<GemmOp>(op);
    if (level.getPad() && tile && d == 2 && gemm && gemm.getBScale() && size &&
        *size * codeBits(gemm.getCodeType()) % 8)
      return error() << " pads dimension 2, whose " << *size
                     << " codes end within a byte; leave `pad` out";
    bool overwrites = gemm && !gemm.getAccumulate();
    bool reduces = access.getIterators()[d] == utils::IteratorType::reduction;
    if (tile && reduces && level.getKind() != LevelKind::Loop && !coversAll)
      return error() << " tiles dimension " << d
                     << ", which is summed over, so work units cannot share "
                        "it; tile it by a loop level";
    if (level.getPad() && tile) {
      segments.push_back(
          {{rewriter.getIndexAttr(0), range.size, tile, /*padded=*/true}});
      continue;
    }
    segments.push_back(splitDimension(rewriter, op->getLoc(), range.size, tile,
                                      isPart ? 1 : multiple,
                                      overwrites && reduces));
  }
  return success();
}

LogicalResult Tiler::run(Operation *op, ArrayRef<LevelAttr> levels, size_t at) {
  if (at == levels.size()) {
    if (++tiles > maxTiles)
      return op->emitOpError("schedule cuts its op into more than ")
             << maxTiles
             << " kinds of tiles, a body each; choose tiles that "
                "divide those of the level before";
    KernelParameters parameters = schedule.getKernel().toParameters();
    parameters.lanes = lanesOfTile();
    auto kernel = KernelAttr::get(op->getContext(), parameters);
    if (!kernel.isEmpty())
      op->setAttr(kernelAttrName, kernel);
    if (registers)
      cast<GemmOp>(op).getCMutable().assign(registers);
    return success();
  }
  if (levels[at].getAccumulate() && !registers)
    return runAccumulated(op, levels, at);
  rewriter.setInsertionPoint(op);
  SmallVector<SmallVector<Segment>> segments;
  if (failed(splitLevel(op, levels, at, segments)))
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

std::optional<int64_t> Tiler::lanesOfTile() const {
  for (LevelAttr level : schedule.getLevels())
    if (level.getKind() == LevelKind::Warp)
      return level.getThreads();
  return std::nullopt;
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
      copyOperands(tiled->tiledOps.front(), levels, at);
  if (failed(tile))
    return failure();
  return run(*tile, levels, at + 1);
}
