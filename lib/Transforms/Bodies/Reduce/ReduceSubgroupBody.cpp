// ReduceSubgroupBody.cpp - a reduction in the contract's order, shared by a
// subgroup of GPU threads.
//
// The 128 accumulators of `blocked` lie in the threads' registers, neighbouring
// ones in neighbouring threads, so that loads are contiguous; they are folded
// by halves over registers, threads and lanes, in that order. The runs of
// `pairwise` are dealt to the threads, neighbours to neighbours.
#include "lib/Transforms/Bodies/Reduce/ReduceSteps.h"
#include "lib/Transforms/Bodies/Subgroup.h"

using namespace mlir;

namespace labgen::lab {
namespace {

class SubgroupReducer : ReduceSteps {
public:
  SubgroupReducer(BodyBuilder &e, lab::ReduceOp op)
      : ReduceSteps(e, op), subgroup(e),
        width(std::min(e.lanes(acc), numAccumulators / subgroup.size())),
        perRegister(subgroup.size() * width),
        registers(numAccumulators / perRegister) {}

  void run();

private:
  /// Elements [start, start + n) reduced to one value, right on every thread
  /// (pairwise: on the first).
  Value reduce(Value start, int64_t n);
  Value accumulators(Value start, int64_t n);
  Value pairwise(Value start, int64_t n);

  Value foldInOrder(ArrayRef<Value> a, ArrayRef<Value> c);
  /// Run `node` of the sum, one element after the other.
  Value inOrder(Value start, Value node, int64_t n);
  /// The same of runs node, node + stride, ... (one a thread), all whole: loads
  /// are contiguous, and columns of elements change hands between threads.
  Value inOrderTogether(Value start, int64_t node, int64_t stride);
  /// `subgroup` values of every thread, transposed: value i of thread j becomes
  /// value j of thread i.
  void transpose(MutableArrayRef<Value> values);
  /// The node beside `left`, added where there is one: `index` of the pair's
  /// right one is below `count`.
  Value join(Value left, Value right, Value index, int64_t count);

  Subgroup subgroup;
  int64_t width;       ///< accumulators in a thread's register
  int64_t perRegister; ///< and in all threads'
  int64_t registers;
};

Value SubgroupReducer::foldInOrder(ArrayRef<Value> a, ArrayRef<Value> c) {
  SmallVector<Value> pair; // sum and compensation so far
  auto addThread = [&](size_t i, Value thread, ArrayRef<Value> before) {
    Value sums = subgroup.from(a[i], thread),
          comps = subgroup.from(c[i], thread);
    SmallVector<Value> now(before);
    for (int64_t v = 0; v < width; ++v) {
      Value s = e.slice(sums, v, 1), k = e.slice(comps, v, 1);
      if (now.empty())
        now = {s, k};
      else
        addPair(now[0], now[1], s, k);
    }
    return now;
  };
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t first = 0;
    if (pair.empty())
      pair = addThread(i, e.index(first++), {});
    pair = e.forLoop(first, subgroup.size(), 1, pair,
                     [&](Value thread, ArrayRef<Value> before) {
                       return addThread(i, thread, before);
                     });
  }
  return pair.front();
}

Value SubgroupReducer::accumulators(Value start, int64_t n) {
  SmallVector<Value> state(registers, identity(width));
  if (compensated)
    state.append(registers, e.zeros(e.vec(width, acc)));
  auto add = [&](SmallVectorImpl<Value> &now, int64_t i, Value at,
                 int64_t count) {
    Value none;
    step(now[i], compensated ? now[registers + i] : none, at, count);
  };
  constexpr int64_t unroll = 4; // loads in flight
  int64_t whole = n / numAccumulators * numAccumulators;
  int64_t unrolled = whole / (unroll * numAccumulators);
  auto rounds = [&](int64_t from, int64_t to, int64_t together) {
    int64_t step = together * numAccumulators;
    state =
        e.forLoop(from, to, step, state, [&](Value i, ArrayRef<Value> carried) {
          SmallVector<Value> now(carried);
          Value first = e.add(e.add(start, i), e.mul(subgroup.lane(), width));
          for (int64_t at = 0; at < step; at += perRegister)
            add(now, at / perRegister % registers, e.add(first, at), width);
          return now;
        });
  };
  int64_t middle = unrolled * unroll * numAccumulators;
  rounds(0, middle, unroll);
  rounds(middle, whole, 1);
  for (int64_t i = 0; i < registers; ++i) {
    int64_t from = whole + i * perRegister;
    if (from >= n)
      break;
    SmallVector<Value> own = {state[i]};
    if (compensated)
      own.push_back(state[registers + i]);
    own = subgroup.deal(std::min(n - from, perRegister), width, own,
                        [&](Value at, int64_t count, ArrayRef<Value> carried) {
                          SmallVector<Value> now(carried);
                          Value none;
                          step(now[0], compensated ? now[1] : none,
                               e.add(e.add(start, from), at), count);
                          return now;
                        });
    state[i] = own[0];
    if (compensated)
      state[registers + i] = own[1];
  }
  ArrayRef<Value> all(state);
  if (compensated)
    return foldInOrder(all.take_front(registers), all.drop_front(registers));
  return subgroup.foldHalves(all.take_front(registers),
                             [&](Value x, Value y) { return combine(x, y); });
}

Value SubgroupReducer::inOrder(Value start, Value node, int64_t n) {
  Value first = e.add(start, e.mul(node, op.getBlock()));
  return e
      .forLoop(0, n, 1, {identity(1)},
               [&](Value i, ArrayRef<Value> carried) {
                 Value a = carried[0], none;
                 step(a, none, e.add(first, i), 1);
                 return SmallVector<Value>{a};
               })
      .front();
}

void SubgroupReducer::transpose(MutableArrayRef<Value> values) {
  Value lane = subgroup.lane();
  for (int64_t distance = subgroup.size() / 2; distance; distance /= 2) {
    // Threads whose bit is set give their lower value away and keep the upper.
    Value bit = e.make<arith::AndIOp>(lane, e.index(distance));
    Value isUpper =
        e.make<arith::CmpIOp>(arith::CmpIPredicate::ne, bit, e.index(0));
    for (int64_t i = 0; i < subgroup.size(); ++i) {
      if (i & distance)
        continue;
      Value &low = values[i], &high = values[i + distance];
      Value given = e.make<arith::SelectOp>(isUpper, low, high);
      Value taken = subgroup.across(given, distance);
      low = e.make<arith::SelectOp>(isUpper, taken, low);
      high = e.make<arith::SelectOp>(isUpper, high, taken);
    }
  }
}

Value SubgroupReducer::inOrderTogether(Value start, int64_t node,
                                       int64_t stride) {
  int64_t block = op.getBlock(), n = subgroup.size();
  auto columns = [&](Value memref, Value at) {
    SmallVector<Value> values;
    for (int64_t run = 0; run < n; ++run)
      values.push_back(
          load(memref, e.add(at, (node + run * stride) * block), 1));
    transpose(values);
    return values;
  };
  Value first = e.add(start, subgroup.lane());
  return e
      .forLoop(0, block, n, {identity(1)},
               [&](Value i, ArrayRef<Value> carried) {
                 Value a = carried[0], none, at = e.add(first, i);
                 SmallVector<Value> x = columns(op.getX(), at), y(n);
                 if (op.getY())
                   y = columns(op.getY(), at);
                 for (auto [xs, ys] : llvm::zip(x, y))
                   accumulate(a, none, xs, ys);
                 return SmallVector<Value>{a};
               })
      .front();
}

Value SubgroupReducer::join(Value left, Value right, Value index,
                            int64_t count) {
  Value there =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::ult, index, e.index(count));
  return e.make<arith::SelectOp>(there, combine(left, right), left);
}

