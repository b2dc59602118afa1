// QuantizeBody.cpp - codes and scales of a static tile of whole groups (and
// perhaps the short last one of a row).
//
// Small groups go a register of groups at a time, so that the scale arithmetic
// is vectorised too; their absmax are folded by a tree of shuffles. Larger and
// odd ones go one by one.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/BodyBuilder.h"
#include "lib/Transforms/Bodies/CodeVectors.h"
#include "lib/Transforms/Bodies/QuantizeMath.h"

using namespace mlir;
using namespace labgen;

namespace {

class Quantizer {
public:
  Quantizer(BodyBuilder &e, lab::QuantizeOp op)
      : e(e), op(op), codes(e, op.getQ(), op.getCodeType()),
        math(e, {op.getCodeType(), elementType(op.getScale()), op.getRound(),
                 op.getRange(), op.getInverse(), op.getDivisor()}),
        lanes(e.lanes(e.b.getF32Type())),
        nontemporal(e.leafFlag("nontemporal")) {}

  void run();

private:
  void row(Value r);
  void batch(Value r, Value firstGroup, int64_t group);
  void encodeBatch(Value r, Value firstGroup, Value start, int64_t group,
                   Value bits, ArrayRef<Value> values);
  void smallGroup(Value r, Value start, Value groupIndex, int64_t n);
  void largeGroup(Value r, Value start, Value groupIndex, int64_t n);
  /// Codes that share bytes across groups: written one by one.
  void oddGroup(Value r, Value start, Value groupIndex, int64_t n);
  Value load(Value r, Value at, int64_t n) {
    return e.widen(e.load(op.getX(), n, {r, at}));
  }
  Value maxBits(Value x, Value y) {
    return x ? e.make<arith::MaxUIOp>(x, y) : y;
  }
  /// Largest lane, as vector<1 x i32>.
  Value largestLane(Value bits) {
    return e.broadcast(
        e.make<vector::ReductionOp>(vector::CombiningKind::MAXUI, bits), 1);
  }
  /// One lane per vector: lane i is the largest lane of vectors[i].
  Value foldTree(SmallVector<Value> vectors);
  void storeScale(Value stored, Value r, Value groupIndex) {
    e.store(stored, op.getScale(), {r, groupIndex});
  }

