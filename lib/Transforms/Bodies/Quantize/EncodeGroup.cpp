// EncodeGroup.cpp - code of its own for groups that are not divided.
#include "lib/Transforms/Bodies/Quantize/QuantizeMath.h"

using namespace mlir;
using namespace labgen;

void QuantizeMath::encodeGroup(
    const Scales &scales, llvm::function_ref<void(const Scales &)> encode) {
  if (!scales.correction)
    return encode(scales);
  Value none = e.zeros(cast<VectorType>(scales.correction.getType()));
  Value divided =
      e.make<arith::CmpFOp>(arith::CmpFPredicate::ONE, scales.correction, none);
  auto choice =
      e.create<scf::IfOp>(e.extract(divided, 0), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(choice.thenBlock());
  encode(scales);
  e.b.setInsertionPointToStart(choice.elseBlock());
  Scales multiplied = scales;
  multiplied.shift = multiplied.negated = multiplied.correction = Value();
  encode(multiplied);
}
