// CodeVectors.cpp - see CodeVectors.h.
#include "lib/Transforms/Vector/CodeVectors.h"

using namespace mlir;
using namespace labgen;

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

/// Codes of 4 bits by the bit-field instructions of a GPU, which know words and
/// no bytes.
static Value nibblesOfWords(BodyBuilder &e, Value bytes, int64_t from,
                            int64_t n, bool isSigned) {
  int64_t all = cast<VectorType>(bytes.getType()).getDimSize(0);
  Value words =
      e.make<vector::BitCastOp>(e.vec(all / 4, e.b.getI32Type()), bytes);
  auto amount = [&](int64_t bits) -> Value {
    return e.make<arith::ConstantOp>(
        e.b.getI32IntegerAttr(static_cast<int32_t>(bits)));
  };
  SmallVector<Value> codes;
  for (int64_t i = from; i < from + n; ++i) {
    Value top =
        e.make<arith::ShLIOp>(e.extract(words, i / 8), amount(28 - i % 8 * 4));
    codes.push_back(isSigned ? e.make<arith::ShRSIOp>(top, amount(28))
                             : e.make<arith::ShRUIOp>(top, amount(28)));
  }
  Value wide =
      e.make<vector::FromElementsOp>(e.vec(n, e.b.getI32Type()), codes);
  return e.make<arith::TruncIOp>(e.vec(n, e.b.getI8Type()), wide);
}

/// 6-bit codes in registers of a GPU, four to an i32: each moved from its byte
/// to its place among 24 bits, or back.
static Value moveSixes(BodyBuilder &e, Value fours, bool pack) {
  int64_t n = cast<VectorType>(fours.getType()).getDimSize(0);
  Value all;
  for (int64_t i = 0; i < 4; ++i) {
    int64_t places = pack ? 8 * i : 6 * i;
    Value one =
        e.make<arith::AndIOp>(fours, e.intSplat(n, int64_t(63) << places, 32));
    Value distance = e.intSplat(n, 2 * i, 32);
    if (i > 0)
      one = pack ? e.make<arith::ShRUIOp>(one, distance)
                 : e.make<arith::ShLIOp>(one, distance);
    all = i == 0 ? one : e.make<arith::OrIOp>(all, one);
  }
  return all;
}

/// The first three bytes of every four, or each three and a byte that is
/// nothing.
static Value packSixes(BodyBuilder &e, Value codes) {
  int64_t fours = cast<VectorType>(codes.getType()).getDimSize(0) / 4;
  VectorType words = e.vec(fours, e.b.getI32Type());
  Value bytes = e.make<vector::BitCastOp>(
      codes.getType(),
      moveSixes(e, e.make<vector::BitCastOp>(words, codes), /*pack=*/true));
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < 3 * fours; ++i)
    kept.push_back(i / 3 * 4 + i % 3);
  return e.shuffle(bytes, bytes, kept);
}
static Value unpackSixes(BodyBuilder &e, Value bytes) {
  int64_t fours = cast<VectorType>(bytes.getType()).getDimSize(0) / 3;
  SmallVector<int64_t> spread;
  for (int64_t i = 0; i < 4 * fours; ++i)
    spread.push_back(i / 4 * 3 + std::min<int64_t>(i % 4, 2));
  Value words = e.make<vector::BitCastOp>(e.vec(fours, e.b.getI32Type()),
                                          e.shuffle(bytes, bytes, spread));
  return e.make<vector::BitCastOp>(e.vec(4 * fours, e.b.getI8Type()),
                                   moveSixes(e, words, /*pack=*/false));
}

