// IntegerDotBody.cpp - exact integer dot products, scaled per group in f32
// where the codes have scales.
#include "lib/Transforms/Bodies/Gemm/DotProducts.h"
#include "lib/Transforms/Bodies/Gemm/DotTile.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

void DotTile::storeSums(ArrayRef<Value> sums) {
  Type acc = elementType(op.getC());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      Value sum = sums[i * columns + j];
      for (size_t s = i * columns + j + outputs(); s < sums.size();
           s += outputs())
        sum = isa<FloatType>(acc) ? e.make<arith::AddFOp>(sum, sums[s])
                                  : e.make<arith::AddIOp>(sum, sums[s]);
      // The order within a sum is free, so let it be a tree.
      Value total =
          isa<FloatType>(acc)
              ? e.make<vector::ReductionOp>(vector::CombiningKind::ADD, sum,
                                            arith::FastMathFlags::reassoc)
              : e.make<vector::ReductionOp>(vector::CombiningKind::ADD, sum);
      auto add = [&](Value x, Value y) {
        return isa<FloatType>(acc) ? e.make<arith::AddFOp>(x, y)
                                   : e.make<arith::AddIOp>(x, y);
      };
      if (team.size() > 1)
        total = e.extract(team.reduce(e.broadcast(total, 1), add), 0);
      SmallVector<Value> at = {e.index(i), e.index(j)};
      team.onLane((i * columns + j) % team.size(), [&] {
        Value sum = total;
        if (op.getAccumulate())
          sum = add(e.make<memref::LoadOp>(op.getC(), at), sum);
        e.create<memref::StoreOp>(sum, op.getC(), at);
      });
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
  /// Sums of one set: products, an output each, then with zero points the sums
  /// of A's codes, a row each.
  int64_t perSet() { return outputs() + (op.getBZero() ? rows : 0); }
  /// Adds products of codes [at, at + n), n <= chunk.
  void step(MutableArrayRef<Value> products, Value at, int64_t n);
  /// Sums of a (b - zero) from those of a b; `zero(row)` of B in lanes, as i32.
  void subtractZeros(MutableArrayRef<Value> products,
                     function_ref<Value(int64_t)> zero);
  /// Products of codes [start, start + n) from `products` on: one set of sums,
  /// or several.
  SmallVector<Value> walk(SmallVector<Value> products, Value start, int64_t n);
  /// sums += products * scales, lane by lane; `scale(tensor, row)` in lanes.
  void scaleInto(MutableArrayRef<Value> sums, ArrayRef<Value> products,
                 function_ref<Value(Value, int64_t)> scale);
  /// Zero points as i32.
  Value wideZeros(int64_t row, Value groupIndex, int64_t n) {
    VectorType i32 = e.vec(n, e.b.getI32Type());
    Value zeros = loadZeros(row, groupIndex, n);
    return op.getCodeType().isUnsignedInteger()
               ? e.make<arith::ExtUIOp>(i32, zeros)
               : e.make<arith::ExtSIOp>(i32, zeros);
  }
  /// Codes [start, start + n) of one group, few enough for i32.
  void partOfGroup(MutableArrayRef<Value> sums, Value groupIndex, Value start,
                   int64_t n);
  /// All of k, dealt to several threads of a GPU.
  SmallVector<Value> share(SmallVector<Value> sums);
  void shareGroups(MutableArrayRef<Value> sums, int64_t n);
  void oneGroup(MutableArrayRef<Value> sums, Value groupIndex, Value start,
                int64_t n);
  void groupsOfAChunk(MutableArrayRef<Value> sums, Value at);
  /// for i in [from, to): body adds iteration i to one set of the sums, sets in
  /// turn.
  SmallVector<Value>
  takeTurns(int64_t from, int64_t to, SmallVector<Value> sums,
            function_ref<void(MutableArrayRef<Value>, Value)> body);

  DotProducts dot;
  int64_t chunk;
};

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

void IntegerDot::step(MutableArrayRef<Value> products, Value at, int64_t n) {
  SmallVector<Value> a;
  for (int64_t i = 0; i < rows; ++i) {
    a.push_back(loadA(i, at, n));
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
    Value b = loadB(j, at, n);
    for (int64_t i = 0; i < rows; ++i) {
      Value &product = products[i * columns + j];
      product = dot.add(product, a[i], b);
    }
  }
}

