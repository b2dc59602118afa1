// RandomWords.cpp - see RandomWords.h.
#include "lib/Transforms/Numerics/RandomWords.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

Value RandomWords::at(Value row, Value column, int64_t n) {
  if (!seed)
    return Value();
  Value pitch = position.size() == 2 ? position[1] : e.index(rowLength);
  Value flat = e.add(e.make<arith::MulIOp>(row, pitch), column);
  if (!position.empty())
    flat = e.add(flat, position[0]);
  return philoxWords(e, *seed, flat, n);
}

Value labgen::roundByChance(BodyBuilder &e, Value x, Value random) {
  int64_t n = cast<VectorType>(x.getType()).getDimSize(0);
  auto splat = [&](double v) { return e.floatSplat(n, v, elementType(x)); };
  Value whole = e.make<math::TruncOp>(x);
  Value fraction = e.make<math::AbsFOp>(e.make<arith::SubFOp>(x, whole));
  Value dropped =
      e.make<arith::FPToUIOp>(e.vec(n, e.b.getI32Type()),
                              e.make<arith::MulFOp>(fraction, splat(0x1p32)));
  Value up =
      e.make<arith::AddFOp>(whole, e.make<math::CopySignOp>(splat(1), x));
  Value away =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::ult, random, dropped);
  return e.make<arith::SelectOp>(away, up, whole);
}

Value labgen::philoxWords(BodyBuilder &e, uint64_t seed, Value first,
                          int64_t n) {
  constexpr uint32_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  constexpr int rounds = 10;
  Type i64 = e.b.getI64Type();
  VectorType wide = e.vec(n, i64), words = e.vec(n, e.b.getI32Type());
  auto splat = [&](uint32_t v) { return e.intSplat(n, v, 32); };
  SmallVector<int64_t> lane(n);
  for (int64_t i = 0; i < n; ++i)
    lane[i] = i;
  Value counter = e.make<arith::AddIOp>(
      e.broadcast(e.make<arith::IndexCastOp>(i64, first), n),
      e.make<arith::ConstantOp>(
          DenseElementsAttr::get(wide, ArrayRef<int64_t>(lane))));
  Value c0 = e.make<arith::TruncIOp>(words, counter);
  Value c1 = e.make<arith::TruncIOp>(
      words, e.make<arith::ShRUIOp>(counter, e.intSplat(n, 32, 64)));
  Value c2 = splat(0), c3 = splat(0);
  uint32_t k0 = static_cast<uint32_t>(seed);
  uint32_t k1 = static_cast<uint32_t>(seed >> 32);
  auto mix = [&](Value high, Value word, uint32_t key) {
    return e.make<arith::XOrIOp>(e.make<arith::XOrIOp>(high, word), splat(key));
  };
  for (int round = 0; round < rounds; ++round) {
    auto p0 = e.create<arith::MulUIExtendedOp>(splat(multiplier0), c0);
    auto p1 = e.create<arith::MulUIExtendedOp>(splat(multiplier1), c2);
    c0 = mix(p1.getHigh(), c1, k0);
    c1 = p1.getLow();
    c2 = mix(p0.getHigh(), c3, k1);
    c3 = p0.getLow();
    k0 += weyl0;
    k1 += weyl1;
  }
  return c0;
}
