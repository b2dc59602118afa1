// CopyBody.cpp - row vectors in; where the destination runs the other way,
// square blocks are transposed in registers.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/BodyBuilder.h"
#include "lib/Transforms/Bodies/StridedStore.h"

using namespace mlir;
using namespace labgen;

LogicalResult labgen::lowerCopy(lab::CopyOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  BodyBuilder e(op, vectorBytes);
  Type element = elementType(op.getDst());
  StridedStore destination(e, op.getDst());
  destination.fill(e.lanes(element), [&](Value row, Value column, int64_t n) {
    Value v = e.load(op.getSrc(), n, {row, column});
    return elementType(v) == element ? v : e.widen(v);
  });
  op->erase();
  return success();
}