Value labgen::unpackCodes(BodyBuilder &e, Value bytes, int64_t n, unsigned bits,
                          bool isSigned) {
  if (bits == 6 && e.isSimt)
    return unpackSixes(e, bytes);
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
  if (bits == 6 && e.isSimt)
    return packSixes(e, codes);
  codes = e.make<arith::AndIOp>(codes, e.intSplat(n, (1 << bits) - 1, 8));
  if (bits == 6) {
    auto [index, shift] = positions(n * 6 / 8, 8, 6);
    return e.make<arith::TruncIOp>(e.vec(n * 6 / 8, e.b.getI8Type()),
                                   funnel(e, codes, index, shift, 6));
  }
  if (n == 1)
    return codes;
  VectorType i8 = e.vec(n / 2, e.b.getI8Type());
  if (e.isSimt) {
    // Lanes are registers of their own there; codes that were just unpacked
    // fold.
    SmallVector<int64_t> even, odd;
    for (int64_t i = 0; i < n; i += 2) {
      even.push_back(i);
      odd.push_back(i + 1);
    }
    Value high = e.make<arith::ShLIOp>(e.shuffle(codes, codes, odd),
                                       e.intSplat(n / 2, 4, 8));
    return e.make<arith::OrIOp>(e.shuffle(codes, codes, even), high);
  }
  // In lanes of two codes: the high one comes down beside the low one.
  VectorType i16 = e.vec(n / 2, e.b.getI16Type());
  Value pairs = e.make<vector::BitCastOp>(i16, codes);
  Value high = e.make<arith::ShRUIOp>(pairs, e.intSplat(n / 2, 4, 16));
  return e.make<arith::TruncIOp>(i8, e.make<arith::OrIOp>(pairs, high));
}

CodeVectors::CodeVectors(BodyBuilder &e, Value matrix, Type code)
    : e(e), matrix(matrix), bits(lab::codeBits(code)),
      isSigned(code.isSignlessInteger()) {
  isNative = llvm::is_contained(e.kernel.extend, code) ||
             llvm::is_contained(e.kernel.truncate, code);
}

Value CodeVectors::byteOf(Value column) {
  if (bits == 8)
    return column;
  return e.make<arith::DivUIOp>(e.mul(column, bits), e.index(8));
}

Value CodeVectors::shiftOf(Value column) {
  Value shift = e.make<arith::RemUIOp>(e.mul(column, bits), e.index(8));
  return e.make<arith::TruncIOp>(
      e.b.getI16Type(), e.make<arith::IndexCastOp>(e.b.getI64Type(), shift));
}

Value CodeVectors::load(Value row, Value column, int64_t n) {
  if (bits == 8)
    return e.load(matrix, n, {row, column});
  // A short last piece is unpacked as if it were whole.
  int64_t whole = (n + granule() - 1) / granule() * granule();
  Value first = byteOf(column), bytes;
  if (n == whole && llvm::isPowerOf2_64(bytesOf(n)))
    bytes = e.load(matrix, bytesOf(n), {row, first});
  else
    bytes = e.padded(bytesOf(n), bytesOf(whole), e.b.getI8Type(),
                     [&](int64_t from, int64_t count) {
                       return e.load(matrix, count, {row, e.add(first, from)});
                     });
  Value codes = unpackCodes(e, bytes, whole, bits, isSigned);
  return n == whole ? codes : e.slice(codes, 0, n);
}

Value CodeVectors::loadPacked(Value row, Value column, int64_t n,
                              int64_t width) {
  Value first = byteOf(column);
  return e.padded(bytesOf(n), bytesOf(width), e.b.getI8Type(),
                  [&](int64_t from, int64_t count) {
                    return e.load(matrix, count, {row, e.add(first, from)});
                  });
}

Value CodeVectors::unpack(Value packed, int64_t from, int64_t n) {
  if (bits == 8)
    return e.slice(packed, from, n);
  int64_t bytes = cast<VectorType>(packed.getType()).getDimSize(0);
  if (bits == 4 && e.isSimt && bytes % 4 == 0 && !isNative)
    return nibblesOfWords(e, packed, from, n, isSigned);
  int64_t whole = (n + granule() - 1) / granule() * granule();
  Value own = e.slice(packed, bytesOf(from), bytesOf(whole));
  Value codes = unpackCodes(e, own, whole, bits, isSigned);
  return n == whole ? codes : e.slice(codes, 0, n);
}

void CodeVectors::store(Value codes, Value row, Value column,
                        bool nontemporal) {
  if (bits == 8)
    return e.store(codes, matrix, {row, column}, nontemporal);
  int64_t n = cast<VectorType>(codes.getType()).getDimSize(0);
  int64_t whole = (n + granule() - 1) / granule() * granule();
  Value bytes = packCodes(e, e.extended(codes, whole), bits);
  Value first = byteOf(column);
  if (n == whole && llvm::isPowerOf2_64(bytesOf(n)))
    return e.store(bytes, matrix, {row, first}, nontemporal);
  int64_t done = 0;
  for (int64_t count : pieces(bytesOf(n), e.vectorBytes)) {
    e.store(e.slice(bytes, done, count), matrix, {row, e.add(first, done)});
    done += count;
  }
}

