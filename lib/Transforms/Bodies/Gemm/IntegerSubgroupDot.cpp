// IntegerSubgroupDot.cpp - exact integer dot products by a subgroup of a GPU's
// threads.
//
// A group's products are added as integers, by a thread or by the threads that
// have a part of it, before its scale comes in.
#include "lib/Transforms/Bodies/Gemm/IntegerDot.h"
#include "lib/Transforms/Bodies/Gemm/SubgroupDot.h"

using namespace mlir;
using namespace labgen;

namespace {

class IntegerSubgroupDot : public IntegerDot {
public:
  IntegerSubgroupDot(BodyBuilder &e, lab::GemmOp op, DotProducts dot,
                     LaneChunks chunks)
      : IntegerDot(e, op, dot), own(chunks.codes), unroll(chunks.unroll) {}

  void run();

private:
  /// What a thread has of every row: n codes from column `at`, packed.
  struct Chunk {
    Value at;
    int64_t n;
    SmallVector<Value> a, b;
  };
  /// Deals codes [start, start + n) to the threads; `body` adds a chunk to the
  /// sums. All of B that a batch needs is loaded first.
  SmallVector<Value> deal(Value start, int64_t n, ArrayRef<Value> sums,
                          function_ref<void(Sums, const Chunk &)> body);
  /// Adds the products of a chunk's codes [from, from + n).
  void multiplyPart(Sums products, const Chunk &own, int64_t from, int64_t n);
  SmallVector<Value> noProducts() {
    return SmallVector<Value>(perSet(), e.zeros(dot.type()));
  }
  SmallVector<Value> noSums(int64_t lanes) {
    return startSums(e.vec(lanes, e.b.getF32Type()));
  }
  Value groupOf(Value at) { return e.make<arith::DivUIOp>(at, e.index(group)); }

  /// Every product summed over its lanes and over the `sharing` threads around
  /// this one; the first of them adds it, scaled, to its sums of one lane.
  void addUp(Sums sums, SmallVector<Value> products, Value groupIndex,
             int64_t sharing);
  /// Groups that all threads share, one after the other.
  void wideGroups(SmallVectorImpl<Value> &sums);
  /// Codes [start, start + n) of a group, few enough for i32.
  void partOfWideGroup(Sums sums, Value groupIndex, Value start, int64_t n);
  /// Codes [0, n): a thread's chunk holds whole groups.
  SmallVector<Value> narrowGroups(int64_t n);
  /// Codes [0, n): several threads' chunks are one group.
  SmallVector<Value> sharedGroups(int64_t n);