  BodyBuilder &e;
  lab::QuantizeOp op;
  CodeVectors codes;
  QuantizeMath math;
  int64_t lanes;
  bool nontemporal;
};

Value Quantizer::foldTree(SmallVector<Value> vectors) {
  for (int64_t segment = lanes; segment > 1; segment /= 2) {
    // Every vector holds lanes / segment groups of `segment` partial maxima.
    SmallVector<int64_t> low, high;
    for (int64_t from = 0; from < 2 * lanes; from += segment)
      for (int64_t i = 0; i < segment / 2; ++i) {
        low.push_back(from + i);
        high.push_back(from + segment / 2 + i);
      }
    SmallVector<Value> next;
    for (size_t i = 0; i < vectors.size(); i += 2)
      next.push_back(
          e.make<arith::MaxUIOp>(e.shuffle(vectors[i], vectors[i + 1], low),
                                 e.shuffle(vectors[i], vectors[i + 1], high)));
    vectors = std::move(next);
  }
  return vectors.front();
}

void Quantizer::batch(Value r, Value firstGroup, int64_t group) {
  Value start = e.mul(firstGroup, group);
  SmallVector<Value> maxima;
  SmallVector<Value> values;
  for (int64_t g = 0; g < lanes; ++g) {
    Value most;
    for (int64_t i = 0; i < group; i += lanes) {
      Value at = e.add(start, g * group + i);
      e.prefetch(op.getX(), r, at);
      values.push_back(load(r, at, lanes));
      most = maxBits(most, math.absBits(values.back()));
    }
    maxima.push_back(most);
  }
  Value bits = foldTree(maxima);
  // Nearly always every scale is a plain one; the rest go one by one.
  auto fast = e.create<scf::IfOp>(math.plain(bits), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(fast.elseBlock());
  e.forLoop(0, lanes, 1, [&](Value g) {
    smallGroup(r, e.add(start, e.mul(g, group)), e.add(firstGroup, g), group);
  });
  e.b.setInsertionPointToStart(fast.thenBlock());
  encodeBatch(r, firstGroup, start, group, bits, values);
}

void Quantizer::encodeBatch(Value r, Value firstGroup, Value start,
                            int64_t group, Value bits, ArrayRef<Value> values) {
  QuantizeMath::Scales scales = math.fromPlainAbsMax(bits);
  storeScale(scales.stored, r, firstGroup);
  // Registers of codes to fill one register of bytes.
  constexpr int64_t together = 4;
  int64_t perGroup = group / lanes;
  QuantizeMath::Scales own;
  SmallVector<Value> pending;
  for (int64_t i = 0, n = values.size(); i < n; ++i) {
    if (i % perGroup == 0)
      own = math.broadcast(scales, i / perGroup, lanes);
    pending.push_back(math.encode(values[i], own));
    if (static_cast<int64_t>(pending.size()) < together && i + 1 < n)
      continue;
    codes.store(math.toBytes(pending), r,
                e.add(start, (i + 1 - pending.size()) * lanes), nontemporal);
    pending.clear();
  }
}

void Quantizer::smallGroup(Value r, Value start, Value groupIndex, int64_t n) {
  SmallVector<Value> values;
  Value most = e.intSplat(1, 0, 32);
  int64_t at = 0;
  for (int64_t piece : pieces(n, lanes)) {
    values.push_back(load(r, e.add(start, at), piece));
    most = maxBits(most, largestLane(math.absBits(values.back())));
    at += piece;
  }
  QuantizeMath::Scales scales = math.fromAbsMax(most);
  storeScale(scales.stored, r, groupIndex);
  at = 0;
  for (Value x : values) {
    int64_t piece = cast<VectorType>(x.getType()).getDimSize(0);
    codes.store(math.encodeBytes(x, math.broadcast(scales, 0, piece)), r,
                e.add(start, at));
    at += piece;
  }
}

void Quantizer::largeGroup(Value r, Value start, Value groupIndex, int64_t n) {
  constexpr int64_t unroll = 4;
  int64_t step = unroll * lanes, whole = n / step * step;
  SmallVector<Value> none(unroll, e.zeros(e.vec(lanes, e.b.getI32Type())));
  SmallVector<Value> most =
      e.forLoop(0, whole, step, none, [&](Value i, ArrayRef<Value> carried) {
        SmallVector<Value> next;
        for (int64_t u = 0; u < unroll; ++u) {
          Value x = load(r, e.add(e.add(start, i), u * lanes), lanes);
          next.push_back(maxBits(carried[u], math.absBits(x)));
        }
        return next;
      });
  Value all = most[0];
  for (int64_t u = 1; u < unroll; ++u)
    all = maxBits(all, most[u]);
  all = largestLane(all);
  SmallVector<std::pair<int64_t, int64_t>> tail;
  int64_t tailAt = whole;
  for (int64_t piece : pieces(n - whole, lanes)) {
    tail.push_back({tailAt, piece});
    tailAt += piece;
  }
  for (auto [at, piece] : tail)
    all = maxBits(all,
                  largestLane(math.absBits(load(r, e.add(start, at), piece))));
  QuantizeMath::Scales scales = math.fromAbsMax(all);
  storeScale(scales.stored, r, groupIndex);
  QuantizeMath::Scales wide = math.broadcast(scales, 0, lanes);
  e.forLoop(0, whole, lanes, [&](Value i) {
    Value at = e.add(start, i);
    codes.store(math.encodeBytes(load(r, at, lanes), wide), r, at, nontemporal);
  });
  for (auto [at, piece] : tail) {
    Value column = e.add(start, at);
    codes.store(math.encodeBytes(load(r, column, piece),
                                 math.broadcast(scales, 0, piece)),
                r, column);
  }
}

void Quantizer::oddGroup(Value r, Value start, Value groupIndex, int64_t n) {
  SmallVector<Value> most = e.forLoop(
      0, n, 1, {e.intSplat(1, 0, 32)}, [&](Value i, ArrayRef<Value> carried) {
        Value x = load(r, e.add(start, i), 1);
        return SmallVector<Value>{maxBits(carried[0], math.absBits(x))};
      });
  QuantizeMath::Scales scales = math.fromAbsMax(most[0]);
  storeScale(scales.stored, r, groupIndex);
  e.forLoop(0, n, 1, [&](Value i) {
    Value column = e.add(start, i);
    codes.storeOne(e.extract(math.encodeBytes(load(r, column, 1), scales), 0),
                   r, column);
  });
}

void Quantizer::row(Value r) {
  int64_t k = dimension(op.getX(), 1);
  int64_t group = lab::groupAlong(op.getGroup(), k);
  int64_t whole = k / group, rest = k % group;
  auto one = [&](Value start, Value groupIndex, int64_t n) {
    if (codes.isPacked() && group % 2 && whole + (rest != 0) > 1)
      return oddGroup(r, start, groupIndex, n);
    return n > 8 * lanes ? largeGroup(r, start, groupIndex, n)
                         : smallGroup(r, start, groupIndex, n);
  };
  int64_t batched = 0;
  if (group % lanes == 0 && group <= 8 * lanes)
    batched = whole / lanes * lanes;
  e.forLoop(0, batched, lanes, [&](Value g) { batch(r, g, group); });
  e.forLoop(batched, whole, 1,
            [&](Value g) { one(e.mul(g, group), g, group); });
  if (rest || (k == 0 && op.getGroup() <= 0))
    one(e.index(whole * group), e.index(whole), rest);
}

void Quantizer::run() {
  e.forLoop(0, dimension(op.getX(), 0), 1, [&](Value r) { row(r); });
}

} // namespace

LogicalResult labgen::lowerQuantize(lab::QuantizeOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Quantizer(e, op).run();
  op->erase();
  return success();
}

LogicalResult labgen::lowerEncode(lab::EncodeOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  int64_t lanes = e.lanes(e.b.getF32Type()), k = dimension(op.getX(), 1);
  QuantizeMath math(e, {op.getCodeType(), elementType(op.getScale()),
                        op.getRound(), op.getRange(), op.getInverse(),
                        lab::Divisor::Stored});
  CodeVectors codes(e, op.getQ(), op.getCodeType());
  Value zero = e.index(0);
  QuantizeMath::Scales scales =
      math.fromStored(e.load(op.getScale(), 1, {zero, zero}));
  auto step = [&](Value r, Value at, int64_t n, bool nontemporal) {
    Value x = e.widen(e.load(op.getX(), n, {r, at}));
    codes.store(math.encodeBytes(x, math.broadcast(scales, 0, n)), r, at,
                nontemporal);
  };
  e.forLoop(0, dimension(op.getX(), 0), 1, [&](Value r) {
    int64_t whole = k / lanes * lanes;
    e.forLoop(0, whole, lanes, [&](Value at) {
      e.prefetch(op.getX(), r, at);
      step(r, at, lanes, e.leafFlag("nontemporal"));
    });
    int64_t at = whole;
    for (int64_t n : pieces(k - whole, lanes)) {
      step(r, e.index(at), n, false);
      at += n;
    }
  });
  op->erase();
  return success();
}
