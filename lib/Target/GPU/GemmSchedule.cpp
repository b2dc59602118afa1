// GemmSchedule.cpp - two shapes of gemm, as on a CPU.
//
// Few rows of A, or codes with scales: a row of B and a few of A along k, by
// the lanes of a wave. Otherwise: a tile of C in the registers of a block's
// threads, tiles of A and B in shared memory, k-major, padded with zeros.
#include "lib/Target/GPU/GemmSchedule.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

static int64_t dim(Value v, unsigned i) {
  return cast<MemRefType>(v.getType()).getDimSize(i);
}

static ScheduleAttr schedule(MLIRContext *context, ArrayRef<LevelAttr> levels,
                             StringRef body) {
  Builder b(context);
  return ScheduleAttr::get(
      context, levels,
      b.getDictionaryAttr(b.getNamedAttr("body", b.getStringAttr(body))));
}

static ScheduleAttr dotSchedule(GemmOp op) {
  constexpr int64_t lanes = 32, waves = 8;
  // Integer products of several groups at once need more registers.
  int64_t rowsOfA = op.getAScale() ? 2 : 4;
  MLIRContext *context = op.getContext();
  return schedule(
      context,
      {LevelAttr::get(context, LevelKind::Block, {rowsOfA, waves, 0},
                      waves * lanes),
       LevelAttr::get(context, LevelKind::Thread, {rowsOfA, 1, 0}, lanes)},
      "dot");
}

static ScheduleAttr tiledSchedule(GemmOp op) {
  MLIRContext *context = op.getContext();
  int64_t m = dim(op.getC(), 0), n = dim(op.getC(), 1);
  // A square of C for a block, 16 x 16 threads; small ones for small matrices,
  // which would otherwise not fill the chip.
  int64_t tile = m * n >= 512 * 512 ? 64 : 32;
  constexpr int64_t threads = 16, depth = 16;
  int64_t own = tile / threads;
  return schedule(
      context,
      {LevelAttr::get(context, LevelKind::Block, {tile, tile, 0},
                      threads * threads, /*pad=*/true),
       LevelAttr::get(context, LevelKind::Loop, {0, 0, depth}, 1, /*pad=*/true,
                      /*keep=*/true, /*pack=*/{0, 1}, /*stage=*/{},
                      /*copyBy=*/{1, 4}),
       LevelAttr::get(context, LevelKind::Thread, {own, own, 0})},
      "outer");
}

ScheduleAttr labgen::chooseGpuGemmSchedule(GemmOp op) {
  auto element = [](Value v) {
    return cast<MemRefType>(v.getType()).getElementType();
  };
  bool isNamed = op->hasAttr("code") || op->hasAttr("a_code");
  bool isPlain =
      !op.getBScale() && !isNamed &&
      isa<FloatType>(element(op.getA())) == isa<FloatType>(element(op.getB()));
  int64_t m = dim(op.getC(), 0), n = dim(op.getC(), 1), k = dim(op.getA(), 1);
  if (!isPlain || m <= fewRows || n == 0 || k == 0)
    return dotSchedule(op);
  return tiledSchedule(op);
}
