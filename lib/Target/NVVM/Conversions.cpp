// Conversions.cpp - see Passes.td. The instructions take a pair, the upper
// value first, and have it in 16 bits; 4-bit codes in 8.
#include "lib/Target/Chips/Conversions.h"
#include "lib/Target/NVVM/Passes.h"
#include "lib/Transforms/Numerics/SmallFloats.h"
#include "lib/Transforms/Vector/CodeVectors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

namespace labgen {
#define GEN_PASS_DEF_LABNVVMCONVERSIONS
#include "lib/Target/NVVM/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using arith::CmpFPredicate;

namespace {

bool isSplatOf(Value v, double value) {
  APFloat found(0.0);
  return matchPattern(v, m_ConstantFloat(&found)) &&
         found.convertToDouble() == value;
}

/// What a select keeps where it compares otherwise with `limit` (or with
/// itself), and else makes `limit`; null for any other value.
Value whereNotReplaced(Value v, CmpFPredicate predicate, double limit,
                       bool comparesWithItself) {
  auto select = v.getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare || compare.getPredicate() != predicate ||
      !isSplatOf(select.getTrueValue(), limit) ||
      compare.getLhs() != select.getFalseValue())
    return Value();
  bool matches = comparesWithItself ? compare.getRhs() == compare.getLhs()
                                    : isSplatOf(compare.getRhs(), limit);
  return matches ? select.getFalseValue() : Value();
}

/// What was clamped to the finite values of a format; null for what was not.
Value whatIsClamped(Value v, double max) {
  if (auto upper = v.getDefiningOp<arith::MinNumFOp>()) {
    auto lower = upper.getLhs().getDefiningOp<arith::MaxNumFOp>();
    return lower && isSplatOf(upper.getRhs(), max) &&
                   isSplatOf(lower.getRhs(), -max)
               ? lower.getLhs()
               : Value();
  }
  Value below = whereNotReplaced(v, CmpFPredicate::OLT, -max, false);
  return below ? whereNotReplaced(below, CmpFPredicate::OGT, max, false)
               : Value();
}

/// The conversions of one format, in pairs.
class Pairs {
public:
  Pairs(BodyBuilder &e, Format format)
      : e(e), row(info(format)), type(lab::typeOf(format, e.b.getContext())) {}

  /// f32 of codes in i8 lanes.
  Value extend(Value codes);
  /// Codes in i8 lanes of f32; beyond the largest value comes that one, as for
  /// NaN where the format has none.
  Value truncate(Value x);
  /// x, or NaN where it rounds to more than the largest value.
  Value nanBeyondLargest(Value x);

private:
  Value extendPair(Value word);
  Value truncatePair(Value low, Value high);
  /// LLVM would load element by element what is only extracted.
  Value asLoaded(Value v) { return e.make<LLVM::FreezeOp>(v); }

