// SoftmaxBody.cpp - softmax of whole rows, by one thread or by a subgroup.
//
// Three passes over a row, which is in a cache after the first: its maximum,
// the sum of the exponentials in the contract's blocked order, the quotients.
// The exponentials are made twice and have the same bits both times. The
// blocked order's 128 accumulators lie in registers as ReduceSubgroupBody.cpp
// says.
#include "lib/Spec/ops/Softmax.h"
#include "lib/Spec/ops/Sums.h"
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/ElementVectors.h"
#include "lib/Transforms/Bodies/Subgroup.h"
#include "lib/Transforms/Numerics/Exp.h"
#include "lib/Transforms/Numerics/FormatVectors.h"

#include <limits>

using namespace mlir;
using namespace labgen;

namespace {

class SoftmaxRow {
public:
  SoftmaxRow(BodyBuilder &e, lab::SoftmaxOp op, Value row)
      : e(e), subgroup(e), in(*lab::formatOf(op.getInType())),
        out(*lab::formatOf(op.getOutType())),
        source(e, rowOf(op.getX(), row), in),
        target(e, rowOf(op.getY(), row), out), shifts(op.getShift()),
        n(lab::elementCount(op)), f32(e.b.getF32Type()),
        width(std::min(e.lanes(f32), numAccumulators / subgroup.size())) {}

  void run();

private:
  static constexpr int64_t numAccumulators = blockAccumulators;

  Value rowOf(Value matrix, Value row);
  Value splat(double value, int64_t lanes) {
    return e.floatSplat(lanes, value, f32);
  }
  /// `count` elements in `lanes` lanes; what is missing is -Inf, which changes
  /// neither a maximum nor a sum of exponentials.
  Value load(Value at, int64_t count, int64_t lanes);
  /// What the formula raises e to: x, or x minus the row's maximum.
  Value exponentials(Value x, Value max);
  Value maximum();
  /// The sum of `size` of the values that `get` gives, `count` of them in a
  /// register from `at` on with zeros behind, by the lanes `who`.
  using Get = llvm::function_ref<Value(Value at, int64_t count)>;
  Value blockSum(Subgroup &who, Value start, int64_t size, Get get);
  Value sumOf(Subgroup &who, int64_t size, Get get);