SmallVector<Value>
IntegerDot::takeTurns(int64_t from, int64_t to, SmallVector<Value> sums,
                      function_ref<void(MutableArrayRef<Value>, Value)> body) {
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
    auto one = [&](MutableArrayRef<Value> set, Value i) {
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
  MutableArrayRef<Value> first(products);
  for (int64_t at = (whole - unrolled) * chunk; at < n; at += chunk)
    step(first.take_front(perSet()), e.add(start, at), std::min(chunk, n - at));
  return products;
}

void IntegerDot::subtractZeros(MutableArrayRef<Value> products,
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

void IntegerDot::scaleInto(MutableArrayRef<Value> sums,
                           ArrayRef<Value> products,
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

void IntegerDot::oneGroup(MutableArrayRef<Value> sums, Value groupIndex,
                          Value start, int64_t n) {
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

void IntegerDot::partOfGroup(MutableArrayRef<Value> sums, Value groupIndex,
                             Value start, int64_t n) {
  SmallVector<Value> products = walk(SmallVector<Value>(perSet()), start, n);
  if (op.getBZero())
    subtractZeros(products, [&](int64_t row) {
      return e.broadcast(wideZeros(row, groupIndex, 1), dot.lanes());
    });
  scaleInto(sums, products, [&](Value scale, int64_t row) {
    return e.broadcast(loadScale(scale, row, groupIndex, 1), dot.lanes());
  });
}

/// A chunk that holds several groups: every lane lies in one of them.
void IntegerDot::groupsOfAChunk(MutableArrayRef<Value> sums, Value at) {
  SmallVector<Value> products(perSet());
  step(products, at, chunk);
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

SmallVector<Value> IntegerDot::share(SmallVector<Value> sums) {
  if (!op.getBScale())
    return team.deal(k, chunk, sums,
                     [&](Value at, int64_t n, ArrayRef<Value> carried) {
                       SmallVector<Value> next(carried);
                       step(next, at, n);
                       return next;
                     });
  int64_t whole = 0;
  if (group % chunk == 0 && llvm::isPowerOf2_64(group / chunk) &&
      group / chunk <= team.size())
    whole = k / (team.size() * chunk) * team.size() * chunk;
  shareGroups(sums, whole);
  // Of the rest a thread takes whole groups.
  return team.deal(k - whole, group, sums,
                   [&](Value from, int64_t n, ArrayRef<Value> carried) {
                     SmallVector<Value> next(carried);
                     Value at = e.add(from, whole);
                     oneGroup(next, e.make<arith::DivUIOp>(at, e.index(group)),
                              at, n);
                     return next;
                   });
}

/// Neighbouring threads share a group: they add their products as integers,
/// the first of them scales the sum.
void IntegerDot::shareGroups(MutableArrayRef<Value> sums, int64_t n) {
  if (n == 0)
    return;
  int64_t sharing = group / chunk;
  Value lane = team.lane();
  Value isFirst = e.make<arith::CmpIOp>(
      arith::CmpIPredicate::eq, e.make<arith::RemUIOp>(lane, e.index(sharing)),
      e.index(0));
  SmallVector<Value> none(outputs(), e.zeros(e.vec(1, e.b.getF32Type())));
  SmallVector<Value> shared = e.forLoop(
      0, n, team.size() * chunk, none, [&](Value i, ArrayRef<Value> before) {
        Value at = e.add(i, e.mul(lane, chunk));
        Value g = e.make<arith::DivUIOp>(at, e.index(group));
        SmallVector<Value> products(perSet()), next(before);
        step(products, at, chunk);
        for (Value &product : products) {
          product = e.broadcast(
              e.make<vector::ReductionOp>(vector::CombiningKind::ADD, product),
              1);
          for (int64_t d = sharing / 2; d; d /= 2)
            product = e.make<arith::AddIOp>(product, team.across(product, d));
        }
        if (op.getBZero())
          subtractZeros(products,
                        [&](int64_t row) { return wideZeros(row, g, 1); });
        scaleInto(next, products, [&](Value scale, int64_t row) {
          return loadScale(scale, row, g, 1);
        });
        for (auto [sum, old] : llvm::zip(next, before))
          sum = e.make<arith::SelectOp>(isFirst, sum, old);
        return next;
      });
  for (auto [sum, own] : llvm::zip(sums, shared))
    sum = e.make<vector::InsertStridedSliceOp>(own, sum, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{1});
}

void IntegerDot::run() {
  if (team.size() > 1) {
    Type acc = op.getBScale() ? Type(e.b.getF32Type()) : e.b.getI32Type();
    return storeSums(share(startSums(e.vec(dot.lanes(), acc))));
  }
  if (!op.getBScale())
    return storeSums(walk(startSums(dot.type()), e.index(0), k));
  SmallVector<Value> sums = startSums(e.vec(dot.lanes(), e.b.getF32Type()));
  int64_t byChunk = 0;
  if (group < chunk && chunk % group == 0 && group % dot.kPerLane() == 0)
    byChunk = k / chunk * chunk;
  sums = takeTurns(0, byChunk / chunk, sums,
                   [&](MutableArrayRef<Value> set, Value i) {
                     groupsOfAChunk(set, e.mul(i, chunk));
                   });
  sums = takeTurns(byChunk / group, k / group, sums,
                   [&](MutableArrayRef<Value> set, Value g) {
                     oneGroup(set, g, e.mul(g, group), group);
                   });
  if (int64_t rest = k % group)
    oneGroup(setOf(sums, 0), e.index(k / group), e.index(k - rest), rest);
  storeSums(sums);
}

} // namespace

LogicalResult labgen::lowerIntegerDot(BodyBuilder &e, lab::GemmOp op) {
  FailureOr<DotProducts> dot =
      DotProducts::get(e, op, op.getACodeType().isUnsignedInteger(),
                       op.getCodeType().isUnsignedInteger());
  if (failed(dot))
    return failure();
  IntegerDot(e, op, *dot).run();
  return success();
}
