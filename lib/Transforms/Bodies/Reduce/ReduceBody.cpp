// ReduceBody.cpp - reductions in exactly the order the contract gives, on a
// static run of elements.
//
// `blocked` is vector code as it stands: its 128 accumulators are whole
// registers, folded by halves. Missing elements of a last, short step leave
// their accumulators alone.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/Reduce/ReduceSteps.h"
#include "lib/Transforms/Bodies/Subgroup.h"

using namespace mlir;

namespace labgen::lab {
namespace {

class Reducer : ReduceSteps {
public:
  Reducer(BodyBuilder &e, lab::ReduceOp op) : ReduceSteps(e, op) {}

  void run();

private:
  /// Elements [start, start + n) reduced to one value.
  Value reduce(Value start, int64_t n);
  Value accumulators(Value start, int64_t n);
  Value inOrder(Value start, int64_t n);
  Value pairwise(Value start, int64_t n);

  /// `lanes` runs of `block` elements, one a lane, each in order.
  Value inOrderSideBySide(Value start, int64_t block, int64_t lanes);

  Value compensatedSum(Value start, int64_t n);

  Value foldInOrder(ArrayRef<Value> a, ArrayRef<Value> c);
};

/// Pair 0 takes every other sum, then the other's compensation. A loop over
/// memory on a CPU, where straight code is long and no faster.
Value Reducer::foldInOrder(ArrayRef<Value> a, ArrayRef<Value> c) {
  if (!e.isSimt) {
    Value sums = e.localBuffer(numAccumulators, acc);
    Value comps = e.localBuffer(numAccumulators, acc);
    int64_t at = 0;
    for (auto [vectorA, vectorC] : llvm::zip(a, c)) {
      e.store(vectorA, sums, e.index(at));
      e.store(vectorC, comps, e.index(at));
      at += cast<VectorType>(vectorA.getType()).getDimSize(0);
    }
    Value zero = e.index(0);
    return e
        .forLoop(1, numAccumulators, 1,
                 {e.load(sums, 1, zero), e.load(comps, 1, zero)},
                 [&](Value i, ArrayRef<Value> before) {
                   SmallVector<Value> pair(before);
                   addPair(pair[0], pair[1], e.load(sums, 1, i),
                           e.load(comps, 1, i));
                   return pair;
                 })
        .front();
  }
  Value sum, comp;
  for (auto [vectorA, vectorC] : llvm::zip(a, c)) {
    int64_t lanes = cast<VectorType>(vectorA.getType()).getDimSize(0);
    for (int64_t i = 0; i < lanes; ++i) {
      Value s = e.slice(vectorA, i, 1), k = e.slice(vectorC, i, 1);
      if (!sum) {
        sum = s, comp = k;
        continue;
      }
      addPair(sum, comp, s, k);
    }
  }
  return sum;
}

Value Reducer::accumulators(Value start, int64_t n) {
  int64_t lanes = std::min(e.lanes(acc), numAccumulators);
  int64_t registers = numAccumulators / lanes;
  SmallVector<Value> carried(registers, identity(lanes));
  if (compensated)
    carried.append(registers, e.zeros(e.vec(lanes, acc)));
  auto stepAll = [&](Value at, SmallVector<Value> &state, int64_t count) {
    for (int64_t i = 0; i < registers && count > 0; ++i, count -= lanes) {
      Value none;
      step(state[i], compensated ? state[registers + i] : none,
           e.add(at, i * lanes), std::min(count, lanes));
    }
  };
  int64_t whole = n / numAccumulators * numAccumulators;
  SmallVector<Value> state = e.forLoop(0, whole, numAccumulators, carried,
                                       [&](Value i, ArrayRef<Value> now) {
                                         SmallVector<Value> next(now);
                                         Value at = e.add(start, i);
                                         e.prefetch(op.getX(), Value(), at);
                                         stepAll(at, next, numAccumulators);
                                         return next;
                                       });
  stepAll(e.add(start, whole), state, n - whole);
  ArrayRef<Value> all(state);
  if (compensated)
    return foldInOrder(all.take_front(registers), all.drop_front(registers));
  return Subgroup::alone(e).foldHalves(
      all.take_front(registers),
      [&](Value x, Value y) { return combine(x, y); });
}

/// Without a look at corrections, which would cost every step time. One that
/// should have been dropped leaves no finite sum once it is used: then the sum
/// is made again.
Value Reducer::compensatedSum(Value start, int64_t n) {
  dropsCorrections = false;
  Value sum = accumulators(start, n);
  dropsCorrections = true;
  auto choice =
      e.create<scf::IfOp>(TypeRange{sum.getType()}, e.extract(isFinite(sum), 0),
                          /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(e.b);
  e.b.setInsertionPointToStart(choice.thenBlock());
  e.create<scf::YieldOp>(sum);
  e.b.setInsertionPointToStart(choice.elseBlock());
  e.create<scf::YieldOp>(accumulators(start, n));
  return choice.getResult(0);
}

Value Reducer::inOrder(Value start, int64_t n) {
  SmallVector<Value> result =
      e.forLoop(0, n, 1, {identity(1)}, [&](Value i, ArrayRef<Value> carried) {
        Value a = carried[0], none;
        step(a, none, e.add(start, i), 1);
        return SmallVector<Value>{a};
      });
  return result.front();
}

Value Reducer::inOrderSideBySide(Value start, int64_t block, int64_t lanes) {
  auto columns = [&](Value memref, Value at) {
    SmallVector<Value> rows;
    for (int64_t run = 0; run < lanes; ++run)
      rows.push_back(load(memref, e.add(at, run * block), lanes));
    return e.transpose(rows);
  };
  SmallVector<Value> result =
      e.forLoop(0, block, lanes, {identity(lanes)},
                [&](Value i, ArrayRef<Value> carried) {
                  Value a = carried[0], none;
                  SmallVector<Value> x = columns(op.getX(), e.add(start, i)),
                                     y(lanes);
                  if (op.getY())
                    y = columns(op.getY(), e.add(start, i));
                  for (auto [xs, ys] : llvm::zip(x, y))
                    accumulate(a, none, xs, ys);
                  return SmallVector<Value>{a};
                });
  return result.front();
}

/// Runs in order, then neighbours, level by level, an odd last one moving up.
Value Reducer::pairwise(Value start, int64_t n) {
  if (n == 0)
    return identity(1);
  int64_t block = op.getBlock(), lanes = e.lanes(acc);
  int64_t runs = n / block, nodes = (n + block - 1) / block;
  Value buffer = e.localBuffer(nodes, acc);
  int64_t sideBySide = block % lanes == 0 ? runs / lanes * lanes : 0;
  e.forLoop(0, sideBySide, lanes, [&](Value i) {
    Value at = e.add(start, e.mul(i, block));
    e.store(inOrderSideBySide(at, block, lanes), buffer, i);
  });
  e.forLoop(sideBySide, runs, 1, [&](Value i) {
    e.store(inOrder(e.add(start, e.mul(i, block)), block), buffer, i);
  });
  if (int64_t rest = n % block)
    e.store(inOrder(e.add(start, n - rest), rest), buffer, e.index(nodes - 1));
  for (; nodes > 1; nodes = (nodes + 1) / 2) {
    e.forLoop(0, nodes / 2, 1, [&](Value i) {
      Value two = e.mul(i, 2);
      e.store(combine(e.load(buffer, 1, two), e.load(buffer, 1, e.add(two, 1))),
              buffer, i);
    });
    if (nodes % 2)
      e.store(e.load(buffer, 1, e.index(nodes - 1)), buffer,
              e.index(nodes / 2));
  }
  return e.load(buffer, 1, e.index(0));
}

Value Reducer::reduce(Value start, int64_t n) {
  if (isMax)
    return accumulators(start, n);
  switch (op.getOrder()) {
  case SumOrder::Sequential:
    return inOrder(start, n);
  case SumOrder::Pairwise:
    return pairwise(start, n);
  case SumOrder::Blocked:
    return accumulators(start, n);
  case SumOrder::Compensated:
    return compensatedSum(start, n);
  }
  llvm_unreachable("every order is handled");
}

void Reducer::run() {
  int64_t n = dimension(op.getX(), 0), span = op.getElementsPerResult();
  if (!op.isPartial()) {
    storeResult(reduce(e.index(0), n));
    return;
  }
  e.forLoop(0, n / span, 1, [&](Value i) {
    e.store(result(reduce(e.mul(i, span), span)), op.getR(), i);
  });
  if (int64_t rest = n % span)
    e.store(result(reduce(e.index(n - rest), rest)), op.getR(),
            e.index(n / span));
}

} // namespace
} // namespace labgen::lab

using namespace labgen;

static LogicalResult lowerReduce(lab::ReduceOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  if (Subgroup(e).size() > 1)
    lab::lowerSubgroupReduce(op, e);
  else
    lab::Reducer(e, op).run();
  op->erase();
  return success();
}

namespace {
struct ReduceBody : lab::LabBody::ExternalModel<ReduceBody, lab::ReduceOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerReduce(cast<lab::ReduceOp>(op), vectorBytes);
  }
  // In sequential order there is nothing to deal.
  bool dealsToThreads(Operation *op) const {
    auto reduce = cast<lab::ReduceOp>(op);
    return !lab::isSum(reduce.getKind()) ||
           reduce.getOrder() != lab::SumOrder::Sequential;
  }
};
} // namespace

void labgen::registerReduceBody(DialectRegistry &registry) {
  registerBody<lab::ReduceOp, ReduceBody>(registry);
}
