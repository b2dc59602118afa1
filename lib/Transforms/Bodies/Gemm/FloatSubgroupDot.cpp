// FloatSubgroupDot.cpp - float dot products by a subgroup of a GPU's threads:
// all loads of weights and scales first, then multiply-adds 16 bytes of A at a
// time.
#include "lib/Transforms/Bodies/Gemm/DotTile.h"
#include "lib/Transforms/Bodies/Gemm/SubgroupDot.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numeric>

using namespace mlir;
using namespace labgen;

FailureOr<LaneChunks> LaneChunks::get(BodyBuilder &e, lab::GemmOp op,
                                      int64_t least, int64_t otherwise) {
  int64_t codes = e.kernel.width.value_or(otherwise);
  if (codes < least)
    return op.emitOpError("schedule has width = ")
           << codes << ", and a lane takes " << least
           << " codes at least; nearest legal: " << least;
  int64_t unroll = e.kernel.unroll.value_or(1);
  return LaneChunks{codes, unroll};
}

namespace {

class FloatSubgroupDot : public DotTile {
public:
  FloatSubgroupDot(BodyBuilder &e, lab::GemmOp op, LaneChunks chunks)
      : DotTile(e, op), acc(elementType(op.getC())), chunks(chunks),
        isGrouped(op.getBScale() && group < k),
        span(isGrouped ? std::gcd(group, chunks.codes) : chunks.codes),
        bits(lab::codeBits(op.getCodeType())) {
    // A piece of a row of A is one load, and few enough floats of B.
    piece = std::min(e.vectorBytes * 8 / lab::codeBits(op.getACodeType()),
                     std::min<int64_t>(chunks.codes, 8));
    // About 16 accumulators, which hide the latency of a multiply-add.
    lanes = e.lanes(acc);
    while (lanes > 1 && lanes * outputs() > 16)
      lanes /= 2;
    lanes = std::min(lanes, piece);
  }

  void run() {
    SmallVector<Value> sums = startSums(e.vec(lanes, acc));
    storeSums(subgroup.dealBatches(
        k, chunks.codes, chunks.unroll, sums,
        [&](ArrayRef<Value> starts, int64_t n, ArrayRef<Value> carried) {
          SmallVector<Value> next(carried);
          SmallVector<SmallVector<Weights>> weights(starts.size());
          for (auto [at, ofColumns] : llvm::zip(starts, weights))
            for (int64_t j = 0; j < columns; ++j)
              ofColumns.push_back(loadWeights(j, at, n));
          for (auto [at, ofColumns] : llvm::zip(starts, weights))
            multiply(next, ofColumns, at, n);
          return next;
        }));
  }

private:
  /// A chunk of a row of B as it lies in memory, and its scales and zero points
  /// (where there are any) in f32, one per `span` codes.
  struct Weights {
    Value codes, scales, zeros;
  };
  Weights loadWeights(int64_t row, Value at, int64_t n);
  /// One value per span of a chunk's first n codes; load(groupIndex, count).
  Value perSpan(Value at, int64_t n, function_ref<Value(Value, int64_t)> load);
  /// Elements [from, from + n) of a chunk, in the accumulator's type.
  Value decode(const Weights &weights, int64_t from, int64_t n);
  void multiply(MutableArrayRef<Value> sums, ArrayRef<Weights> weights,
                Value at, int64_t n);

