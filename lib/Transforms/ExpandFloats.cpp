// ExpandFloats.cpp - see Passes.td.
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Numerics/SmallFloats.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace labgen {
#define GEN_PASS_DEF_LABEXPANDFLOATS
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;

namespace {

struct ExpandFloatsPass : labgen::impl::LabExpandFloatsBase<ExpandFloatsPass> {
  using LabExpandFloatsBase::LabExpandFloatsBase;

  void runOnOperation() override {
    forEachConversion(
        getOperation(),
        [&](arith::ExtFOp op, Format format) { extend(op, format); },
        [&](arith::TruncFOp op, Format format) { truncate(op, format); });
  }

private:
  void extend(arith::ExtFOp op, Format format) {
    BodyBuilder e(op, vectorBytes);
    Value codes = codesOf(e, op);
    const FormatInfo &row = info(format);
    if (row.bits < 8)
      codes = e.make<arith::AndIOp>(
          codes, e.intSplat(laneCount(codes), (1 << row.bits) - 1, 8));
    op.replaceAllUsesWith(FormatVectors(e, format).toFloat(codes));
    op.erase();
  }

  void truncate(arith::TruncFOp op, Format format) {
    BodyBuilder e(op, vectorBytes);
    CastRules rules;
    rules.nanIsMax = !info(format).hasNaN;
    rules.saturate = rules.nanIsMax && !info(format).hasInf;
    replaceByCodes(e, op,
                   FormatVectors(e, format).fromFloat(op.getIn(), rules));
  }
};

} // namespace
