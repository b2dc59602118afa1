// NativeF8.cpp - f32 to 8-bit floats by a GPU's own instruction, where the
// schedule names one and it gives the same bits: to nearest even, saturating.
//
// NVIDIA's saturates by itself and makes NaN 0x7f (PTX ISA, cvt); AMD's makes
// what is too large NaN or Inf, so values are clamped first.
#include "lib/Transforms/Numerics/FormatVectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

/// The intrinsic for pairs, empty where there is none.
static StringRef intrinsicOf(StringRef convert, Format format) {
  bool isOcp = format == Format::F8E4M3FN || format == Format::F8E5M2;
  bool isFnuz = format == Format::F8E4M3FNUZ || format == Format::F8E5M2FNUZ;
  bool isE4M3 = format == Format::F8E4M3FN || format == Format::F8E4M3FNUZ;
  if (convert == "nvvm" && isOcp)
    return isE4M3 ? "llvm.nvvm.ff.to.e4m3x2.rn" : "llvm.nvvm.ff.to.e5m2x2.rn";
  if ((convert == "amdgcn-ocp" && isOcp) ||
      (convert == "amdgcn-fnuz" && isFnuz))
    return isE4M3 ? "llvm.amdgcn.cvt.pk.fp8.f32" : "llvm.amdgcn.cvt.pk.bf8.f32";
  return "";
}

Value FormatVectors::nativeCode(Value x, CastRules rules, Value signSource) {
  StringRef name = intrinsicOf(e.leafString("convert", ""), format);
  bool sameSign = !signSource || elementType(signSource).isF32();
  if (name.empty() || !elementType(x).isF32() || !sameSign ||
      rules.round != lab::Rounding::Even || !rules.saturate || rules.nanIsMax)
    return Value();
  if (signSource)
    x = e.make<math::CopySignOp>(x, signSource);
  bool isNvidia = name.starts_with("llvm.nvvm");
  int64_t n = lanes(x);
  if (!isNvidia) {
    auto clamp = [&](arith::CmpFPredicate p, double limit) {
      Value most = floats(x, limit);
      return e.make<arith::SelectOp>(e.make<arith::CmpFOp>(p, x, most), most,
                                     x); // NaN stays
    };
    x = clamp(arith::CmpFPredicate::OGT, row.max);
    x = clamp(arith::CmpFPredicate::OLT, -row.max);
  }
  Type word = isNvidia ? e.b.getI16Type() : e.b.getI32Type();
  auto constant = [&](Type type, int64_t v) -> Value {
    return e.make<arith::ConstantOp>(e.b.getIntegerAttr(type, v));
  };
  SmallVector<Value> pairs;
  for (int64_t i = 0; i < n; i += 2) {
    Value low = e.extract(x, i), high = e.extract(x, std::min(i + 1, n - 1));
    SmallVector<Value> operands = {high, low}; // NVIDIA: the higher byte first
    if (!isNvidia)
      operands = {low, high, constant(word, 0), constant(e.b.getI1Type(), 0)};
    Value pair = e.make<LLVM::CallIntrinsicOp>(word, e.b.getStringAttr(name),
                                               ValueRange(operands));
    if (!isNvidia)
      pair = e.make<arith::TruncIOp>(e.b.getI16Type(), pair);
    pairs.push_back(pair);
  }
  int64_t count = pairs.size();
  Value codes =
      e.make<vector::FromElementsOp>(e.vec(count, e.b.getI16Type()), pairs);
  codes = e.make<vector::BitCastOp>(e.vec(2 * count, e.b.getI8Type()), codes);
  return 2 * count == n ? codes : e.slice(codes, 0, n);
}
