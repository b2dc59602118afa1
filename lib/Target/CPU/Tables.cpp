// Tables.cpp - see Passes.td. Two instructions a register of codes.
#include "lib/Spec/Convert.h"
#include "lib/Target/CPU/CpuTarget.h"
#include "lib/Target/CPU/Passes.h"
#include "lib/Transforms/Numerics/SmallFloats.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace labgen {
#define GEN_PASS_DEF_LABCPUTABLES
#include "lib/Target/CPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

/// f32 lanes in a register of 64 bytes, and codes of 4 bits.
constexpr int64_t entries = 16;

/// f32 of codes in i8 lanes, whole registers of them.
Value lookUp(BodyBuilder &e, Value codes, Format format) {
  SmallVector<float> values;
  for (int64_t code = 0; code < entries; ++code)
    values.push_back(static_cast<float>(decode(format, code)));
  VectorType f32 = e.vec(entries, e.b.getF32Type());
  Value table = e.make<arith::ConstantOp>(
      DenseElementsAttr::get(f32, ArrayRef<float>(values)));
  int64_t n = laneCount(codes);
  SmallVector<Value> parts;
  for (int64_t at = 0; at < n; at += entries) {
    // The instruction looks at the low four bits alone.
    Value index = e.make<arith::ExtUIOp>(e.vec(entries, e.b.getI32Type()),
                                         e.slice(codes, at, entries));
    parts.push_back(e.make<LLVM::CallIntrinsicOp>(
        f32, e.b.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
        ValueRange{table, index}));
  }
  return e.concat(parts);
}

struct TablesPass : labgen::impl::LabCpuTablesBase<TablesPass> {
  using LabCpuTablesBase::LabCpuTablesBase;

  void runOnOperation() override {
    Result<CpuTarget> target = resolveCpu(cpu);
    if (!target) {
      getOperation().emitError(target.status().message());
      return signalPassFailure();
    }
    auto extend = [&](arith::ExtFOp op, Format format) {
      int64_t n = laneCount(op.getOut());
      if (!llvm::is_contained(target->extends, format) || n % entries)
        return;
      BodyBuilder e(op, target->vectorBytes);
      op.replaceAllUsesWith(lookUp(e, codesOf(e, op), format));
      op.erase();
    };
    forEachConversion(getOperation(), extend, [](arith::TruncFOp, Format) {});
  }
};

} // namespace
