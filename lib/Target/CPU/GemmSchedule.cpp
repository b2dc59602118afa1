// GemmSchedule.cpp - two shapes of gemm.
//
// Few rows of A, or integers: rows of A times rows of B as they lie, dot
// products along k. Otherwise: C in registers, B packed k-major (and widened or
// dequantized on the way) for a cache tile of k, A staged so that its rows do
// not fall on one cache set.
#include "lib/Target/CPU/GemmSchedule.h"

#include <numeric>

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

static int64_t dim(Value v, unsigned i) {
  return cast<MemRefType>(v.getType()).getDimSize(i);
}

/// `n` in parts of at most `most`, all nearly alike, multiples of `step`.
static int64_t evenPart(int64_t n, int64_t most, int64_t step) {
  most = std::max(most, step);
  if (ShapedType::isDynamic(n))
    return most / step * step;
  int64_t parts = std::max<int64_t>((n + most - 1) / most, 1);
  int64_t part = (n + parts - 1) / parts;
  return (part + step - 1) / step * step;
}

SmallVector<Type> labgen::extendedOf(Type type, const CpuTarget &target) {
  std::optional<Format> format = formatOf(type);
  if (format && llvm::is_contained(target.extends, *format))
    return {type};
  return {};
}

/// A page: hardware prefetching stops at its end, so the next one is asked for.
constexpr int64_t pageBytes = 4096;

static ScheduleAttr dotSchedule(GemmOp op, const CpuTarget &target) {
  MLIRContext *context = op.getContext();
  int64_t m = dim(op.getC(), 0);
  bool integers = isa<IntegerType>(op.getACodeType());
  bool wide = target.vectorBytes == 64;
  // Sums in registers: 4 x 4 of 32, or 4 x 2 of 16. A single row of A uses
  // every byte of B once: one row of B after the other, so that memory is read
  // in one stream.
  int64_t rows = std::min<int64_t>(m < 0 ? 4 : std::max<int64_t>(m, 1), 4);
  int64_t columns = rows == 1 ? 1 : wide ? 4 : 2;
  // Rows of B that stay in L2 while the rows of A pass over them.
  int64_t rowBytes = std::max<int64_t>(
      dim(op.getB(), 1) *
          cast<MemRefType>(op.getB().getType()).getElementTypeBitWidth() / 8,
      64);
  int64_t bytesOfB = std::max<int64_t>(dim(op.getB(), 0), 0) * rowBytes;
  int64_t most = m == 1 ? (64 << 10) : target.l2 / 2;
  int64_t unit =
      std::clamp<int64_t>(most / rowBytes / columns, 1, 64) * columns;
  auto level = [&](LevelKind kind, ArrayRef<int64_t> tile) {
    return LevelAttr::get(context, kind, tile);
  };
  KernelParameters kernel;
  kernel.kind = MicroKernel::Dot;
  if (integers)
    kernel.integerDot = target.dot;
  kernel.extend = extendedOf(op.getCodeType(), target);
  if (m == 1 && bytesOfB > target.l2)
    kernel.prefetch = pageBytes;
  return ScheduleAttr::get(
      context,
      {level(LevelKind::Block, {evenPart(m, 64, rows), unit, 0}),
       level(LevelKind::Loop, {0, columns, 0}),
       level(LevelKind::Loop, {rows, 0, 0})},
      kernel);
}

static ScheduleAttr outerSchedule(GemmOp op, const CpuTarget &target) {
  MLIRContext *context = op.getContext();
  Type acc = cast<MemRefType>(op.getC().getType()).getElementType();
  int64_t bytes = acc.getIntOrFloatBitWidth() / 8;
  int64_t lanes = target.vectorBytes / bytes;
  // 24 of 32 registers hold C, or 12 of 16.
  bool wide = target.vectorBytes == 64;
  int64_t rows = wide ? 8 : 6, columns = (wide ? 3 : 2) * lanes;
  int64_t m = dim(op.getC(), 0), n = dim(op.getC(), 1), k = op.getDepth();
  // A panel of B takes half of L2.
  int64_t multiple = std::max<int64_t>(op.getTileMultiple(2), 1);
  int64_t kTile = evenPart(k, 2048 / bytes, std::lcm<int64_t>(multiple, 16));
  int64_t nTile =
      evenPart(n, target.l2 / 2 / std::max<int64_t>(kTile * bytes, 1), columns);
  nTile = std::min(nTile, 4 * columns);
  int64_t mTile = evenPart(m, 256, rows);
  auto level = [&](ArrayRef<int64_t> tile, ArrayRef<int64_t> pack,
                   ArrayRef<int64_t> stage, ArrayRef<int64_t> by) {
    return LevelAttr::get(context, LevelKind::Loop, tile, 1, /*pad=*/false,
                          /*accumulate=*/false, pack, stage, by);
  };
  KernelParameters kernel;
  kernel.kind = MicroKernel::Outer;
  return ScheduleAttr::get(
      context,
      {LevelAttr::get(context, LevelKind::Block, {mTile, nTile, 0}),
       level({0, 0, kTile}, {1}, {}, {lanes, 4 * lanes}),
       level({rows, 0, 0}, {}, {0}, {rows, 4 * lanes}),
       level({0, columns, 0}, {}, {}, {})},
      kernel);
}

ScheduleAttr labgen::chooseGemmSchedule(GemmOp op, const CpuTarget &target) {
  int64_t m = dim(op.getC(), 0), k = op.getDepth();
  // Dequantizing for one row only, or unpacked floats for a few.
  int64_t few = op.getBScale() || codeBits(op.getCodeType()) <= 8 ? 4 : 16;
  if (isa<IntegerType>(op.getACodeType()) || k == 0 || (m >= 0 && m <= few))
    return dotSchedule(op, target);
  return outerSchedule(op, target);
}
