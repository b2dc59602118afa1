// IntegerDotBody.cpp - see IntegerDot.h.
#include "lib/Transforms/Bodies/Gemm/IntegerDot.h"
#include "lib/Transforms/Bodies/Gemm/SubgroupDot.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

Value IntegerDot::loadA(int64_t row, Value at, int64_t n) {
  Type i8 = e.b.getI8Type();
  return dot.prepareA(e.padded(
      n, chunk, i8,
      [&](int64_t from, int64_t count) {
        return aCodes.load(e.index(row), e.add(at, from), count);
      },
      granule()));
}

Value IntegerDot::loadB(int64_t row, Value at, int64_t n) {
  Type i8 = e.b.getI8Type();
  if (n == chunk)
    e.prefetch(op.getB(), e.index(row), at);
  return dot.prepareB(e.padded(
      n, chunk, i8,
      [&](int64_t from, int64_t count) {
        return loadCodes(e.index(row), e.add(at, from), count);
      },
      granule()));
}

void IntegerDot::multiply(Sums products, Row loadA, Row loadB) {
  SmallVector<Value> a;
  for (int64_t i = 0; i < rows; ++i) {
    a.push_back(loadA(i));
    if (op.getBZero()) {
      // The sums make up for both, zero points and a shift of B's codes.
      Value &sum = products[outputs() + i];
      sum = dot.addSum(sum ? sum : e.zeros(dot.type()), a.back());
    }
    Value start = op.getBZero() ? e.zeros(dot.type()) : dot.start(a.back());
    for (int64_t j = 0; j < columns; ++j) {
      Value &product = products[i * columns + j];
      product = product ? e.make<arith::AddIOp>(product, start) : start;
    }
  }
  for (int64_t j = 0; j < columns; ++j) {
    Value b = loadB(j);
    for (int64_t i = 0; i < rows; ++i) {
      Value &product = products[i * columns + j];
      product = dot.add(product, a[i], b);
    }
  }
}

void IntegerDot::step(Sums products, Value at, int64_t n) {
  multiply(
      products, [&](int64_t row) { return loadA(row, at, n); },
      [&](int64_t row) { return loadB(row, at, n); });
}

Value IntegerDot::wideZeros(int64_t row, Value groupIndex, int64_t n) {
  VectorType i32 = e.vec(n, e.b.getI32Type());
  Value zeros = loadZeros(row, groupIndex, n);
  return op.getCodeType().isUnsignedInteger()
             ? e.make<arith::ExtUIOp>(i32, zeros)
             : e.make<arith::ExtSIOp>(i32, zeros);
}

SmallVector<Value> IntegerDot::takeTurns(int64_t from, int64_t to,
                                         SmallVector<Value> sums,
                                         function_ref<void(Sums, Value)> body) {
  int64_t whole = from + (to - from) / sets * sets;
  sums =
      e.forLoop(from, whole, sets, sums, [&](Value i, ArrayRef<Value> carried) {
        SmallVector<Value> next(carried);
        for (int64_t s = 0; s < sets; ++s)
          body(setOf(next, s), e.add(i, s));
        return next;
      });
  for (int64_t i = whole; i < to; ++i)
    body(setOf(sums, i - whole), e.index(i));
  return sums;
}

SmallVector<Value> IntegerDot::walk(SmallVector<Value> products, Value start,
                                    int64_t n) {
  int64_t whole = n / chunk, unrolled = whole > 8 ? 0 : whole;
  if (!unrolled) {
    for (Value &product : products)
      if (!product)
        product = e.zeros(dot.type());
    bool several = static_cast<int64_t>(products.size()) > perSet();
    auto one = [&](Sums set, Value i) {
      step(set, e.add(start, e.mul(i, chunk)), chunk);
    };
    if (several)
      products = takeTurns(0, whole, products, one);
    else
      products = e.forLoop(0, whole, 1, products,
                           [&](Value i, ArrayRef<Value> carried) {
                             SmallVector<Value> next(carried);
                             one(next, i);
                             return next;
                           });
  }
  Sums first(products);
  for (int64_t at = (whole - unrolled) * chunk; at < n; at += chunk)
    step(first.take_front(perSet()), e.add(start, at), std::min(chunk, n - at));
  return products;
}

void IntegerDot::subtractZeros(Sums products,
                               function_ref<Value(int64_t)> zero) {
  int64_t n = cast<VectorType>(products[0].getType()).getDimSize(0);
  // Modulo 2^32, where only the difference has to fit.
  for (int64_t j = 0; j < columns; ++j) {
    Value z = e.make<arith::AddIOp>(zero(j), e.intSplat(n, dot.offset(), 32));
    for (int64_t i = 0; i < rows; ++i) {
      Value &product = products[i * columns + j];
      product = e.make<arith::SubIOp>(
          product, e.make<arith::MulIOp>(z, products[outputs() + i]));
    }
  }
}

