// Pairs.cpp - see Pairs.h. NVIDIA's instructions have a pair in an i16, 4-bit
// codes in its lower byte, and take the upper value first. AMD's have two or
// four pairs in an i32, which they are told, and take the lower value first;
// those of 4 bits scale as well, here by 1.
#include "lib/Transforms/Numerics/Native/Pairs.h"

#include "lib/Transforms/Vector/CodeVectors.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace labgen;

namespace {

class Pairs {
public:
  Pairs(BodyBuilder &e, const NativeConversion &native)
      : e(e), native(native), isF4(info(native.format).bits == 4) {}

  Value encode(Value x);
  Value decode(Value codes);

private:
  static int64_t lanes(Value v) {
    return cast<VectorType>(v.getType()).getDimSize(0);
  }
  Value constant(TypedAttr value) { return e.make<arith::ConstantOp>(value); }
  /// What is only extracted LLVM would load element by element, for NVIDIA.
  Value asLoaded(Value v) {
    return native.isNvidia() ? e.make<LLVM::FreezeOp>(v) : v;
  }
  Value call(StringRef name, Type result, ArrayRef<Value> operands) {
    return e.make<LLVM::CallIntrinsicOp>(result, e.b.getStringAttr(name),
                                         ValueRange(operands));
  }
  /// Bytes of two codes of 8 bits, or of 6, or of two of 4.
  int64_t bytesOfPair() const { return isF4 ? 1 : 2; }
  int64_t pairsOfWord() const {
    return native.isNvidia() ? 1 : 4 / bytesOfPair();
  }
  /// Which pair of an AMD word: its half, or one of its bytes.
  Value place(int64_t pair) {
    return isF4 ? constant(e.b.getI32IntegerAttr(pair))
                : constant(e.b.getBoolAttr(pair));
  }
  Value one() { return constant(e.b.getF32FloatAttr(1)); }
  /// The pair `index` of a word, which holds those before it.
  Value encodePair(Value low, Value high, Value word, int64_t index);
  Value decodePair(Value word, int64_t index);
  /// Words of whole pairs of codes.
  Value wordsOf(Value codes);

  BodyBuilder &e;
  const NativeConversion &native;
  bool isF4;
};

Value Pairs::encodePair(Value low, Value high, Value word, int64_t index) {
  if (native.isNvidia())
    return call(native.encode, e.b.getI16Type(), {high, low});
  Type i32 = e.b.getI32Type();
  if (!isF4)
    return call(native.encode, i32, {low, high, word, place(index)});
  return call(native.encode, i32, {word, low, high, one(), place(index)});
}

Value Pairs::encode(Value x) {
  int64_t n = lanes(x), numPairs = llvm::divideCeil(n, 2);
  x = asLoaded(x);
  SmallVector<Value> words;
  for (int64_t pair = 0; pair < numPairs; ++pair) {
    int64_t index = pair % pairsOfWord();
    if (index == 0)
      words.push_back(constant(e.b.getI32IntegerAttr(0)));
    Value low = e.extract(x, 2 * pair),
          high = e.extract(x, std::min(2 * pair + 1, n - 1));
    words.back() = encodePair(low, high, words.back(), index);
  }
  // What is used of a word: all of it, or the bytes of a few pairs.
  int64_t used =
      std::min<int64_t>(llvm::PowerOf2Ceil(numPairs), pairsOfWord()) *
      bytesOfPair();
  Type type = e.b.getIntegerType(8 * used);
  for (Value &word : words)
    if (word.getType() != type)
      word = e.make<arith::TruncIOp>(type, word);
  int64_t numWords = words.size(), numBytes = numWords * used;
  Value codes = e.make<vector::BitCastOp>(
      e.vec(numBytes, e.b.getI8Type()),
      e.make<vector::FromElementsOp>(e.vec(numWords, type), words));
  if (isF4)
    codes = unpackCodes(e, codes, 2 * numBytes, 4, /*isSigned=*/false);
  return lanes(codes) == n ? codes : e.slice(codes, 0, n);
}

Value Pairs::wordsOf(Value codes) {
  Value bytes = isF4 ? packCodes(e, codes, 4) : codes;
  int64_t numBytes = lanes(bytes);
  if (native.isNvidia() && isF4)
    return e.make<arith::ExtUIOp>(e.vec(numBytes, e.b.getI16Type()), bytes);
  Type word = native.isNvidia() ? e.b.getI16Type() : e.b.getI32Type();
  int64_t bytesOfWord = pairsOfWord() * bytesOfPair();
  bytes = asLoaded(bytes);
  bytes = e.extended(bytes, llvm::alignTo(numBytes, bytesOfWord));
  return e.make<vector::BitCastOp>(e.vec(lanes(bytes) / bytesOfWord, word),
                                   bytes);
}

Value Pairs::decodePair(Value word, int64_t index) {
  if (native.isNvidia()) {
    Type half = native.format == Format::F8E8M0FNU ? Type(e.b.getBF16Type())
                                                   : Type(e.b.getF16Type());
    return call(native.decode, e.vec(2, half), word);
  }
  VectorType floats = e.vec(2, e.b.getF32Type());
  if (!isF4)
    return call(native.decode, floats, {word, place(index)});
  return call(native.decode, floats, {word, one(), place(index)});
}

Value Pairs::decode(Value codes) {
  int64_t n = lanes(codes), numPairs = llvm::divideCeil(n, 2);
  Value words = wordsOf(e.extended(codes, 2 * numPairs));
  SmallVector<Value> pairs;
  for (int64_t pair = 0; pair < numPairs; ++pair)
    pairs.push_back(decodePair(e.extract(words, pair / pairsOfWord()),
                               pair % pairsOfWord()));
  Value values = e.concat(pairs);
  return lanes(values) == n ? values : e.slice(values, 0, n);
}

} // namespace

Value labgen::encodePairs(BodyBuilder &e, const NativeConversion &native,
                          Value x) {
  return Pairs(e, native).encode(x);
}

Value labgen::decodePairs(BodyBuilder &e, const NativeConversion &native,
                          Value codes) {
  return Pairs(e, native).decode(codes);
}
