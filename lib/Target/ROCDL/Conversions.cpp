// Conversions.cpp - see Passes.td. The instructions have two or four pairs in
// 32 bits and are told which one; those of 4 bits scale as well, here by 1.
#include "lib/Target/Chips/Conversions.h"
#include "lib/Target/ROCDL/Passes.h"
#include "lib/Transforms/Numerics/SmallFloats.h"
#include "lib/Transforms/Vector/CodeVectors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace labgen {
#define GEN_PASS_DEF_LABROCDLCONVERSIONS
#include "lib/Target/ROCDL/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

/// The conversions of one format, in pairs.
class Pairs {
public:
  Pairs(BodyBuilder &e, Format format)
      : e(e), isF4(info(format).bits == 4),
        hasWideExponent(info(format).exponentBits == 5) {}

  /// f32 of codes in i8 lanes.
  Value extend(Value codes);
  /// Codes in i8 lanes of f32.
  Value truncate(Value x);

private:
  int64_t bytesOfPair() const { return isF4 ? 1 : 2; }
  int64_t pairsOfWord() const { return 4 / bytesOfPair(); }
  Value one() { return e.make<arith::ConstantOp>(e.b.getF32FloatAttr(1)); }
  Value extendPair(Value word, int64_t index);
  /// Puts a pair at `index` of a word, which holds those before it.
  Value truncatePair(Value low, Value high, Value word, int64_t index);

  BodyBuilder &e;
  bool isF4, hasWideExponent;
};

Value Pairs::extendPair(Value word, int64_t index) {
  VectorType floats = e.vec(2, e.b.getF32Type());
  if (isF4)
    return e.make<ROCDL::CvtScaleF32PkF32Fp4Op>(floats, word, one(),
                                                uint32_t(index));
  if (hasWideExponent)
    return e.make<ROCDL::CvtPkF32Bf8Op>(floats, word, index != 0);
  return e.make<ROCDL::CvtPkF32Fp8Op>(floats, word, index != 0);
}

Value Pairs::extend(Value codes) {
  int64_t n = laneCount(codes), numPairs = llvm::divideCeil(n, 2);
  codes = e.extended(codes, 2 * numPairs);
  Value bytes = isF4 ? packCodes(e, codes, 4) : codes;
  bytes = e.extended(bytes, llvm::alignTo(laneCount(bytes), 4));
  Value words = e.make<vector::BitCastOp>(
      e.vec(laneCount(bytes) / 4, e.b.getI32Type()), bytes);
  SmallVector<Value> pairs;
  for (int64_t pair = 0; pair < numPairs; ++pair)
    pairs.push_back(extendPair(e.extract(words, pair / pairsOfWord()),
                               pair % pairsOfWord()));
  Value values = e.concat(pairs);
  return laneCount(values) == n ? values : e.slice(values, 0, n);
}

Value Pairs::truncatePair(Value low, Value high, Value word, int64_t index) {
  Type i32 = e.b.getI32Type();
  if (isF4)
    return e.make<ROCDL::CvtScaleF32PkFp4F32Op>(i32, word, low, high, one(),
                                                uint32_t(index));
  if (hasWideExponent)
    return e.make<ROCDL::CvtPkBf8F32Op>(i32, low, high, word, index != 0);
  return e.make<ROCDL::CvtPkFp8F32Op>(i32, low, high, word, index != 0);
}

Value Pairs::truncate(Value x) {
  int64_t n = laneCount(x), numPairs = llvm::divideCeil(n, 2);
  SmallVector<Value> words;
  for (int64_t pair = 0; pair < numPairs; ++pair) {
    int64_t index = pair % pairsOfWord();
    if (index == 0)
      words.push_back(e.make<arith::ConstantOp>(e.b.getI32IntegerAttr(0)));
    words.back() = truncatePair(e.extract(x, 2 * pair),
                                e.extract(x, std::min(2 * pair + 1, n - 1)),
                                words.back(), index);
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
  return laneCount(codes) == n ? codes : e.slice(codes, 0, n);
}

struct ConversionsPass
    : labgen::impl::LabRocdlConversionsBase<ConversionsPass> {
  using LabRocdlConversionsBase::LabRocdlConversionsBase;

  void runOnOperation() override {
    Result<const ChipInfo *> found = findGpuChip("rocdl:" + chip.getValue());
    if (!found) {
      getOperation().emitError(found.status().message());
      return signalPassFailure();
    }
    Conversions conversions = conversionsOf(**found);
    auto extend = [&](arith::ExtFOp op, Format format) {
      if (!conversions.extendsFrom(format))
        return;
      BodyBuilder e(op, accessBytes);
      op.replaceAllUsesWith(Pairs(e, format).extend(codesOf(e, op)));
      op.erase();
    };
    auto truncate = [&](arith::TruncFOp op, Format format) {
      if (!conversions.truncatesTo(format))
        return;
      BodyBuilder e(op, accessBytes);
      replaceByCodes(e, op, Pairs(e, format).truncate(op.getIn()));
    };
    forEachConversion(getOperation(), extend, truncate);
  }

private:
  static constexpr int64_t accessBytes = 16;
};

} // namespace
