// TableDecode.cpp - 4-bit floats to f32 by a table of 16 in a register, where
// the schedule says that the target permutes registers: two instructions a
// register of codes.
#include "lib/Spec/Convert.h"
#include "lib/Transforms/Numerics/FormatVectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace labgen;

Value FormatVectors::tableFloat(Value raw) {
  constexpr int64_t entries = 16;
  if (row.bits != 4 || e.kernel.convert != "avx512" || lanes(raw) % entries)
    return Value();
  SmallVector<float> values;
  for (int64_t code = 0; code < entries; ++code)
    values.push_back(static_cast<float>(decode(format, code)));
  VectorType f32 = e.vec(entries, e.b.getF32Type());
  Value table = e.make<arith::ConstantOp>(
      DenseElementsAttr::get(f32, ArrayRef<float>(values)));
  SmallVector<Value> parts;
  for (int64_t at = 0; at < lanes(raw); at += entries) {
    // The instruction looks at the low four bits alone.
    Value codes = e.make<arith::ExtUIOp>(e.vec(entries, e.b.getI32Type()),
                                         e.slice(raw, at, entries));
    parts.push_back(e.make<LLVM::CallIntrinsicOp>(
        f32, e.b.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
        ValueRange{table, codes}));
  }
  return e.concat(parts);
}
