// QuantizeBody.cpp - codes and scales of a static tile of whole groups (and
// perhaps the short last one of a row).
//
// Small groups go a register of groups (a batch) at a time, so that the scale
// arithmetic is vectorised too; stats are folded by a tree of shuffles. One
// loop encodes a batch and gathers the stats of the next, so that memory and
// arithmetic are both busy all the time; the gathering is a step ahead, so that
// the scales, a long chain, are made beside the last step. Larger and odd
// groups go one by one.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/Quantize/QuantizeTile.h"
#include "lib/Transforms/Bodies/Subgroup.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

using namespace mlir;
using namespace labgen;

void QuantizeTile::storeScales(const Scales &scales, Value r, Value firstGroup,
                               int64_t n) {
  e.store(scales.stored, op.getScale(), {r, firstGroup});
  if (!zeros)
    return;
  Value points =
      e.make<arith::FPToSIOp>(e.vec(n, e.b.getI32Type()), scales.zero);
  points = e.make<arith::TruncIOp>(e.vec(n, e.b.getI8Type()), points);
  if (n == 1) // packed ones come in order
    zeros->storeOne(e.extract(points, 0), r, firstGroup);
  else
    zeros->store(points, r, firstGroup);
}

void QuantizeTile::forGroups(int64_t first, GroupBody body) {
  int64_t k = dimension(op.getX(), 1), given = op.getGroup();
  int64_t group = lab::groupAlong(given, k);
  int64_t whole = k / group, rest = k % group;
  // Zero points that share a byte are written by one step: of a byte that was
  // not begun nothing is read, not even ahead of a loop.
  int64_t together = zeros ? zeros->granule() : 1;
  int64_t looped = whole / together * together;
  e.forLoop(first, looped, together, [&](Value i) {
    for (int64_t j = 0; j < together; ++j) {
      Value g = e.add(i, j);
      body(e.mul(g, group), g, group);
    }
  });
  for (int64_t g = looped; g < whole; ++g)
    body(e.index(g * group), e.index(g), group);
  // A row of no codes still has a scale where its group is the row.
  if (rest || (k == 0 && given == lab::groupChannel))
    body(e.index(whole * group), e.index(whole), rest);
}

namespace {

class Quantizer : QuantizeTile {
public:
  Quantizer(BodyBuilder &e, lab::QuantizeOp op)
      : QuantizeTile(e, op), lanes(e.lanes(e.b.getF32Type())),
        storeBits(lab::codeBits(op.getCodeType()) == 4 ? 4 : 8),
        nontemporal(e.kernel.nontemporal) {}

  void run();

private:
  void row(Value r);
  struct Batch {
    Scales scales;
    Value plain; ///< i1: see QuantizeMath::plain
  };
  void batches(Value r, int64_t groups, int64_t group);
  /// Elements handled at once: their codes fill a register.
  int64_t step() const { return e.vectorBytes * 8 / storeBits; }
  /// Elements behind one register of stats.
  int64_t chunk(int64_t group) const { return std::min(group, step()); }
  /// Gathers the stats of step() elements of the batch at `start`.
  void gatherAt(Value r, Value start, Value at, int64_t group);
  /// The scales of a batch, from the stats gathered.
  Batch scalesOf(Value r, Value firstGroup, int64_t group);
  /// Keeps what encodeAt() needs where single elements can be broadcast.
  void keep(const Batch &batch);
  void encodeAt(Value r, Value start, Value at, int64_t group);
  /// Codes of a batch. Where columns `next` and `afterNext` are given, also the
  /// scales of the batch there, whose first step is gathered already, and the
  /// stats of the first step of the one after it.
  Batch encodeBatch(Value r, Value firstGroup, Value plain, int64_t group,
                    Value next, Value afterNext);
  void smallGroup(Value r, Value start, Value groupIndex, int64_t n);
  void largeGroup(Value r, Value start, Value groupIndex, int64_t n);
  /// Codes that share bytes across groups: written one by one.
  void oddGroup(Value r, Value start, Value groupIndex, int64_t n);
  /// One lane per vector: lane i combines all lanes of groups[i].
  Stats foldTree(SmallVector<Stats> groups);

