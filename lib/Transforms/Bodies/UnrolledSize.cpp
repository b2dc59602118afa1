// UnrolledSize.cpp - see UnrolledSize.h.
#include "lib/Transforms/Bodies/UnrolledSize.h"

using namespace mlir;
using namespace labgen;

/// Rows times columns of the matrix or tile that has static sizes.
static int64_t elements(Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  int64_t product = 0;
  if (!type.hasStaticShape() ||
      llvm::MulOverflow(type.getDimSize(0), type.getDimSize(1), product))
    return 0; // refused for that
  return product;
}

static LogicalResult checkParts(Operation *op, int64_t parts, StringRef what,
                                StringRef remedy) {
  if (parts <= maxUnrolledParts)
    return success();
  return op->emitOpError("schedule leaves a tile of ")
         << parts << " " << what << ", each unrolled; legal: up to "
         << maxUnrolledParts << ", by " << remedy;
}

LogicalResult labgen::checkUnrolledSums(lab::GemmOp op, int64_t lanes) {
  return checkParts(op, elements(op.getC()) / lanes, "sums",
                    "smaller tiles of the last level");
}

LogicalResult labgen::checkUnrolledElements(Operation *op, Value tile) {
  return checkParts(op, elements(tile), "elements",
                    "smaller pieces behind `by`");
}

void OperationCount::start(Operation *op) {
  block = op->getBlock();
  before = op->getPrevNode();
  after = op->getNextNode();
  name = op->getName().getStringRef().str();
  loc = op->getLoc();
}

LogicalResult OperationCount::done() {
  Block::iterator first =
      before ? std::next(Block::iterator(before)) : block->begin();
  Block::iterator end = after ? Block::iterator(after) : block->end();
  for (Operation &op : llvm::make_range(first, end))
    op.walk([&](Operation *inner) {
      count += !inner->hasTrait<OpTrait::ConstantLike>();
    });
  if (count <= maxOperations)
    return success();
  return emitError(loc) << "'" << name
                        << "' op schedule unrolls its bodies into more than "
                        << maxOperations
                        << " operations; choose smaller tiles for the last "
                           "level, and such that divide those before them";
}
