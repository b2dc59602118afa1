// IntegerDotBody.cpp - exact integer dot products, scaled per group in f32
// where the codes have scales.
#include "lib/Transforms/Bodies/DotProducts.h"
#include "lib/Transforms/Bodies/DotTile.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

void DotTile::storeSums(ArrayRef<Value> sums) {
  Type acc = elementType(op.getC());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      Value sum = sums[i * columns + j];
      // The order within a sum is free, so let it be a tree.
      Value total =
          isa<FloatType>(acc)
              ? e.make<vector::ReductionOp>(vector::CombiningKind::ADD, sum,
                                            arith::FastMathFlags::reassoc)
              : e.make<vector::ReductionOp>(vector::CombiningKind::ADD, sum);
      SmallVector<Value> at = {e.index(i), e.index(j)};
      if (op.getAccumulate()) {
        Value before = e.make<memref::LoadOp>(op.getC(), at);
        total = isa<FloatType>(acc) ? e.make<arith::AddFOp>(before, total)
                                    : e.make<arith::AddIOp>(before, total);
      }
      e.create<memref::StoreOp>(total, op.getC(), at);
    }
}

namespace {

class IntegerDot : public DotTile {
public:
  IntegerDot(BodyBuilder &e, lab::GemmOp op, DotProducts dot)
      : DotTile(e, op), dot(dot), chunk(dot.chunk()) {}

  void run();

private:
  Value loadA(int64_t row, Value at, int64_t n);
  Value loadB(int64_t row, Value at, int64_t n);
  /// Adds products of codes [at, at + n), n <= chunk.
  void step(SmallVectorImpl<Value> &products, Value at, int64_t n);
  /// Products of codes [start, start + n) from `products` on.
  SmallVector<Value> walk(SmallVector<Value> products, Value start, int64_t n);
  /// sums += products * scales, lane by lane; `scale(tensor, row)` in lanes.
  void scaleInto(SmallVectorImpl<Value> &sums, ArrayRef<Value> products,
                 function_ref<Value(Value, int64_t)> scale);
  SmallVector<Value> oneGroup(ArrayRef<Value> sums, Value groupIndex,
                              Value start, int64_t n);
  SmallVector<Value> groupsOfAChunk(ArrayRef<Value> sums, Value at);

