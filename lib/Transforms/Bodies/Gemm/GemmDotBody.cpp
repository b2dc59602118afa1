// GemmDotBody.cpp - dot products of rows of A and rows of B, both contiguous
// along k: the body of GEMV-shaped labs (where packing B would cost more than
// it saves) and of all integer products.
#include "lib/Transforms/Bodies/Gemm/DotTile.h"
#include "lib/Transforms/Bodies/Gemm/GemmBodies.h"
#include "lib/Transforms/Bodies/Gemm/SubgroupDot.h"
#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/CodeVectors.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

namespace {

/// Float operands, or codes of B dequantized as they are loaded.
class FloatDot : public DotTile {
public:
  FloatDot(BodyBuilder &e, lab::GemmOp op)
      : DotTile(e, op), acc(elementType(op.getC())) {
    int64_t span = op.getBScale() ? group : k;
    lanes = e.lanes(acc);
    while (lanes > granule() && lanes > span)
      lanes /= 2;
  }

  void run();

private:
  /// Scale and zero point (or none) of each of some groups of a row of B, in
  /// f32.
  struct Scale {
    Value scale, zero;
  };
  /// Adds elements [at, at + n) of every pair of rows; n <= lanes. `scales`
  /// has one per row of B, or none.
  void step(MutableArrayRef<Value> sums, Value at, int64_t n,
            ArrayRef<Scale> scales);
  /// Elements [start, start + n).
  SmallVector<Value> walk(SmallVector<Value> sums, Value start, int64_t n,
                          ArrayRef<Scale> scales);
  /// One per row of B, of n groups from a multiple of n on.
  SmallVector<Scale> scalesAt(Value firstGroup, int64_t n = 1);
  /// All groups [0, groups): scales of a register of groups are decoded at
  /// once. Returns how many groups are done.
  int64_t batches(SmallVector<Value> &sums, int64_t groups);
  Value loadB(int64_t row, Value at, int64_t n, ArrayRef<Scale> scales);

  Type acc;
  int64_t lanes;
};

Value FloatDot::loadB(int64_t row, Value at, int64_t n,
                      ArrayRef<Scale> scales) {
  Value r = e.index(row);
  if (scales.empty())
    return loadPlain(codes, op.getB(), op.getCodeType(), r, at, n);
  FormatVectors format(e, *lab::formatOf(op.getCodeType()));
  Value x = format.toFloat(loadCodes(r, at, n));
  if (scales[row].zero) // exact, which it would not be among the codes
    x = e.make<arith::SubFOp>(x, e.broadcast(scales[row].zero, n));
  return e.make<arith::MulFOp>(x, e.broadcast(scales[row].scale, n));
}

void FloatDot::step(MutableArrayRef<Value> sums, Value at, int64_t n,
                    ArrayRef<Scale> scales) {
  SmallVector<Value> a;
  for (int64_t i = 0; i < rows; ++i)
    a.push_back(e.padded(
        n, lanes, acc,
        [&](int64_t from, int64_t count) {
          return loadPlain(aCodes, op.getA(), op.getACodeType(), e.index(i),
                           e.add(at, from), count);
        },
        granule()));
  for (int64_t j = 0; j < columns; ++j) {
    if (n == lanes)
      e.prefetch(op.getB(), e.index(j), at);
    Value b = e.padded(
        n, lanes, acc,
        [&](int64_t from, int64_t count) {
          return loadB(j, e.add(at, from), count, scales);
        },
        granule());
    for (int64_t i = 0; i < rows; ++i) {
      Value &sum = sums[i * columns + j];
      sum = e.make<math::FmaOp>(a[i], b, sum);
    }
  }
}

SmallVector<Value> FloatDot::walk(SmallVector<Value> sums, Value start,
                                  int64_t n, ArrayRef<Scale> scales) {
  // Short runs (most groups) are unrolled whole.
  int64_t step = n > 8 * lanes ? 4 * lanes : 8 * lanes;
  int64_t whole = n > 8 * lanes ? n / step * step : 0;
  sums = e.forLoop(0, whole, step, sums, [&](Value i, ArrayRef<Value> carried) {
    SmallVector<Value> next(carried);
    for (int64_t u = 0; u < step; u += lanes)
      this->step(next, e.add(e.add(start, i), u), lanes, scales);
    return next;
  });
  for (int64_t at = whole; at < n; at += lanes)
    this->step(setOf(sums, at / lanes), e.add(start, at),
               std::min(lanes, n - at), scales);
  return sums;
}

SmallVector<FloatDot::Scale> FloatDot::scalesAt(Value firstGroup, int64_t n) {
  FormatVectors format(e, *lab::formatOf(op.getCodeType()));
  SmallVector<Scale> scales;
  for (int64_t j = 0; j < columns; ++j) {
    Scale own{loadScale(op.getBScale(), j, firstGroup, n), Value()};
    if (op.getBZero())
      own.zero = format.toFloat(
          n == 1 ? loadZeros(j, firstGroup, 1)
                 : CodeVectors(e, op.getBZero(), op.getCodeType())
                       .load(scaleRow(j), firstGroup, n));
    scales.push_back(own);
  }
  return scales;
}

int64_t FloatDot::batches(SmallVector<Value> &sums, int64_t groups) {
  Type f32 = e.b.getF32Type();
  int64_t size = e.lanes(f32), done = groups / size * size;
  if (done == 0)
    return 0;
  // From memory a processor broadcasts as it multiplies.
  SmallVector<Scale> memory;
  for (int64_t j = 0; j < columns; ++j)
    memory.push_back({e.localBuffer(size, f32),
                      op.getBZero() ? e.localBuffer(size, f32) : Value()});
  auto batch = [&](Value first, ArrayRef<Value> carried) {
    for (auto [own, all] : llvm::zip(memory, scalesAt(first, size))) {
      e.store(all.scale, own.scale, e.index(0));
      if (own.zero)
        e.store(all.zero, own.zero, e.index(0));
    }
    return e.forLoop(
        0, size, 1, carried, [&](Value i, ArrayRef<Value> carried) {
          SmallVector<Scale> scales;
          for (const Scale &own : memory)
            scales.push_back({e.load(own.scale, 1, i),
                              own.zero ? e.load(own.zero, 1, i) : Value()});
          Value start = e.mul(e.add(first, i), group);
          return walk(SmallVector<Value>(carried), start, group, scales);
        });
  };
  sums = e.forLoop(0, done, size, sums, batch);
  return done;
}

void FloatDot::run() {
  SmallVector<Value> sums = startSums(e.vec(lanes, acc));
  if (!op.getBScale()) {
    sums = walk(sums, e.index(0), k, {});
  } else {
    int64_t done = batches(sums, k / group);
    sums = e.forLoop(done, k / group, 1, sums,
                     [&](Value g, ArrayRef<Value> carried) {
                       return walk(SmallVector<Value>(carried), e.mul(g, group),
                                   group, scalesAt(g));
                     });
    if (int64_t rest = k % group)
      sums = walk(sums, e.index(k - rest), rest, scalesAt(e.index(k / group)));
  }
  storeSums(sums);
}

} // namespace

LogicalResult labgen::lowerGemmDot(lab::GemmOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  if (isa<IntegerType>(op.getACodeType())) {
    if (failed(lowerIntegerDot(e, op)))
      return failure();
  } else if (Subgroup(e).size() > 1) {
    if (failed(lowerFloatSubgroupDot(e, op)))
      return failure();
  } else {
    FloatDot(e, op).run();
  }
  op->erase();
  return success();
}