void IntegerDot::scaleInto(Sums sums, ArrayRef<Value> products,
                           function_ref<Value(Value, int64_t)> scale) {
  int64_t n = cast<VectorType>(products[0].getType()).getDimSize(0);
  VectorType f32 = e.vec(n, e.b.getF32Type());
  SmallVector<Value> scaleA;
  for (int64_t i = 0; i < rows; ++i)
    scaleA.push_back(scale(op.getAScale(), i));
  // Two finite scales may multiply to Inf; what they scale may be 0.
  Value max = e.floatSplat(n, 0x1.fffffep127, e.b.getF32Type());
  auto above = [&](Value x, Value limit, Value then, Value otherwise) {
    Value isAbove = e.make<arith::CmpFOp>(arith::CmpFPredicate::OLT, limit, x);
    return e.make<arith::SelectOp>(isAbove, then, otherwise);
  };
  for (int64_t j = 0; j < columns; ++j) {
    Value scaleB = scale(op.getBScale(), j);
    Value limit = above(scaleB, max, scaleB, max); // an Inf given stays
    for (int64_t i = 0; i < rows; ++i) {
      Value &sum = sums[i * columns + j];
      Value x = e.make<arith::SIToFPOp>(f32, products[i * columns + j]);
      Value both = e.make<arith::MulFOp>(scaleA[i], scaleB);
      both = above(both, limit, limit, both); // NaN stays
      sum = e.make<math::FmaOp>(x, both, sum);
    }
  }
}

void IntegerDot::oneGroup(Sums sums, Value groupIndex, Value start, int64_t n) {
  // A lane takes 2^16 products of at most 128 * 255 without leaving i32.
  int64_t most = dot.lanes() << 16, whole = n / most * most;
  SmallVector<Value> done =
      e.forLoop(0, whole, most, SmallVector<Value>(sums),
                [&](Value at, ArrayRef<Value> carried) {
                  SmallVector<Value> next(carried);
                  partOfGroup(next, groupIndex, e.add(start, at), most);
                  return next;
                });
  llvm::copy(done, sums.begin());
  if (n > whole)
    partOfGroup(sums, groupIndex, e.add(start, whole), n - whole);
}

void IntegerDot::partOfGroup(Sums sums, Value groupIndex, Value start,
                             int64_t n) {
  SmallVector<Value> products = walk(SmallVector<Value>(perSet()), start, n);
  scaleGroup(sums, products, groupIndex);
}

void IntegerDot::scaleGroup(Sums sums, Sums products, Value groupIndex) {
  int64_t n = cast<VectorType>(products[0].getType()).getDimSize(0);
  if (op.getBZero())
    subtractZeros(products, [&](int64_t row) {
      return e.broadcast(wideZeros(row, groupIndex, 1), n);
    });
  scaleInto(sums, products, [&](Value scale, int64_t row) {
    return e.broadcast(loadScale(scale, row, groupIndex, 1), n);
  });
}

void IntegerDot::scaleGroupsOfAChunk(Sums sums, Sums products, Value at) {
  Value firstGroup = e.make<arith::DivUIOp>(at, e.index(group));
  SmallVector<int64_t> groupOfLane;
  for (int64_t lane = 0; lane < dot.lanes(); ++lane)
    groupOfLane.push_back(lane * dot.kPerLane() / group);
  if (op.getBZero())
    subtractZeros(products, [&](int64_t row) {
      Value zeros = wideZeros(row, firstGroup, chunk / group);
      return e.shuffle(zeros, zeros, groupOfLane);
    });
  scaleInto(sums, products, [&](Value scale, int64_t row) {
    Value scales = loadScale(scale, row, firstGroup, chunk / group);
    return e.shuffle(scales, scales, groupOfLane);
  });
}

void IntegerDot::run() {
  if (!op.getBScale())
    return storeSums(walk(startSums(dot.type()), e.index(0), k));
  SmallVector<Value> sums = startSums(e.vec(dot.lanes(), e.b.getF32Type()));
  int64_t byChunk = 0;
  if (group < chunk && chunk % group == 0 && group % dot.kPerLane() == 0)
    byChunk = k / chunk * chunk;
  sums = takeTurns(0, byChunk / chunk, sums, [&](Sums set, Value i) {
    Value at = e.mul(i, chunk);
    SmallVector<Value> products(perSet());
    step(products, at, chunk);
    scaleGroupsOfAChunk(set, products, at);
  });
  sums = takeTurns(byChunk / group, k / group, sums, [&](Sums set, Value g) {
    oneGroup(set, g, e.mul(g, group), group);
  });
  if (int64_t rest = k % group)
    oneGroup(setOf(sums, 0), e.index(k / group), e.index(k - rest), rest);
  storeSums(sums);
}

LogicalResult labgen::lowerIntegerDot(BodyBuilder &e, lab::GemmOp op) {
  FailureOr<DotProducts> dot =
      DotProducts::get(e, op, op.getACodeType().isUnsignedInteger(),
                       op.getCodeType().isUnsignedInteger());
  if (failed(dot))
    return failure();
  if (Subgroup(e).size() > 1)
    return lowerIntegerSubgroupDot(e, op, *dot);
  IntegerDot(e, op, *dot).run();
  return success();
}