  DotProducts dot;
  int64_t chunk;
};

Value IntegerDot::loadA(int64_t row, Value at, int64_t n) {
  Type i8 = e.b.getI8Type();
  return dot.prepareA(e.padded(n, chunk, i8, [&](int64_t from, int64_t count) {
    return e.load(op.getA(), count, {e.index(row), e.add(at, from)});
  }));
}

Value IntegerDot::loadB(int64_t row, Value at, int64_t n) {
  Type i8 = e.b.getI8Type();
  if (n == chunk)
    e.prefetch(op.getB(), e.index(row), at);
  return dot.prepareB(e.padded(n, chunk, i8, [&](int64_t from, int64_t count) {
    return loadCodes(e.index(row), e.add(at, from), count);
  }));
}

void IntegerDot::step(SmallVectorImpl<Value> &products, Value at, int64_t n) {
  SmallVector<Value> a;
  for (int64_t i = 0; i < rows; ++i) {
    a.push_back(loadA(i, at, n));
    Value start = dot.start(a.back());
    for (int64_t j = 0; j < columns; ++j) {
      Value &product = products[i * columns + j];
      product = product ? e.make<arith::AddIOp>(product, start) : start;
    }
  }
  for (int64_t j = 0; j < columns; ++j) {
    Value b = loadB(j, at, n);
    for (int64_t i = 0; i < rows; ++i) {
      Value &product = products[i * columns + j];
      product = dot.add(product, a[i], b);
    }
  }
}

SmallVector<Value> IntegerDot::walk(SmallVector<Value> products, Value start,
                                    int64_t n) {
  int64_t whole = n / chunk * chunk, at = 0;
  if (whole > 8 * chunk) {
    for (Value &product : products)
      if (!product)
        product = e.zeros(dot.type());
    products = e.forLoop(0, whole, chunk, products,
                         [&](Value i, ArrayRef<Value> carried) {
                           SmallVector<Value> next(carried);
                           step(next, e.add(start, i), chunk);
                           return next;
                         });
    at = whole;
  }
  for (; at < n; at += chunk)
    step(products, e.add(start, at), std::min(chunk, n - at));
  return products;
}

void IntegerDot::scaleInto(SmallVectorImpl<Value> &sums,
                           ArrayRef<Value> products,
                           function_ref<Value(Value, int64_t)> scale) {
  VectorType f32 = e.vec(dot.lanes(), e.b.getF32Type());
  SmallVector<Value> scaleA;
  for (int64_t i = 0; i < rows; ++i)
    scaleA.push_back(scale(op.getAScale(), i));
  for (int64_t j = 0; j < columns; ++j) {
    Value scaleB = scale(op.getBScale(), j);
    for (int64_t i = 0; i < rows; ++i) {
      Value &sum = sums[i * columns + j];
      Value x = e.make<arith::SIToFPOp>(f32, products[i * columns + j]);
      Value both = e.make<arith::MulFOp>(scaleA[i], scaleB);
      sum = e.make<math::FmaOp>(x, both, sum);
    }
  }
}

SmallVector<Value> IntegerDot::oneGroup(ArrayRef<Value> sums, Value groupIndex,
                                        Value start, int64_t n) {
  SmallVector<Value> next(sums);
  SmallVector<Value> products = walk(SmallVector<Value>(sums.size()), start, n);
  scaleInto(next, products, [&](Value scale, int64_t row) {
    return e.broadcast(loadScale(scale, row, groupIndex, 1), dot.lanes());
  });
  return next;
}

/// A chunk that holds several groups: every lane lies in one of them.
SmallVector<Value> IntegerDot::groupsOfAChunk(ArrayRef<Value> sums, Value at) {
  SmallVector<Value> next(sums), products(sums.size());
  step(products, at, chunk);
  Value firstGroup = e.make<arith::DivUIOp>(at, e.index(group));
  SmallVector<int64_t> groupOfLane;
  for (int64_t lane = 0; lane < dot.lanes(); ++lane)
    groupOfLane.push_back(lane * dot.kPerLane() / group);
  scaleInto(next, products, [&](Value scale, int64_t row) {
    Value scales = loadScale(scale, row, firstGroup, chunk / group);
    return e.shuffle(scales, scales, groupOfLane);
  });
  return next;
}

void IntegerDot::run() {
  SmallVector<Value> sums(rows * columns);
  if (!op.getBScale()) {
    sums = walk(sums, e.index(0), k);
    for (Value &sum : sums)
      sum = sum ? sum : e.zeros(dot.type());
    return storeSums(sums);
  }
  for (Value &sum : sums)
    sum = e.zeros(e.vec(dot.lanes(), e.b.getF32Type()));
  int64_t byChunk = 0;
  if (group < chunk && chunk % group == 0 && group % dot.kPerLane() == 0)
    byChunk = k / chunk * chunk;
  sums = e.forLoop(0, byChunk, chunk, sums,
                   [&](Value at, ArrayRef<Value> carried) {
                     return groupsOfAChunk(carried, at);
                   });
  sums = e.forLoop(byChunk / group, k / group, 1, sums,
                   [&](Value g, ArrayRef<Value> carried) {
                     return oneGroup(carried, g, e.mul(g, group), group);
                   });
  if (int64_t rest = k % group)
    sums = oneGroup(sums, e.index(k / group), e.index(k - rest), rest);
  storeSums(sums);
}

} // namespace

LogicalResult labgen::lowerIntegerDot(BodyBuilder &e, lab::GemmOp op) {
  FailureOr<DotProducts> dot = DotProducts::get(e, op);
  if (failed(dot))
    return failure();
  IntegerDot(e, op, *dot).run();
  return success();
}
