// DotTile.cpp - see DotTile.h.
#include "lib/Transforms/Bodies/Gemm/DotTile.h"

using namespace mlir;
using namespace labgen;

Value DotTile::loadPlain(CodeVectors &codes, Value matrix, Type type, Value row,
                         Value at, int64_t n) {
  if (lab::codeBits(type) > 8)
    return e.widen(e.load(matrix, n, {row, at}));
  return FormatVectors(e, *lab::formatOf(type)).toFloat(codes.load(row, at, n));
}

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
      if (subgroup.size() > 1)
        total = e.extract(subgroup.reduce(e.broadcast(total, 1), add), 0);
      SmallVector<Value> at = {e.index(i), e.index(j)};
      subgroup.onLane((i * columns + j) % subgroup.size(), [&] {
        Value sum = total;
        if (op.getAccumulate())
          sum = add(e.make<memref::LoadOp>(op.getC(), at), sum);
        e.create<memref::StoreOp>(sum, op.getC(), at);
      });
    }
}