Value CodeVectors::loadUnaligned(Value row, Value column, int64_t n) {
  if (bits == 8)
    return load(row, column, n);
  SmallVector<Value> codes;
  for (int64_t i = 0; i < n; ++i)
    codes.push_back(loadOne(row, e.add(column, i)));
  return e.make<vector::FromElementsOp>(e.vec(n, e.b.getI8Type()), codes);
}

Value CodeVectors::loadOne(Value row, Value column) {
  Value first = byteOf(column);
  auto byteAt = [&](Value at) -> Value {
    return e.make<memref::LoadOp>(matrix, ValueRange{row, at});
  };
  if (bits == 8)
    return byteAt(first);
  // Two bytes, the second one of the row if there is one, as an i16.
  Type i8 = e.b.getI8Type(), i16 = e.b.getI16Type();
  auto constant = [&](int64_t v) -> Value {
    return e.make<arith::ConstantOp>(e.b.getI16IntegerAttr(v));
  };
  Value second = e.make<arith::MinUIOp>(e.add(first, 1),
                                        e.index(dimension(matrix, 1) - 1));
  Value both = e.make<arith::OrIOp>(
      e.make<arith::ExtUIOp>(i16, byteAt(first)),
      e.make<arith::ShLIOp>(e.make<arith::ExtUIOp>(i16, byteAt(second)),
                            constant(8)));
  Value code = e.make<arith::ShRUIOp>(both, shiftOf(column));
  // The code to the top, then down with or without its sign.
  code = e.make<arith::ShLIOp>(code, constant(16 - bits));
  code = isSigned ? e.make<arith::ShRSIOp>(code, constant(16 - bits))
                  : e.make<arith::ShRUIOp>(code, constant(16 - bits));
  return e.make<arith::TruncIOp>(i8, code);
}

void CodeVectors::storeOne(Value code, Value row, Value column) {
  Value first = byteOf(column);
  if (bits == 8) {
    e.create<memref::StoreOp>(code, matrix, ValueRange{row, first});
    return;
  }
  Type i8 = e.b.getI8Type(), i16 = e.b.getI16Type();
  auto constant = [&](int64_t v) -> Value {
    return e.make<arith::ConstantOp>(e.b.getI16IntegerAttr(v));
  };
  auto storeByte = [&](Value v, Value at) {
    e.create<memref::StoreOp>(e.make<arith::TruncIOp>(i8, v), matrix,
                              ValueRange{row, at});
  };
  Value shift = shiftOf(column);
  Value wide = e.make<arith::AndIOp>(e.make<arith::ExtUIOp>(i16, code),
                                     constant((1 << bits) - 1));
  wide = e.make<arith::ShLIOp>(wide, shift);
  // Below the shift stands what the codes before put there; a byte that this
  // code begins may not have been written yet.
  Value begun =
      e.make<arith::CmpIOp>(arith::CmpIPredicate::ne, shift, constant(0));
  auto before = e.create<scf::IfOp>(TypeRange{i16}, begun,
                                    /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(before.elseBlock());
    e.create<scf::YieldOp>(constant(0));
    e.b.setInsertionPointToStart(before.thenBlock());
    Value one = constant(1);
    Value mask = e.make<arith::SubIOp>(e.make<arith::ShLIOp>(one, shift), one);
    Value byte = e.make<arith::ExtUIOp>(
        i16, e.make<memref::LoadOp>(matrix, ValueRange{row, first}));
    e.create<scf::YieldOp>(e.make<arith::AndIOp>(byte, mask));
  }
  storeByte(e.make<arith::OrIOp>(wide, before.getResult(0)), first);
  Value spills = e.make<arith::CmpIOp>(arith::CmpIPredicate::ugt, shift,
                                       constant(8 - bits));
  auto next = e.create<scf::IfOp>(spills, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(next.thenBlock());
  storeByte(e.make<arith::ShRUIOp>(wide, constant(8)), e.add(first, 1));
}