  int64_t lanes;
  int64_t storeBits; ///< of a code, as far as registers are filled by it
  bool nontemporal;
  /// Of a batch: what is kept of its scales, one element a group, and the stats
  /// gathered, one register a chunk.
  Value negated, reciprocal, zeroPoints;
  SmallVector<Value, 3> gathered;
};

Quantizer::Stats Quantizer::foldTree(SmallVector<Stats> groups) {
  for (int64_t segment = lanes; segment > 1; segment /= 2) {
    // Every vector holds lanes / segment groups of `segment` partial stats.
    SmallVector<int64_t> low, high;
    for (int64_t from = 0; from < 2 * lanes; from += segment)
      for (int64_t i = 0; i < segment / 2; ++i) {
        low.push_back(from + i);
        high.push_back(from + segment / 2 + i);
      }
    SmallVector<Stats> next;
    for (size_t i = 0; i < groups.size(); i += 2) {
      Stats lower, upper;
      for (auto [a, b] : llvm::zip(groups[i], groups[i + 1])) {
        lower.push_back(e.shuffle(a, b, low));
        upper.push_back(e.shuffle(a, b, high));
      }
      next.push_back(math.combine(lower, upper));
    }
    groups = std::move(next);
  }
  return groups.front();
}

void Quantizer::gatherAt(Value r, Value start, Value at, int64_t group) {
  Value column = e.add(start, at);
  e.prefetch(op.getX(), r, column, step());
  for (int64_t i = 0; i < step(); i += chunk(group)) {
    Stats stats = math.noStats(lanes);
    for (int64_t j = i; j < i + chunk(group); j += lanes)
      stats = math.gather(stats, load(r, e.add(column, j), lanes));
    Value slot = e.make<arith::DivUIOp>(e.add(at, i), e.index(chunk(group)));
    for (auto [stat, buffer] : llvm::zip(stats, gathered))
      e.store(stat, buffer, e.mul(slot, lanes));
  }
}

Quantizer::Batch Quantizer::scalesOf(Value r, Value firstGroup, int64_t group) {
  int64_t chunks = group / chunk(group);
  SmallVector<Stats> groups(lanes);
  for (int64_t i = 0; i < lanes * chunks; ++i) {
    Stats stats, &all = groups[i / chunks];
    for (Value buffer : gathered)
      stats.push_back(e.load(buffer, lanes, e.index(i * lanes)));
    all = all.empty() ? stats : math.combine(all, stats);
  }
  Stats stats = foldTree(groups);
  Batch batch{math.fromPlainStats(stats), math.plain(stats)};
  storeScales(batch.scales, r, firstGroup, lanes);
  return batch;
}

void Quantizer::keep(const Batch &batch) {
  e.store(batch.scales.reciprocal, reciprocal, e.index(0));
  if (batch.scales.negated)
    e.store(batch.scales.negated, negated, e.index(0));
  if (batch.scales.zero)
    e.store(batch.scales.zero, zeroPoints, e.index(0));
}

void Quantizer::encodeAt(Value r, Value start, Value at, int64_t group) {
  // What is kept of each register's group, in all its lanes.
  auto repeat = [&](Value kept) {
    SmallVector<Value> registers;
    for (int64_t i = 0; i < step(); i += lanes) {
      if (i % group) {
        registers.push_back(registers.back());
        continue;
      }
      Value g = e.make<arith::DivUIOp>(e.add(at, i), e.index(group));
      registers.push_back(e.broadcast(e.load(kept, 1, g), lanes));
    }
    return e.concat(registers);
  };
  Scales own;
  own.reciprocal = repeat(reciprocal);
  if (math.divides())
    own.negated = repeat(negated);
  if (zeros)
    own.zero = repeat(zeroPoints);
  Value column = e.add(start, at);
  codes.store(encode(load(r, column, step()), own, r, column), r, column,
              nontemporal);
}

Quantizer::Batch Quantizer::encodeBatch(Value r, Value firstGroup, Value plain,
                                        int64_t group, Value next,
                                        Value afterNext) {
  Value start = e.mul(firstGroup, group);
  int64_t size = lanes * group, last = size - step();
  // Nearly always every scale is a plain one; else the groups go one by one.
  // (Asked twice: the scales of the next batch are made in between.)
  auto either = [&](llvm::function_ref<void()> fast,
                    llvm::function_ref<void()> slow) {
    auto choice = e.create<scf::IfOp>(plain, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(choice.thenBlock());
    fast();
    e.b.setInsertionPointToStart(choice.elseBlock());
    slow();
  };
  auto gatherNext = [&](Value at) {
    if (next)
      gatherAt(r, next, e.add(at, step()), group);
  };
  either(
      [&] {
        e.forLoop(0, last, step(), [&](Value at) {
          gatherNext(at);
          encodeAt(r, start, at, group);
        });
      },
      [&] { e.forLoop(0, last, step(), gatherNext); });
  Batch made;
  if (next) {
    made = scalesOf(r, e.add(firstGroup, lanes), group);
    gatherAt(r, afterNext, e.index(0), group);
  }
  either([&] { encodeAt(r, start, e.index(last), group); },
         [&] {
           e.forLoop(0, lanes, 1, [&](Value g) {
             Value own = e.add(firstGroup, g);
             smallGroup(r, e.mul(own, group), own, group);
           });
         });
  return made;
}

void Quantizer::batches(Value r, int64_t groups, int64_t group) {
  int64_t size = lanes * group;
  if (!reciprocal) {
    Type f32 = e.b.getF32Type();
    reciprocal = e.localBuffer(lanes, f32);
    negated = e.localBuffer(lanes, f32);
    if (zeros)
      zeroPoints = e.localBuffer(lanes, f32);
    for (Type type : math.statTypes())
      gathered.push_back(e.localBuffer(size / chunk(group) * lanes, type));
  }
  e.forLoop(0, size, step(),
            [&](Value at) { gatherAt(r, e.index(0), at, group); });
  Batch first = scalesOf(r, e.index(0), group);
  keep(first);
  if (groups > lanes)
    gatherAt(r, e.index(size), e.index(0), group);
  // After the last batch comes that batch again, gathered in vain.
  Value last = e.index((groups - lanes) * group);
  Value plain = e.forLoop(0, groups - lanes, lanes, {first.plain},
                          [&](Value g, ArrayRef<Value> carried) {
                            Value next = e.mul(e.add(g, lanes), group);
                            Value afterNext =
                                e.make<arith::MinUIOp>(e.add(next, size), last);
                            Batch made = encodeBatch(r, g, carried[0], group,
                                                     next, afterNext);
                            keep(made);
                            return SmallVector<Value>{made.plain};
                          })
                    .front();
  encodeBatch(r, e.index(groups - lanes), plain, group, Value(), Value());
}

void Quantizer::smallGroup(Value r, Value start, Value groupIndex, int64_t n) {
  SmallVector<Value> values;
  Stats stats = math.noStats(1);
  int64_t at = 0;
  for (int64_t piece : pieces(n, lanes, codes.granule())) {
    values.push_back(load(r, e.add(start, at), piece));
    stats = math.combine(stats, statsOf(values.back()));
    at += piece;
  }
  Scales scales = math.fromStats(stats);
  storeScales(scales, r, groupIndex, 1);
  at = 0;
  for (Value x : values) {
    int64_t piece = cast<VectorType>(x.getType()).getDimSize(0);
    Value column = e.add(start, at);
    codes.store(encode(x, math.broadcast(scales, 0, piece), r, column), r,
                column);
    at += piece;
  }
}

void Quantizer::largeGroup(Value r, Value start, Value groupIndex, int64_t n) {
  constexpr int64_t unroll = 4;
  int64_t step = unroll * lanes, whole = n / step * step;
  SmallVector<Value> none;
  for (int64_t u = 0; u < unroll; ++u)
    llvm::append_range(none, math.noStats(lanes));
  int64_t perSet = none.size() / unroll;
  auto setOf = [&](ArrayRef<Value> all, int64_t u) {
    return Stats(all.slice(u * perSet, perSet));
  };
  SmallVector<Value> sets =
      e.forLoop(0, whole, step, none, [&](Value i, ArrayRef<Value> carried) {
        SmallVector<Value> next;
        for (int64_t u = 0; u < unroll; ++u) {
          Value x = load(r, e.add(e.add(start, i), u * lanes), lanes);
          llvm::append_range(next, math.gather(setOf(carried, u), x));
        }
        return next;
      });
  Stats all = setOf(sets, 0);
  for (int64_t u = 1; u < unroll; ++u)
    all = math.combine(all, setOf(sets, u));
  all = math.combineLanes(all);
  SmallVector<std::pair<int64_t, int64_t>> tail;
  int64_t tailAt = whole;
  for (int64_t piece : pieces(n - whole, lanes, codes.granule())) {
    tail.push_back({tailAt, piece});
    tailAt += piece;
  }
  for (auto [at, piece] : tail)
    all = math.combine(all, statsOf(load(r, e.add(start, at), piece)));
  Scales scales = math.fromStats(all);
  storeScales(scales, r, groupIndex, 1);
  math.encodeGroup(scales, [&](const QuantizeMath::Scales &own) {
    Scales wide = math.broadcast(own, 0, lanes);
    e.forLoop(0, whole, lanes, [&](Value i) {
      Value at = e.add(start, i);
      codes.store(encode(load(r, at, lanes), wide, r, at), r, at, nontemporal);
    });
  });
  for (auto [at, piece] : tail) {
    Value column = e.add(start, at);
    codes.store(encode(load(r, column, piece), math.broadcast(scales, 0, piece),
                       r, column),
                r, column);
  }
}

void Quantizer::oddGroup(Value r, Value start, Value groupIndex, int64_t n) {
  Stats none = math.noStats(1);
  SmallVector<Value> stats =
      e.forLoop(0, n, 1, none, [&](Value i, ArrayRef<Value> carried) {
        Value x = load(r, e.add(start, i), 1);
        return SmallVector<Value>(math.gather(Stats(carried), x));
      });
  Scales scales = math.fromStats(Stats(stats.begin(), stats.end()));
  storeScales(scales, r, groupIndex, 1);
  e.forLoop(0, n, 1, [&](Value i) {
    Value column = e.add(start, i);
    Value code = encode(load(r, column, 1), scales, r, column);
    codes.storeOne(e.extract(code, 0), r, column);
  });
}

void Quantizer::row(Value r) {
  int64_t k = dimension(op.getX(), 1);
  int64_t group = lab::groupAlong(op.getGroup(), k);
  int64_t whole = k / group, rest = k % group;
  auto one = [&](Value start, Value groupIndex, int64_t n) {
    if (codes.sharesBytes(group) && whole + (rest != 0) > 1)
      return oddGroup(r, start, groupIndex, n);
    return n > 8 * lanes ? largeGroup(r, start, groupIndex, n)
                         : smallGroup(r, start, groupIndex, n);
  };
  int64_t batched = 0;
  if (group % lanes == 0 && group <= 8 * lanes)
    batched = whole / lanes * lanes;
  if (batched)
    batches(r, batched, group);
  forGroups(batched, one);
}

void Quantizer::run() {
  e.forLoop(0, dimension(op.getX(), 0), 1, [&](Value r) { row(r); });
}

} // namespace

static LogicalResult lowerQuantize(lab::QuantizeOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  if (Subgroup(e).size() > 1)
    lowerSubgroupQuantize(op, e);
  else
    Quantizer(e, op).run();
  op->erase();
  return success();
}

namespace {
struct QuantizeBody
    : lab::LabBody::ExternalModel<QuantizeBody, lab::QuantizeOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerQuantize(cast<lab::QuantizeOp>(op), vectorBytes);
  }
  bool dealsToThreads(Operation *) const { return true; }
};
} // namespace

void labgen::registerQuantizeBody(DialectRegistry &registry) {
  registerBody<lab::QuantizeOp, QuantizeBody>(registry);
}
