// Schedules.cpp - how the threads of a GPU share each op: a function for each,
// listed at the end.
//
// A thread touches 16 neighbouring bytes of the wider operand at a time and
// several such pieces, a block apart, so that neighbouring lanes read
// neighbouring addresses and several loads are in flight. Groups and rows are
// shared by neighbouring lanes.
#include "lib/Target/GPU/Schedules.h"

#include "lib/Target/GPU/GemmSchedule.h"

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

constexpr int64_t accessBytes = 16;
constexpr int64_t blockThreads = 256;
/// Pieces of a thread, loads in flight.
constexpr int64_t piecesPerThread = 4;
/// Lanes that may share a tile: those that run in step on every chip.
constexpr int64_t maxShare = 32;

MemRefType typeOf(Value v) { return cast<MemRefType>(v.getType()); }

int64_t bytesOf(Value v) {
  return std::max<int64_t>(typeOf(v).getElementTypeBitWidth() / 8, 1);
}

/// Elements of `x` one thread touches at a time.
int64_t elementsOf(Value x) { return accessBytes / bytesOf(x); }

LevelAttr level(MLIRContext *context, LevelKind kind, ArrayRef<int64_t> tile,
                int64_t threads = 1) {
  return LevelAttr::get(context, kind, tile, threads);
}
ScheduleAttr withLevels(ArrayRef<LevelAttr> levels) {
  return ScheduleAttr::get(levels.front().getContext(), levels);
}
/// Tiles that `lanes` neighbouring lanes share, or that have one thread each.
LevelAttr shared(MLIRContext *context, ArrayRef<int64_t> tile, int64_t lanes) {
  return lanes > 1 ? level(context, LevelKind::Warp, tile, lanes)
                   : level(context, LevelKind::Thread, tile);
}
/// One-dimensional ops: pieces of `tile` elements.
ScheduleAttr elements(LabAccess op, int64_t tile) {
  MLIRContext *context = op->getContext();
  int64_t multiple = std::max<int64_t>(op.getTileMultiple(0), 1);
  tile = std::max(tile / multiple, int64_t(1)) * multiple;
  int64_t row = blockThreads * tile;
  return withLevels(
      {level(context, LevelKind::Block, {row * piecesPerThread}, blockThreads),
       level(context, LevelKind::Loop, {row}),
       level(context, LevelKind::Thread, {tile})});
}

ScheduleAttr elementwise(LabAccess op, Value x, Value y) {
  return elements(op, std::min(elementsOf(x), elementsOf(y)));
}

/// Matrices [m, k], `share` threads to a tile of `tile` columns.
ScheduleAttr rows(Value x, int64_t tile, int64_t share) {
  MLIRContext *context = x.getContext();
  int64_t k = typeOf(x).getDimSize(1);
  int64_t tilesAtOnce = blockThreads / share;
  int64_t columns = tilesAtOnce * piecesPerThread * tile;
  SmallVector<int64_t> block = {1, columns}, piece = {1, tilesAtOnce * tile};
  if (!ShapedType::isDynamic(k) && k <= columns / 2) {
    // Whole rows, as many as make up a block.
    int64_t tilesOfRow =
        std::max<int64_t>(llvm::divideCeil(k, std::max<int64_t>(tile, 1)), 1);
    block = {std::max<int64_t>(tilesAtOnce * piecesPerThread / tilesOfRow, 1),
             0};
    piece = {std::max<int64_t>(tilesAtOnce / tilesOfRow, 1), 0};
  }
  return withLevels({level(context, LevelKind::Block, block, blockThreads),
                     level(context, LevelKind::Loop, piece),
                     shared(context, {1, tile}, share)});
}

/// Groups along the rows of x, shared by as many lanes as have a piece.
ScheduleAttr groups(LabAccess op, Value x, int64_t group, Type code) {
  int64_t k = typeOf(x).getDimSize(1);
  bool spansRow = op.getTileMultiple(1) == 0;
  int64_t length = spansRow ? std::max<int64_t>(k, 1)
                            : std::max<int64_t>(op.getTileMultiple(1), 1);
  // Where the codes of two groups share a byte, one thread has both of them:
  // no two may write to it.
  bool sharesBytes = group > 0 && group * codeBits(code) % 8;
  int64_t share = 1, alone = group > 0 ? group : length;
  if (!sharesBytes)
    while (share < maxShare && alone % (2 * share) == 0 &&
           alone / (2 * share) >= elementsOf(x))
      share *= 2;
  if (spansRow)
    share = length >= maxShare * elementsOf(x) ? maxShare : share;
  return rows(x, spansRow ? 0 : length, share);
}

ScheduleAttr scheduleAxpy(AxpyOp op, const ChipInfo &) {
  return elements(op, elementsOf(op.getX()));
}

ScheduleAttr scheduleCast(CastOp op, const ChipInfo &) {
  return elementwise(op, op.getX(), op.getY());
}

/// A copy between launches is not made; it stays without.
ScheduleAttr scheduleCopy(CopyOp, const ChipInfo &) { return {}; }

ScheduleAttr scheduleDequantize(DequantizeOp op, const ChipInfo &) {
  return groups(op, op.getY(), op.getGroup(), op.getCodeType());
}

ScheduleAttr scheduleEncode(EncodeOp op, const ChipInfo &) {
  int64_t multiple = op.getTileMultiple(1);
  int64_t tile = std::max(elementsOf(op.getX()) / multiple, int64_t(1));
  return rows(op.getX(), tile * multiple, 1);
}

ScheduleAttr scheduleExp(ExpOp op, const ChipInfo &) {
  return elementwise(op, op.getX(), op.getY());
}

ScheduleAttr scheduleGemm(GemmOp op, const ChipInfo &chip) {
  return chooseGpuGemmSchedule(op, chip);
}

ScheduleAttr scheduleQuantize(QuantizeOp op, const ChipInfo &) {
  return groups(op, op.getX(), op.getGroup(), op.getCodeType());
}

/// One partial result, or the only one, by the lanes of a wave.
ScheduleAttr scheduleReduce(ReduceOp op, const ChipInfo &) {
  MLIRContext *context = op.getContext();
  bool oneThread =
      isSum(op.getKind()) && op.getOrder() == lab::SumOrder::Sequential;
  if (!op.isPartial()) {
    int64_t threads = oneThread ? 1 : maxShare;
    return withLevels({level(context, LevelKind::Block, {0}, threads),
                       shared(context, {0}, threads)});
  }
  int64_t span = op.getElementsPerResult();
  return withLevels({level(context, LevelKind::Block,
                           {blockThreads / maxShare * span}, blockThreads),
                     shared(context, {span}, maxShare)});
}

/// Rows by the lanes of a wave.
ScheduleAttr scheduleSoftmax(SoftmaxOp op, const ChipInfo &) {
  MLIRContext *context = op.getContext();
  return withLevels({level(context, LevelKind::Block,
                           {blockThreads / maxShare, 0}, blockThreads),
                     shared(context, {1, 0}, maxShare)});
}

} // namespace

const OpSchedules<ChipInfo> &labgen::gpuSchedules() {
  static const OpSchedules<ChipInfo> schedules(
      scheduleAxpy, scheduleCast, scheduleCopy, scheduleDequantize,
      scheduleEncode, scheduleExp, scheduleGemm, scheduleQuantize,
      scheduleReduce, scheduleSoftmax);
  return schedules;
}
