// UnrolledSize.cpp - see UnrolledSize.h.
#include "lib/Transforms/Bodies/UnrolledSize.h"

#include "lib/Transforms/Vector/BodyBuilder.h"

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

static int64_t unrolledParts(Operation *op, bool isDot, int64_t vectorBytes) {
  if (auto gemm = dyn_cast<lab::GemmOp>(op)) {
    int64_t sums = elements(gemm.getC());
    unsigned bits = elementType(gemm.getC()).getIntOrFloatBitWidth();
    return isDot ? sums : sums / std::max<int64_t>(vectorBytes * 8 / bits, 1);
  }
  if (auto copy = dyn_cast<lab::CopyOp>(op))
    return copy.getPad() ? elements(copy.getWholeSide().get()) : 1;
  auto codes = dyn_cast<lab::DequantizeOp>(op);
  return codes && codes.getPad() ? elements(codes.getY()) : 1;
}

LogicalResult labgen::checkUnrolledParts(Operation *op, bool isDot,
                                         int64_t vectorBytes) {
  int64_t parts = unrolledParts(op, isDot, vectorBytes);
  if (parts <= maxUnrolledParts)
    return success();
  bool isCopy = !isa<lab::GemmOp>(op);
  return op->emitOpError("schedule leaves a tile of ")
         << parts << (isCopy ? " elements" : " sums")
         << ", each unrolled; legal: up to " << maxUnrolledParts << ", by "
         << (isCopy ? "smaller pieces behind `by`"
                    : "smaller tiles of the last level");
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
