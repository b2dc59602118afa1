// GemmSchedule.cpp - two shapes of gemm, as on a CPU.
//
// Few rows of A, or integer products: rows of B and a few of A along k, by
// lanes that share a row. Otherwise: a tile of C in the registers of a block's
// threads, tiles of A and B in shared memory, k-major, padded with zeros;
// weights with scales are dequantized as they are copied there.
#include "lib/Target/GPU/GemmSchedule.h"

#include "lib/Transforms/DequantizedTile.h"
#include "llvm/ADT/bit.h"

#include <numeric>

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

static int64_t dim(Value v, unsigned i) {
  return cast<MemRefType>(v.getType()).getDimSize(i);
}

/// Codes of a row of B that a thread loads at once: 16 bytes, or less where
/// rows do not start at multiples of that.
static int64_t codesAtOnce(GemmOp op) {
  auto type = cast<MemRefType>(op.getB().getType());
  constexpr int64_t most = 16, least = 4;
  int64_t bytes = least;
  if (!type.isDynamicDim(1))
    bytes = std::max(
        std::gcd(type.getDimSize(1) * type.getElementTypeBitWidth() / 8, most),
        least);
  int64_t bits = codeBits(op.getCodeType());
  // Six bits: sixteen codes in twelve bytes.
  return std::max<int64_t>(llvm::bit_floor(uint64_t(bytes * 8 / bits)), 1);
}

static ScheduleAttr dotSchedule(GemmOp op, const ChipInfo &chip) {
  MLIRContext *context = op.getContext();
  // What is not known is taken to be large.
  auto sized = [](int64_t size) {
    return ShapedType::isDynamic(size) ? int64_t(1) << 16 : size;
  };
  int64_t m = sized(dim(op.getC(), 0)), n = sized(dim(op.getC(), 1));
  int64_t k = sized(op.getDepth());
  int64_t chunk = codesAtOnce(op);
  // Half a subgroup, or a quarter of a wide one, shares a row: two rows of B at
  // least use what is loaded of A, which lies too far apart for a whole one.
  constexpr int64_t threads = 256;
  int64_t lanes = std::min<int64_t>(chip.waveSize.value / 2, 16);
  while (lanes > 2 && chunk * (lanes / 2) >= k)
    lanes /= 2;
  // Rows of A and B whose products a thread adds up: what it loads of A serves
  // several rows of B, unless too few threads would be left for the chip.
  constexpr int64_t fewThreads = 1 << 14;
  bool isInteger = isa<IntegerType>(op.getACodeType());
  int64_t rows = std::clamp<int64_t>(m, 1, isInteger ? 4 : fewRows);
  int64_t columns = isInteger ? 2 : 4;
  while (columns > 1 && n * lanes / columns < fewThreads)
    columns /= 2;
  // Loads under way, as many as there are registers for, decoded or not.
  constexpr int64_t mostLoads = 16, mostBytes = 128, mostCodes = 128;
  int64_t bytes = std::max<int64_t>(chunk * codeBits(op.getCodeType()) / 8, 1);
  int64_t loads = std::min({mostLoads, mostBytes / bytes, mostCodes / chunk});
  int64_t unroll =
      llvm::bit_floor(uint64_t(std::max(loads / columns, int64_t(1))));
  while (unroll > 1 && chunk * lanes * unroll > k)
    unroll /= 2;
  KernelParameters kernel;
  kernel.kind = MicroKernel::Dot;
  kernel.width = chunk;
  kernel.unroll = unroll;
  return ScheduleAttr::get(
      context,
      {LevelAttr::get(context, LevelKind::Block,
                      {rows, threads / lanes * columns, 0}, threads),
       LevelAttr::get(context, LevelKind::Warp, {rows, columns, 0}, lanes)},
      kernel);
}

static ScheduleAttr tiledSchedule(GemmOp op, int64_t depth) {
  MLIRContext *context = op.getContext();
  int64_t m = dim(op.getC(), 0), n = dim(op.getC(), 1);
  // A square of C for a block, 16 x 16 threads; small ones for small matrices,
  // which would otherwise not fill the chip.
  int64_t tile = m * n >= 512 * 512 ? 64 : 32;
  constexpr int64_t threads = 16;
  int64_t own = tile / threads;
  KernelParameters kernel;
  kernel.kind = MicroKernel::Outer;
  return ScheduleAttr::get(
      context,
      {LevelAttr::get(context, LevelKind::Block, {tile, tile, 0},
                      threads * threads, /*pad=*/true),
       LevelAttr::get(context, LevelKind::Loop, {0, 0, depth}, 1, /*pad=*/true,
                      /*accumulate=*/true, /*pack=*/{0, 1}, /*stage=*/{},
                      /*copyBy=*/{1, 4}),
       LevelAttr::get(context, LevelKind::Thread, {own, own, 0})},
      kernel);
}

ScheduleAttr labgen::chooseGpuGemmSchedule(GemmOp op, const ChipInfo &chip) {
  auto isFloat = [](Value v) {
    return isa<FloatType>(cast<MemRefType>(v.getType()).getElementType());
  };
  int64_t m = dim(op.getC(), 0), n = dim(op.getC(), 1), k = dim(op.getA(), 1);
  if (m <= fewRows || n == 0 || k == 0 || op->hasAttr("a_code"))
    return dotSchedule(op, chip);
  if (op.getBScale()) {
    // Dequantized on the way to shared memory.
    std::optional<int64_t> depth = dequantizedDepth(op);
    return isFloat(op.getA()) && depth ? tiledSchedule(op, *depth)
                                       : dotSchedule(op, chip);
  }
  bool isPlain =
      !op->hasAttr("code") && isFloat(op.getA()) == isFloat(op.getB());
  return isPlain ? tiledSchedule(op, /*depth=*/16) : dotSchedule(op, chip);
}