  int64_t own; ///< codes of a row that a thread takes at once
  int64_t unroll;
};

SmallVector<Value>
IntegerSubgroupDot::deal(Value start, int64_t n, ArrayRef<Value> sums,
                         function_ref<void(Sums, const Chunk &)> body) {
  return subgroup.dealBatches(
      n, own, unroll, sums,
      [&](ArrayRef<Value> starts, int64_t count, ArrayRef<Value> carried) {
        SmallVector<Chunk> chunks;
        for (Value at : starts) {
          chunks.push_back({e.add(start, at), count, {}, {}});
          for (int64_t j = 0; j < columns; ++j)
            chunks.back().b.push_back(
                codes.loadPacked(e.index(j), chunks.back().at, count, own));
        }
        SmallVector<Value> next(carried);
        for (Chunk &chunk : chunks) {
          for (int64_t i = 0; i < rows; ++i)
            chunk.a.push_back(
                aCodes.loadPacked(e.index(i), chunk.at, count, own));
          body(next, chunk);
        }
        return next;
      });
}

void IntegerSubgroupDot::multiplyPart(Sums products, const Chunk &own,
                                      int64_t from, int64_t n) {
  for (int64_t at = from; at < from + n; at += chunk)
    multiply(
        products,
        [&](int64_t i) {
          return dot.prepareA(aCodes.unpack(own.a[i], at, chunk));
        },
        [&](int64_t j) {
          return dot.prepareB(codes.unpack(own.b[j], at, chunk));
        });
}

void IntegerSubgroupDot::addUp(Sums sums, SmallVector<Value> products,
                               Value groupIndex, int64_t sharing) {
  for (Value &product : products) {
    product = e.broadcast(
        e.make<vector::ReductionOp>(vector::CombiningKind::ADD, product), 1);
    for (int64_t distance = sharing / 2; distance; distance /= 2)
      product =
          e.make<arith::AddIOp>(product, subgroup.across(product, distance));
  }
  Value isFirst = e.make<arith::CmpIOp>(
      arith::CmpIPredicate::eq,
      e.make<arith::RemUIOp>(subgroup.lane(), e.index(sharing)), e.index(0));
  SmallVector<Value> before(sums);
  scaleGroup(sums, products, groupIndex);
  for (auto [sum, old] : llvm::zip(sums, before))
    sum = e.make<arith::SelectOp>(isFirst, sum, old);
}

void IntegerSubgroupDot::partOfWideGroup(Sums sums, Value groupIndex,
                                         Value start, int64_t n) {
  addUp(sums,
        deal(start, n, noProducts(),
             [&](Sums products, const Chunk &chunk) {
               multiplyPart(products, chunk, 0, chunk.n);
             }),
        groupIndex, subgroup.size());
}

void IntegerSubgroupDot::wideGroups(SmallVectorImpl<Value> &sums) {
  auto oneGroup = [&](SmallVectorImpl<Value> &sums, Value index, Value start,
                      int64_t n) {
    // So many products of at most 128 * 255 stay within i32.
    constexpr int64_t most = 1 << 16;
    int64_t whole = n / most * most;
    sums =
        e.forLoop(0, whole, most, sums, [&](Value at, ArrayRef<Value> carried) {
          SmallVector<Value> next(carried);
          partOfWideGroup(next, index, e.add(start, at), most);
          return next;
        });
    if (n > whole)
      partOfWideGroup(sums, index, e.add(start, whole), n - whole);
  };
  int64_t length = std::clamp<int64_t>(k, 1, group), groups = k / length;
  sums = e.forLoop(0, groups, 1, sums, [&](Value g, ArrayRef<Value> carried) {
    SmallVector<Value> next(carried);
    oneGroup(next, g, e.mul(g, length), length);
    return next;
  });
  if (int64_t rest = k % length)
    oneGroup(sums, e.index(groups), e.index(k - rest), rest);
}

SmallVector<Value> IntegerSubgroupDot::narrowGroups(int64_t n) {
  int64_t part = std::max(group, chunk);
  return deal(e.index(0), n, noSums(dot.lanes()),
              [&](Sums sums, const Chunk &own) {
                for (int64_t from = 0; from < own.n; from += part) {
                  SmallVector<Value> products = noProducts();
                  multiplyPart(products, own, from, part);
                  Value first = e.add(own.at, from);
                  if (group < chunk)
                    scaleGroupsOfAChunk(sums, products, first);
                  else
                    scaleGroup(sums, products, groupOf(first));
                }
              });
}

SmallVector<Value> IntegerSubgroupDot::sharedGroups(int64_t n) {
  SmallVector<Value> done =
      deal(e.index(0), n, noSums(1), [&](Sums sums, const Chunk &chunk) {
        SmallVector<Value> products = noProducts();
        multiplyPart(products, chunk, 0, chunk.n);
        addUp(sums, products, groupOf(chunk.at), group / own);
      });
  SmallVector<Value> sums = noSums(dot.lanes());
  for (auto [sum, first] : llvm::zip(sums, done))
    sum = e.make<vector::InsertStridedSliceOp>(first, sum, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{1});
  return sums;
}

void IntegerSubgroupDot::run() {
  if (!op.getBScale())
    return storeSums(deal(e.index(0), k, noProducts(),
                          [&](Sums products, const Chunk &chunk) {
                            multiplyPart(products, chunk, 0, chunk.n);
                          }));
  int64_t step = subgroup.size() * own, whole = k / step * step;
  if (group >= k || group % step == 0) {
    SmallVector<Value> sums = noSums(1);
    wideGroups(sums);
    return storeSums(sums);
  }
  bool isNarrow =
      own % group == 0 && (group >= chunk || group % dot.kPerLane() == 0);
  bool isShared =
      group % own == 0 && llvm::isPowerOf2_64(group / own) && group < step;
  SmallVector<Value> sums;
  if (isNarrow)
    sums = narrowGroups(whole);
  else if (isShared)
    sums = sharedGroups(whole);
  else
    whole = 0, sums = noSums(dot.lanes());
  // Of the rest a thread takes whole groups.
  storeSums(subgroup.deal(k - whole, group, sums,
                          [&](Value from, int64_t n, ArrayRef<Value> carried) {
                            SmallVector<Value> next(carried);
                            Value at = e.add(from, whole);
                            oneGroup(next, groupOf(at), at, n);
                            return next;
                          }));
}

} // namespace

LogicalResult labgen::lowerIntegerSubgroupDot(BodyBuilder &e, lab::GemmOp op,
                                              DotProducts dot) {
  auto chunks = LaneChunks::get(e, op, dot.chunk(), dot.chunk());
  if (failed(chunks))
    return failure();
  IntegerSubgroupDot(e, op, dot, *chunks).run();
  return success();
}