Value SubgroupReducer::pairwise(Value start, int64_t n) {
  int64_t block = op.getBlock(), runs = n / block;
  int64_t nodes = llvm::divideCeil(n, block);
  int64_t perThread = 1;
  while (perThread * subgroup.size() < nodes)
    perThread *= 2;
  Value lane = subgroup.lane(), firstNode = e.mul(lane, perThread);
  SmallVector<Value> sums;
  bool areWhole =
      runs == perThread * subgroup.size() && block % subgroup.size() == 0;
  for (int64_t i = 0; i < perThread; ++i) {
    if (areWhole) {
      sums.push_back(inOrderTogether(start, i, perThread));
      continue;
    }
    Value node = e.add(firstNode, i), sum = identity(1);
    auto where = [&](arith::CmpIPredicate p, int64_t length) {
      Value holds = e.make<arith::CmpIOp>(p, node, e.index(runs));
      auto choice = e.create<scf::IfOp>(TypeRange{sum.getType()}, holds,
                                        /*withElseRegion=*/true);
      OpBuilder::InsertionGuard restore(e.b);
      e.b.setInsertionPointToStart(choice.elseBlock());
      e.create<scf::YieldOp>(sum);
      e.b.setInsertionPointToStart(choice.thenBlock());
      e.create<scf::YieldOp>(inOrder(start, node, length));
      sum = choice.getResult(0);
    };
    if (runs)
      where(arith::CmpIPredicate::ult, block);
    if (int64_t rest = n % block)
      where(arith::CmpIPredicate::eq, rest);
    sums.push_back(sum);
  }
  int64_t count = nodes;
  for (int64_t held = perThread; held > 1; held /= 2) {
    for (int64_t i = 0; i < held / 2; ++i)
      sums[i] = join(sums[2 * i], sums[2 * i + 1],
                     e.add(e.mul(lane, held), 2 * i + 1), count);
    count = llvm::divideCeil(count, 2);
  }
  Value sum = sums[0];
  for (int64_t distance = 1; distance < subgroup.size(); distance *= 2) {
    Value node = e.make<arith::DivUIOp>(lane, e.index(distance));
    Value right = e.make<arith::OrIOp>(node, e.index(1));
    sum = join(sum, subgroup.across(sum, distance), right, count);
    count = llvm::divideCeil(count, 2);
  }
  return sum;
}

Value SubgroupReducer::reduce(Value start, int64_t n) {
  if (!isMax && op.getOrder() == SumOrder::Pairwise)
    return pairwise(start, n);
  return accumulators(start, n);
}

void SubgroupReducer::run() {
  int64_t n = dimension(op.getX(), 0), span = op.getElementsPerResult();
  if (!op.isPartial()) {
    Value r = reduce(e.index(0), n);
    return subgroup.onLane(0, [&] { storeResult(r); });
  }
  auto one = [&](Value i, int64_t length) {
    Value r = reduce(e.mul(i, span), length);
    subgroup.onLane(0, [&] { e.store(result(r), op.getR(), i); });
  };
  e.forLoop(0, n / span, 1, [&](Value i) { one(i, span); });
  if (int64_t rest = n % span)
    one(e.index(n / span), rest);
}

} // namespace

void lowerSubgroupReduce(lab::ReduceOp op, BodyBuilder &e) {
  SubgroupReducer(e, op).run();
}

} // namespace labgen::lab