  BodyBuilder &e;
  Subgroup subgroup;
  Format in, out;
  ElementVectors source, target;
  bool shifts;
  int64_t n;
  Type f32;
  /// Elements in a register of a thread; four of any width fill whole bytes.
  int64_t width;
};

Value SoftmaxRow::rowOf(Value matrix, Value row) {
  auto type = cast<MemRefType>(matrix.getType());
  SmallVector<OpFoldResult> offsets = {row, e.b.getIndexAttr(0)},
                            sizes = {e.b.getIndexAttr(1),
                                     e.b.getIndexAttr(type.getDimSize(1))},
                            strides(2, e.b.getIndexAttr(1));
  MemRefType result = memref::SubViewOp::inferRankReducedResultType(
      {type.getDimSize(1)}, type, offsets, sizes, strides);
  return e.make<memref::SubViewOp>(result, matrix, offsets, sizes, strides);
}

Value SoftmaxRow::load(Value at, int64_t count, int64_t lanes) {
  Value x = FormatVectors(e, in).toFloat(source.load(at, count, lanes));
  if (count == lanes)
    return x;
  Value mask = e.firstLanes(count, lanes);
  Value none = splat(-std::numeric_limits<double>::infinity(), lanes);
  return e.make<arith::SelectOp>(mask, x, none);
}

Value SoftmaxRow::exponentials(Value x, Value max) {
  int64_t lanes = laneCount(x);
  if (shifts)
    x = e.make<arith::SubFOp>(x, e.broadcast(max, lanes));
  return expFloat(e, x);
}

Value SoftmaxRow::maximum() {
  auto larger = [&](Value a, Value b) -> Value {
    return e.make<arith::MaximumFOp>(a, b);
  };
  Value least = splat(-std::numeric_limits<double>::infinity(), width);
  SmallVector<Value> found = subgroup.deal(
      n, width, {least}, [&](Value at, int64_t count, ArrayRef<Value> so) {
        source.prefetch(at, width);
        return SmallVector<Value>{larger(so[0], load(at, count, width))};
      });
  return subgroup.foldHalves(found, larger);
}

Value SoftmaxRow::blockSum(Subgroup &who, Value start, int64_t size, Get get) {
  auto add = [&](Value a, Value b) -> Value {
    return e.make<arith::AddFOp>(a, b);
  };
  int64_t perRegister = who.size() * width;
  int64_t registers = numAccumulators / perRegister;
  int64_t whole = size / numAccumulators * numAccumulators;
  Value first =
      who.size() == 1 ? start : e.add(start, e.mul(who.lane(), width));
  SmallVector<Value> sums = e.forLoop(
      0, whole, numAccumulators, SmallVector<Value>(registers, splat(0, width)),
      [&](Value i, ArrayRef<Value> before) {
        SmallVector<Value> now(before);
        Value at = e.add(first, i);
        for (int64_t r = 0; r < registers; ++r)
          now[r] = add(now[r], get(e.add(at, r * perRegister), width));
        return now;
      });
  for (int64_t r = 0; r < registers; ++r) {
    int64_t from = whole + r * perRegister;
    if (from >= size)
      break;
    sums[r] =
        who.deal(std::min(size - from, perRegister), width, {sums[r]},
                 [&](Value at, int64_t count, ArrayRef<Value> before) {
                   Value where = e.add(e.add(start, from), at);
                   return SmallVector<Value>{add(before[0], get(where, count))};
                 })
            .front();
  }
  return who.foldHalves(sums, add);
}

/// Blocks, then the sums of blocks by the same rule. Every lane has all of
/// those, in memory of its own, and adds them by itself.
Value SoftmaxRow::sumOf(Subgroup &who, int64_t size, Get get) {
  if (size <= softmaxBlock)
    return blockSum(who, e.index(0), size, get);
  int64_t blocks = llvm::divideCeil(size, softmaxBlock),
          last = size % softmaxBlock;
  Value sums = e.localBuffer(llvm::alignTo(blocks, width), f32);
  e.forLoop(0, size / softmaxBlock, 1, [&](Value i) {
    e.store(blockSum(who, e.mul(i, softmaxBlock), softmaxBlock, get), sums, i);
  });
  if (last)
    e.store(blockSum(who, e.index(size - last), last, get), sums,
            e.index(blocks - 1));
  Subgroup alone = Subgroup::alone(e);
  return sumOf(alone, blocks, [&](Value at, int64_t count) {
    return e.padded(count, width, f32, [&](int64_t from, int64_t items) {
      return e.load(sums, items, e.add(at, from));
    });
  });
}

void SoftmaxRow::run() {
  Value max = shifts ? maximum() : Value();
  Value sum = sumOf(subgroup, n, [&](Value at, int64_t count) {
    return exponentials(load(at, count, width), max);
  });
  FormatVectors result(e, out);
  CastRules rules = CastRules::defaultsOf(out);
  subgroup.deal(n, width, [&](Value at, int64_t count) {
    Value x = exponentials(load(at, count, width), max);
    Value quotient = e.make<arith::DivFOp>(x, e.broadcast(sum, width));
    target.store(result.fromFloat(quotient, rules), at, count);
  });
}

struct SoftmaxBody : lab::LabBody::ExternalModel<SoftmaxBody, lab::SoftmaxOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    if (failed(requireStatic(op)))
      return failure();
    auto softmax = cast<lab::SoftmaxOp>(op);
    BodyBuilder e(op, vectorBytes);
    if (lab::elementCount(softmax) > 0)
      e.forLoop(0, dimension(softmax.getX(), 0), 1,
                [&](Value row) { SoftmaxRow(e, softmax, row).run(); });
    op->erase();
    return success();
  }
  bool dealsToThreads(Operation *) const { return true; }
};

} // namespace

void labgen::registerSoftmaxBody(DialectRegistry &registry) {
  registerBody<lab::SoftmaxOp, SoftmaxBody>(registry);
}
