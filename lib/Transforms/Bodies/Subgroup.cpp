// Subgroup.cpp - see Subgroup.h.
#include "lib/Transforms/Bodies/Subgroup.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace labgen;

Value Subgroup::lane() {
  Value thread = e.make<gpu::ThreadIdOp>(gpu::Dimension::x);
  return e.make<arith::RemUIOp>(thread, e.index(threads));
}

void Subgroup::onLane(int64_t which, function_ref<void()> body) {
  if (threads == 1)
    return body();
  Value mine =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, lane(), e.index(which));
  auto guard = e.create<scf::IfOp>(mine, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard restore(e.b);
  e.b.setInsertionPointToStart(guard.thenBlock());
  body();
}

Value Subgroup::shuffle(Value vector, Value distance) {
  auto type = cast<VectorType>(vector.getType());
  Type i32 = e.b.getI32Type();
  int64_t words = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  Value bits = e.make<vector::BitCastOp>(e.vec(words, i32), vector);
  Value width = e.make<arith::ConstantOp>(e.b.getI32IntegerAttr(threads));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < words; ++i)
    elements.push_back(e.make<gpu::ShuffleOp>(e.extract(bits, i), distance,
                                              width, gpu::ShuffleMode::XOR));
  Value result = e.make<vector::FromElementsOp>(e.vec(words, i32), elements);
  return e.make<vector::BitCastOp>(type, result);
}

Value Subgroup::across(Value vector, int64_t distance) {
  return shuffle(vector,
                 e.make<arith::ConstantOp>(e.b.getI32IntegerAttr(distance)));
}

Value Subgroup::from(Value vector, Value which) {
  // A butterfly of the right distance: by number, upstream's lowering for AMD
  // reads from the wave's first threads whichever subgroup asks.
  if (threads == 1)
    return vector;
  Value distance = e.make<arith::XOrIOp>(lane(), which);
  return shuffle(vector,
                 e.make<arith::IndexCastOp>(e.b.getI32Type(), distance));
}

Value Subgroup::reduce(Value vector,
                       function_ref<Value(Value, Value)> combine) {
  for (int64_t distance = threads / 2; distance; distance /= 2)
    vector = combine(vector, across(vector, distance));
  return vector;
}

Value Subgroup::foldHalves(ArrayRef<Value> registers,
                           function_ref<Value(Value, Value)> combine) {
  SmallVector<Value> now(registers);
  for (size_t half = now.size() / 2; half; half /= 2) {
    for (size_t i = 0; i < half; ++i)
      now[i] = combine(now[i], now[i + half]);
    now.resize(half);
  }
  Value v = reduce(now.front(), combine);
  for (int64_t half = laneCount(v) / 2; half; half /= 2)
    v = combine(e.slice(v, 0, half), e.slice(v, half, half));
  return v;
}

SmallVector<Value> Subgroup::guarded(Value condition, Value at, int64_t count,
                                     ArrayRef<Value> carried, Chunk chunk) {
  auto choice = e.create<scf::IfOp>(ValueRange(carried).getTypes(), condition,
                                    /*withElseRegion=*/!carried.empty());
  OpBuilder::InsertionGuard restore(e.b);
  e.b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> results = chunk(at, count, carried);
  if (carried.empty())
    return {};
  e.create<scf::YieldOp>(results);
  e.b.setInsertionPointToStart(choice.elseBlock());
  e.create<scf::YieldOp>(carried);
  return SmallVector<Value>(choice.getResults());
}

SmallVector<Value> Subgroup::deal(int64_t n, int64_t width,
                                  ArrayRef<Value> carried, Chunk chunk,
                                  int64_t unrolled) {
  if (threads == 1)
    unrolled = 1;
  int64_t step = threads * width, whole = n / step * step;
  Value first = firstOf(width);
  SmallVector<Value> now(carried);
  int64_t looped = whole / step > unrolled ? whole : 0;
  now = e.forLoop(0, looped, step, now, [&](Value at, ArrayRef<Value> c) {
    return chunk(e.add(first, at), width, c);
  });
  for (int64_t at = looped; at < whole; at += step)
    now = chunk(e.add(first, at), width, now);
  return dealRest(whole, n, width, now, chunk);
}

SmallVector<Value> Subgroup::dealBatches(int64_t n, int64_t width,
                                         int64_t batch, ArrayRef<Value> carried,
                                         Batch body) {
  int64_t step = threads * width, whole = n / step * step;
  Value first = firstOf(width);
  auto chunks = [&](Value from, int64_t count, ArrayRef<Value> c) {
    SmallVector<Value> starts;
    for (int64_t i = 0; i < count; ++i)
      starts.push_back(e.add(e.add(first, from), i * step));
    return body(starts, width, c);
  };
  int64_t batched = whole / (step * batch) * step * batch;
  SmallVector<Value> now = e.forLoop(
      0, batched, step * batch, carried,
      [&](Value at, ArrayRef<Value> c) { return chunks(at, batch, c); });
  if (int64_t more = (whole - batched) / step)
    now = chunks(e.index(batched), more, now);
  return dealRest(whole, n, width, now,
                  [&](Value at, int64_t count, ArrayRef<Value> c) {
                    return body(at, count, c);
                  });
}

SmallVector<Value> Subgroup::dealRest(int64_t from, int64_t n, int64_t width,
                                      ArrayRef<Value> carried, Chunk chunk) {
  int64_t rest = n - from, chunks = rest / width;
  SmallVector<Value> now(carried);
  if (rest == 0)
    return now;
  Value at = e.add(firstOf(width), from);
  if (threads == 1)
    return chunk(at, rest, now);
  auto compare = [&](arith::CmpIPredicate p, int64_t v) {
    return e.make<arith::CmpIOp>(p, lane(), e.index(v));
  };
  if (chunks)
    now = guarded(compare(arith::CmpIPredicate::ult, chunks), at, width, now,
                  chunk);
  if (int64_t last = rest % width)
    now = guarded(compare(arith::CmpIPredicate::eq, chunks), at, last, now,
                  chunk);
  return now;
}

void Subgroup::deal(int64_t n, int64_t width,
                    function_ref<void(Value, int64_t)> chunk) {
  deal(n, width, {}, [&](Value at, int64_t count, ArrayRef<Value>) {
    chunk(at, count);
    return SmallVector<Value>();
  });
}