  Type acc;
  LaneChunks chunks;
  bool isGrouped;
  int64_t span; ///< codes of a chunk that surely have one scale
  int64_t bits; ///< of a code
  int64_t piece, lanes;
};

Value FloatSubgroupDot::perSpan(Value at, int64_t n,
                                function_ref<Value(Value, int64_t)> load) {
  if (!isGrouped)
    return load(e.index(0), 1);
  int64_t count = (n + span - 1) / span, most = chunks.codes / span;
  auto groupAt = [&](int64_t i) -> Value {
    return e.make<arith::DivUIOp>(e.add(at, i * span), e.index(group));
  };
  if (span == group || most == 1) {
    Value first = groupAt(0);
    auto part = [&](int64_t from, int64_t n) {
      return load(e.add(first, from), n);
    };
    return e.padded(count, most, e.b.getF32Type(), part);
  }
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(e.extract(load(groupAt(i), 1), 0));
  return e.make<vector::FromElementsOp>(e.vec(count, e.b.getF32Type()), values);
}

FloatSubgroupDot::Weights FloatSubgroupDot::loadWeights(int64_t row, Value at,
                                                        int64_t n) {
  Weights weights;
  Value r = e.index(row);
  weights.codes = bits <= 8 ? codes.loadPacked(r, at, n, chunks.codes)
                            : e.padded(n, chunks.codes, elementType(op.getB()),
                                       [&](int64_t from, int64_t count) {
                                         return e.load(op.getB(), count,
                                                       {r, e.add(at, from)});
                                       });
  if (!op.getBScale())
    return weights;
  weights.scales = perSpan(at, n, [&](Value g, int64_t count) {
    return loadScale(op.getBScale(), row, g, count);
  });
  if (op.getBZero())
    weights.zeros = perSpan(at, n, [&](Value g, int64_t count) {
      return FormatVectors(e, *lab::formatOf(op.getCodeType()))
          .toFloat(loadZeros(row, g, count));
    });
  return weights;
}

Value FloatSubgroupDot::decode(const Weights &weights, int64_t from,
                               int64_t n) {
  Value x = bits <= 8 ? FormatVectors(e, *lab::formatOf(op.getCodeType()))
                            .toFloat(codes.unpack(weights.codes, from, n))
                      : e.widen(e.slice(weights.codes, from, n));
  if (!weights.scales)
    return x;
  SmallVector<int64_t> spans;
  for (int64_t i = from; i < from + n; ++i)
    spans.push_back(i / span);
  if (weights.zeros) // exact, which it would not be among the codes
    x = e.make<arith::SubFOp>(x,
                              e.shuffle(weights.zeros, weights.zeros, spans));
  return e.make<arith::MulFOp>(
      x, e.shuffle(weights.scales, weights.scales, spans));
}

void FloatSubgroupDot::multiply(MutableArrayRef<Value> sums,
                                ArrayRef<Weights> weights, Value at,
                                int64_t n) {
  int64_t from = 0;
  for (int64_t width : pieces(n, piece, granule())) {
    SmallVector<Value> b;
    for (const Weights &column : weights)
      b.push_back(decode(column, from, width));
    for (int64_t i = 0; i < rows; ++i) {
      Value a = loadPlain(aCodes, op.getA(), op.getACodeType(), e.index(i),
                          e.add(at, from), width);
      for (int64_t part = 0; part < width; part += lanes)
        for (int64_t j = 0; j < columns; ++j) {
          auto lanesOf = [&](Value v) {
            return e.padded(std::min(width - part, lanes), lanes, acc,
                            [&](int64_t first, int64_t count) {
                              return e.slice(v, part + first, count);
                            });
          };
          Value &sum = sums[i * columns + j];
          sum = e.make<math::FmaOp>(lanesOf(a), lanesOf(b[j]), sum);
        }
    }
    from += width;
  }
}

} // namespace

LogicalResult labgen::lowerFloatSubgroupDot(BodyBuilder &e, lab::GemmOp op) {
  int64_t granule =
      std::max(CodeVectors(e, op.getB(), op.getCodeType()).granule(),
               CodeVectors(e, op.getA(), op.getACodeType()).granule());
  int64_t lanes = e.lanes(elementType(op.getC()));
  auto chunks = LaneChunks::get(e, op, granule, std::max(granule, lanes));
  if (failed(chunks))
    return failure();
  FloatSubgroupDot(e, op, *chunks).run();
  return success();
}
