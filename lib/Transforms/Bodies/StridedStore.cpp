// StridedStore.cpp - see StridedStore.h.
#include "lib/Transforms/Bodies/StridedStore.h"

using namespace mlir;
using namespace labgen;

StridedStore::StridedStore(BodyBuilder &e, Value matrix)
    : e(e), matrix(matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  if (type.getStridesAndOffset().first[1] == 1)
    return;
  auto swap =
      AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, e.b.getContext());
  transposed = e.make<memref::TransposeOp>(matrix, AffineMapAttr::get(swap));
}

void StridedStore::store(Value vector, Value row, Value column,
                         bool nontemporal) {
  int64_t n = cast<VectorType>(vector.getType()).getDimSize(0);
  int64_t width = e.lanes(elementType(vector));
  if (!transposed && (!nontemporal || n % width))
    return e.store(vector, matrix, {row, column});
  if (!transposed) {
    for (int64_t i = 0; i < n; i += width)
      e.store(e.slice(vector, i, width), matrix, {row, e.add(column, i)}, true);
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    e.create<memref::StoreOp>(e.extract(vector, i), transposed,
                              ValueRange{e.add(column, i), row});
}

void StridedStore::fill(int64_t lanes, Row row, int64_t granule) {
  int64_t rows = dimension(matrix, 0), columns = dimension(matrix, 1);
  int64_t firstRow = 0, blocks = columns / lanes * lanes;
  auto rightOfBlocks = [&](Value r) {
    int64_t at = blocks;
    for (int64_t n : pieces(columns - blocks, lanes, granule)) {
      store(row(r, e.index(at), n), r, e.index(at));
      at += n;
    }
  };
  if (transposed) {
    for (; firstRow + lanes <= rows; firstRow += lanes)
      e.forLoop(0, blocks, lanes, [&](Value column) {
        SmallVector<Value> block;
        for (int64_t i = 0; i < lanes; ++i)
          block.push_back(row(e.index(firstRow + i), column, lanes));
        for (auto [i, v] : llvm::enumerate(e.transpose(block)))
          e.store(v, transposed, {e.add(column, i), e.index(firstRow)});
      });
    // The columns right of the blocks, of the rows already done.
    e.forLoop(0, firstRow, 1, rightOfBlocks);
  }
  e.forLoop(firstRow, rows, 1, [&](Value r) {
    e.forLoop(0, blocks, lanes,
              [&](Value column) { store(row(r, column, lanes), r, column); });
    rightOfBlocks(r);
  });
}
