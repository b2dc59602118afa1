// CodeVectors.cpp - see CodeVectors.h.
#include "lib/Transforms/Bodies/CodeVectors.h"

using namespace mlir;
using namespace labgen;

Value CodeVectors::byteOf(Value column) {
  return packed ? e.make<arith::ShRUIOp>(column, e.index(1)) : column;
}

Value CodeVectors::load(Value row, Value column, int64_t n) {
  if (!packed)
    return e.load(matrix, n, {row, column});
  int64_t bytes = (n + 1) / 2;
  Value v = e.load(matrix, bytes, {row, byteOf(column)});
  Value four = e.intSplat(bytes, 4, 8);
  Value low = e.make<arith::ShRSIOp>(e.make<arith::ShLIOp>(v, four), four);
  if (n == 1)
    return low;
  Value high = e.make<arith::ShRSIOp>(v, four);
  SmallVector<int64_t> interleave;
  for (int64_t i = 0; i < bytes; ++i) {
    interleave.push_back(i);
    interleave.push_back(bytes + i);
  }
  return e.shuffle(low, high, interleave);
}

void CodeVectors::store(Value codes, Value row, Value column,
                        bool nontemporal) {
  if (!packed)
    return e.store(codes, matrix, {row, column}, nontemporal);
  int64_t n = cast<VectorType>(codes.getType()).getDimSize(0);
  int64_t bytes = (n + 1) / 2;
  Value low = codes, high;
  if (n > 1) {
    SmallVector<int64_t> even, odd;
    for (int64_t i = 0; i < bytes; ++i) {
      even.push_back(2 * i);
      odd.push_back(2 * i + 1);
    }
    low = e.shuffle(codes, codes, even);
    high = e.shuffle(codes, codes, odd);
  }
  Value byte = e.make<arith::AndIOp>(low, e.intSplat(bytes, 15, 8));
  if (high)
    byte = e.make<arith::OrIOp>(
        byte, e.make<arith::ShLIOp>(high, e.intSplat(bytes, 4, 8)));
  e.store(byte, matrix, {row, byteOf(column)}, nontemporal);
}

Value CodeVectors::isEven(Value column) {
  Value low = e.make<arith::AndIOp>(column, e.index(1));
  return e.make<arith::CmpIOp>(arith::CmpIPredicate::eq, low, e.index(0));
}

Value CodeVectors::constant(int64_t byte) {
  return e.make<arith::ConstantOp>(e.b.getI8IntegerAttr(byte));
}

Value CodeVectors::loadOne(Value row, Value column) {
  Value byte = e.make<memref::LoadOp>(matrix, ValueRange{row, byteOf(column)});
  if (!packed)
    return byte;
  // The wanted nibble to the top, then down with its sign.
  Value up = e.make<arith::SelectOp>(
      isEven(column), e.make<arith::ShLIOp>(byte, constant(4)), byte);
  return e.make<arith::ShRSIOp>(up, constant(4));
}

Value CodeVectors::loadUnaligned(Value row, Value column, int64_t n) {
  if (!packed)
    return load(row, column, n);
  SmallVector<Value> codes;
  for (int64_t i = 0; i < n; ++i)
    codes.push_back(loadOne(row, e.add(column, i)));
  return e.make<vector::FromElementsOp>(e.vec(n, e.b.getI8Type()), codes);
}

void CodeVectors::storeOne(Value code, Value row, Value column) {
  SmallVector<Value> at = {row, byteOf(column)};
  if (packed) {
    Value before = e.make<memref::LoadOp>(matrix, at);
    Value low = e.make<arith::AndIOp>(code, constant(15));
    Value both =
        e.make<arith::OrIOp>(before, e.make<arith::ShLIOp>(code, constant(4)));
    code = e.make<arith::SelectOp>(isEven(column), low, both);
  }
  e.create<memref::StoreOp>(code, matrix, at);
}
