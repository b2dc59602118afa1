// CopyBody.cpp - row vectors in; where the destination runs the other way,
// square blocks are transposed in registers.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/BodyBuilder.h"
#include "lib/Transforms/Bodies/CodeVectors.h"
#include "lib/Transforms/Bodies/FormatVectors.h"
#include "lib/Transforms/Bodies/StridedStore.h"

using namespace mlir;
using namespace labgen;

LogicalResult labgen::lowerCopy(lab::CopyOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Type element = elementType(op.getDst());
  StridedStore destination(e, op.getDst());
  if (op.getCodeAttr()) {
    CodeVectors codes(e, op.getSrc(), op.getCodeType());
    FormatVectors format(e, *lab::formatOf(op.getCodeType()));
    destination.fill(
        e.lanes(element),
        [&](Value row, Value column, int64_t n) {
          return format.toFloat(codes.load(row, column, n));
        },
        codes.granule());
  } else {
    destination.fill(e.lanes(element), [&](Value row, Value column, int64_t n) {
      Value v = e.load(op.getSrc(), n, {row, column});
      return elementType(v) == element ? v : e.widen(v);
    });
  }
  op->erase();
  return success();
}
