// CodeVectors.cpp - see CodeVectors.h.
#include "lib/Transforms/Bodies/CodeVectors.h"

using namespace mlir;
using namespace labgen;

Value CodeVectors::byteOf(Value column) {
  return packed ? e.make<arith::ShRUIOp>(column, e.index(1)) : column;
}

/// Which byte (or code) and how far into it each of n items of `step` bits
/// starts, in a row of items of `width` bits.
static std::pair<SmallVector<int64_t>, SmallVector<int16_t>>
positions(int64_t n, int64_t step, int64_t width) {
  SmallVector<int64_t> index;
  SmallVector<int16_t> shift;
  for (int64_t i = 0; i < n; ++i) {
    index.push_back(i * step / width);
    shift.push_back(static_cast<int16_t>(i * step % width));
  }
  return {index, shift};
}

/// Lane i: (a[index[i]] >> shift[i]) | (a[index[i] + 1] << (width - shift[i])),
/// in i16.
static Value funnel(BodyBuilder &e, Value a, ArrayRef<int64_t> index,
                    ArrayRef<int16_t> shift, int64_t width) {
  int64_t n = index.size(),
          last = cast<VectorType>(a.getType()).getDimSize(0) - 1;
  VectorType i16 = e.vec(n, e.b.getI16Type());
  SmallVector<int64_t> next;
  SmallVector<int16_t> left;
  for (auto [i, s] : llvm::zip(index, shift)) {
    next.push_back(std::min(i + 1, last));
    left.push_back(static_cast<int16_t>(width - s));
  }
  auto wide = [&](ArrayRef<int64_t> lanes) {
    return e.make<arith::ExtUIOp>(i16, e.shuffle(a, a, lanes));
  };
  auto amounts = [&](ArrayRef<int16_t> values) {
    return e.make<arith::ConstantOp>(DenseElementsAttr::get(i16, values));
  };
  return e.make<arith::OrIOp>(
      e.make<arith::ShRUIOp>(wide(index), amounts(shift)),
      e.make<arith::ShLIOp>(wide(next), amounts(left)));
}

Value labgen::unpackCodes(BodyBuilder &e, Value bytes, int64_t n, unsigned bits,
                          bool isSigned) {
  if (bits == 6) {
    auto [index, shift] = positions(n, 6, 8);
    Value codes = e.make<arith::TruncIOp>(e.vec(n, e.b.getI8Type()),
                                          funnel(e, bytes, index, shift, 8));
    return e.make<arith::AndIOp>(codes, e.intSplat(n, 63, 8));
  }
  int64_t half = (n + 1) / 2;
  Value four = e.intSplat(half, 4, 8), low, high;
  if (isSigned) {
    low = e.make<arith::ShRSIOp>(e.make<arith::ShLIOp>(bytes, four), four);
    high = e.make<arith::ShRSIOp>(bytes, four);
  } else {
    low = e.make<arith::AndIOp>(bytes, e.intSplat(half, 15, 8));
    high = e.make<arith::ShRUIOp>(bytes, four);
  }
  if (n == 1)
    return low;
  SmallVector<int64_t> interleave;
  for (int64_t i = 0; i < half; ++i) {
    interleave.push_back(i);
    interleave.push_back(half + i);
  }
  return e.shuffle(low, high, interleave);
}

Value labgen::packCodes(BodyBuilder &e, Value codes, unsigned bits) {
  int64_t n = cast<VectorType>(codes.getType()).getDimSize(0);
  codes = e.make<arith::AndIOp>(codes, e.intSplat(n, (1 << bits) - 1, 8));
  if (bits == 6) {
    auto [index, shift] = positions(n * 6 / 8, 8, 6);
    return e.make<arith::TruncIOp>(e.vec(n * 6 / 8, e.b.getI8Type()),
                                   funnel(e, codes, index, shift, 6));
  }
  if (n == 1)
    return codes;
  SmallVector<int64_t> even, odd;
  for (int64_t i = 0; i < n / 2; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
  }
  Value high = e.make<arith::ShLIOp>(e.shuffle(codes, codes, odd),
                                     e.intSplat(n / 2, 4, 8));
  return e.make<arith::OrIOp>(e.shuffle(codes, codes, even), high);
}

Value CodeVectors::load(Value row, Value column, int64_t n) {
  if (!packed)
    return e.load(matrix, n, {row, column});
  Value bytes = e.load(matrix, (n + 1) / 2, {row, byteOf(column)});
  return unpackCodes(e, bytes, n, 4, /*isSigned=*/true);
}

void CodeVectors::store(Value codes, Value row, Value column,
                        bool nontemporal) {
  if (packed)
    return e.store(packCodes(e, codes, 4), matrix, {row, byteOf(column)},
                   nontemporal);
  e.store(codes, matrix, {row, column}, nontemporal);
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
