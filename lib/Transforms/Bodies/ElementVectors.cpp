// ElementVectors.cpp - see ElementVectors.h.
#include "lib/Transforms/Bodies/ElementVectors.h"

#include "lib/Transforms/Vector/CodeVectors.h"

using namespace mlir;
using namespace labgen;

Value ElementVectors::byteOf(Value at) {
  if (bits % 8 == 0)
    return at;
  return e.make<arith::DivUIOp>(e.mul(at, bits), e.index(8));
}

Value ElementVectors::load(Value at, int64_t count, int64_t lanes) {
  Value first = byteOf(at);
  bool packed = bits % 8;
  int64_t items = packed ? (count * bits + 7) / 8 : count;
  int64_t width = packed ? lanes * bits / 8 : lanes;
  Value v = e.padded(items, width, raw, [&](int64_t from, int64_t n) {
    return asRaw(e.load(run, n, e.add(first, from)));
  });
  if (!packed)
    return v;
  return unpackCodes(e, v, lanes, bits,
                     info(format).kind == FormatKind::SignedInt);
}

void ElementVectors::prefetch(Value at, int64_t count) {
  e.prefetch(run, Value(), byteOf(at), bits % 8 ? count * bits / 8 : count);
}

void ElementVectors::store(Value codes, Value at, int64_t count,
                           bool nontemporal) {
  bool packed = bits % 8;
  if (count * bits % 8) // pad bits are zero
    codes = firstOf(codes, count);
  Value v = packed ? packCodes(e, codes, bits) : asRaw(codes);
  int64_t items = packed ? (count * bits + 7) / 8 : count;
  int64_t width = cast<VectorType>(v.getType()).getDimSize(0);
  Value first = byteOf(at);
  Type element = elementType(run);
  // bf16 is cut as integers and named bf16 only where it is stored: LLVM would
  // otherwise call a library to build such vectors.
  int64_t most = raw == element ? width : std::min(width, e.lanes(raw) / 2);
  // Every piece must start at a multiple of its size.
  int64_t bytes = raw.getIntOrFloatBitWidth() / 8;
  bool around = nontemporal && items * bytes % e.vectorBytes == 0;
  int64_t done = 0;
  for (int64_t n :
       pieces(items, around ? std::min(most, e.lanes(raw)) : most)) {
    Value part = n == width ? v : e.slice(v, done, n);
    if (raw != element)
      part = e.make<arith::BitcastOp>(e.vec(n, element), part);
    e.store(part, run, e.add(first, done), around);
    done += n;
  }
}

Value ElementVectors::firstOf(Value codes, int64_t count) {
  auto type = cast<VectorType>(codes.getType());
  SmallVector<int8_t> mask(type.getNumElements(), 0);
  std::fill_n(mask.begin(), count, -1);
  auto kept = DenseElementsAttr::get(type, ArrayRef<int8_t>(mask));
  return e.make<arith::AndIOp>(codes, e.make<arith::ConstantOp>(kept));
}

Value ElementVectors::asRaw(Value v) {
  if (elementType(v) == raw)
    return v;
  int64_t n = cast<VectorType>(v.getType()).getDimSize(0);
  return e.make<arith::BitcastOp>(e.vec(n, raw), v);
}

void labgen::forAllElements(BodyBuilder &e, int64_t n, Value x, Format in,
                            Value y, Format out, bool unroll,
                            function_ref<Value(Value, Value)> convert) {
  ElementVectors source(e, x, in), target(e, y, out);
  auto isWide = [](Format f) { return f == Format::F64 || f == Format::I32; };
  Type widest =
      isWide(in) || isWide(out) ? Type(e.b.getF64Type()) : e.b.getF32Type();
  // Packed elements start on a byte at every eighth.
  int64_t lanes = std::max<int64_t>(e.lanes(widest), 8);
  int64_t narrowest = std::min(info(in).storageBits, info(out).storageBits);
  int64_t wide = !unroll ? lanes : (narrowest == 4 ? 8 : 4) * lanes;
  bool nontemporal = e.kernel.nontemporal;
  auto step = [&](Value at, int64_t count, int64_t width, bool around) {
    target.store(convert(source.load(at, count, width), at), at, count, around);
  };
  // A GPU's thread touches its elements at once, as its neighbours touch
  // theirs.
  if (e.isSimt && n <= 16)
    return step(e.index(0), n, n % 4 ? llvm::alignTo(n, 8) : n, false);
  int64_t whole = n / wide * wide, single = n / lanes * lanes;
  e.forLoop(0, whole, wide, [&](Value at) {
    source.prefetch(at, wide);
    step(at, wide, wide, nontemporal);
  });
  e.forLoop(whole, single, lanes,
            [&](Value at) { step(at, lanes, lanes, false); });
  if (single < n)
    step(e.index(single), n - single, lanes, false);
}