  BodyBuilder &e;
  const FormatInfo &row;
  Type type;
};

Value Pairs::extendPair(Value word) {
  if (row.bits == 4)
    return e.make<NVVM::ConvertF4x2ToF16x2Op>(e.vec(2, e.b.getF16Type()), word,
                                              /*relu=*/false, type);
  Value pair = e.make<LLVM::BitcastOp>(e.vec(2, e.b.getI8Type()), word);
  if (row.mantissaBits == 0) // E8M0 has the range of bf16
    return e.make<NVVM::ConvertF8x2ToBF16x2Op>(e.vec(2, e.b.getBF16Type()),
                                               pair, type);
  VectorType halves = e.vec(2, e.b.getF16Type());
  if (row.bits == 6)
    return e.make<NVVM::ConvertF6x2ToF16x2Op>(halves, pair, false, type);
  return e.make<NVVM::ConvertF8x2ToF16x2Op>(halves, pair, false, type);
}

Value Pairs::extend(Value codes) {
  int64_t n = laneCount(codes), numPairs = llvm::divideCeil(n, 2);
  codes = e.extended(codes, 2 * numPairs);
  Value words;
  if (row.bits == 4) {
    words = asLoaded(packCodes(e, codes, 4));
  } else {
    if (row.bits == 6)
      codes = e.make<arith::AndIOp>(codes, e.intSplat(2 * numPairs, 63, 8));
    words = e.make<vector::BitCastOp>(e.vec(numPairs, e.b.getI16Type()),
                                      asLoaded(codes));
  }
  SmallVector<Value> pairs;
  for (int64_t pair = 0; pair < numPairs; ++pair)
    pairs.push_back(extendPair(e.extract(words, pair)));
  Value values = e.concat(pairs);
  return e.widen(2 * numPairs == n ? values : e.slice(values, 0, n));
}

Value Pairs::truncatePair(Value low, Value high) {
  Type i16 = e.b.getI16Type();
  if (row.bits == 4)
    return e.make<NVVM::ConvertF32x2ToF4x2Op>(e.b.getI8Type(), high, low,
                                              /*relu=*/false, type);
  if (row.bits == 6)
    return e.make<NVVM::ConvertF32x2ToF6x2Op>(i16, high, low, false, type);
  return e.make<NVVM::ConvertF32x2ToF8x2Op>(
      i16, high, low, NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
      false, type);
}

Value Pairs::truncate(Value x) {
  int64_t n = laneCount(x), numPairs = llvm::divideCeil(n, 2);
  x = asLoaded(x);
  SmallVector<Value> words;
  for (int64_t pair = 0; pair < numPairs; ++pair)
    words.push_back(truncatePair(e.extract(x, 2 * pair),
                                 e.extract(x, std::min(2 * pair + 1, n - 1))));
  Value codes = e.make<vector::FromElementsOp>(
      e.vec(numPairs, words.front().getType()), words);
  if (row.bits == 4)
    codes = unpackCodes(e, codes, 2 * numPairs, 4, /*isSigned=*/false);
  else
    codes =
        e.make<vector::BitCastOp>(e.vec(2 * numPairs, e.b.getI8Type()), codes);
  return 2 * numPairs == n ? codes : e.slice(codes, 0, n);
}

Value Pairs::nanBeyondLargest(Value x) {
  // The largest value is even: the tie above it rounds to it.
  int lastPlace = std::ilogb(row.max) - row.mantissaBits;
  auto splat = [&](double value) {
    return e.floatSplat(laneCount(x), value, e.b.getF32Type());
  };
  Value tie = splat(row.max + std::ldexp(0.5, lastPlace));
  Value beyond =
      e.make<arith::CmpFOp>(CmpFPredicate::OGT, e.make<math::AbsFOp>(x), tie);
  Value nan = splat(std::numeric_limits<double>::quiet_NaN());
  return e.make<arith::SelectOp>(beyond, nan, x);
}

struct ConversionsPass : labgen::impl::LabNvvmConversionsBase<ConversionsPass> {
  using LabNvvmConversionsBase::LabNvvmConversionsBase;

  void runOnOperation() override {
    Result<const ChipInfo *> found = findGpuChip("nvvm:" + chip.getValue());
    if (!found) {
      getOperation().emitError(found.status().message());
      return signalPassFailure();
    }
    conversions = conversionsOf(**found);
    forEachConversion(
        getOperation(),
        [&](arith::ExtFOp op, Format format) { extend(op, format); },
        [&](arith::TruncFOp op, Format format) { truncate(op, format); });
  }

private:
  void extend(arith::ExtFOp op, Format format) {
    if (!conversions.extendsFrom(format))
      return;
    BodyBuilder e(op, accessBytes);
    op.replaceAllUsesWith(Pairs(e, format).extend(codesOf(e, op)));
    op.erase();
  }

  void truncate(arith::TruncFOp op, Format format) {
    if (!conversions.truncatesTo(format))
      return;
    const FormatInfo &row = info(format);
    Value x = op.getIn();
    // What the instruction does by itself is not done before it.
    Value within = row.hasNaN
                       ? whatIsClamped(x, row.max)
                       : whereNotReplaced(x, CmpFPredicate::UNO, row.max, true);
    if (!within && row.hasInf) // it makes no Inf
      return;
    BodyBuilder e(op, accessBytes);
    Pairs pairs(e, format);
    if (within)
      x = within;
    else if (row.hasNaN)
      x = pairs.nanBeyondLargest(x);
    replaceByCodes(e, op, pairs.truncate(x));
  }

  static constexpr int64_t accessBytes = 16;
  Conversions conversions;
};

} // namespace
