// CopyBody.cpp - row vectors in; where the destination runs the other way,
// square blocks are transposed in registers.
#include "lib/Transforms/Bodies/Bodies.h"
#include "lib/Transforms/Bodies/PaddedLoad.h"
#include "lib/Transforms/Bodies/StridedStore.h"
#include "lib/Transforms/Bodies/UnrolledSize.h"
#include "lib/Transforms/Numerics/FormatVectors.h"
#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/CodeVectors.h"

using namespace mlir;
using namespace labgen;

namespace {

/// A tile of which one side may be smaller: vectors where they are whole,
/// single elements at the edge.
class PaddedCopy {
public:
  PaddedCopy(BodyBuilder &e, lab::CopyOp op)
      : e(e), op(op),
        other(op.getWholeSide().getOperandNumber() == 0 ? op.getDst()
                                                        : op.getSrc()),
        element(elementType(op.getDst())),
        padded(e, e.make<memref::DimOp>(other, 0),
               e.make<memref::DimOp>(other, 1), element),
        destination(e, op.getDst()) {}

  void run() {
    auto whole = op.getWholeSide().get();
    bool fills = other == op.getSrc();
    int64_t columns = dimension(whole, 1);
    for (int64_t r = 0; r < dimension(whole, 0); ++r) {
      int64_t at = 0;
      for (int64_t n : pieces(columns, e.lanes(element))) {
        if (fills)
          destination.store(filled(e.index(r), at, n), e.index(r), e.index(at));
        else
          storeInside(e.index(r), at, n);
        at += n;
      }
    }
  }

private:
  Value load(Value r, int64_t at, int64_t n) {
    Value v = e.load(op.getSrc(), n, {r, e.index(at)});
    return elementType(v) == element ? v : e.widen(v);
  }
  Value filled(Value r, int64_t at, int64_t n) {
    return padded.load(r, at, n, [&](int64_t from, int64_t count) {
      return load(r, from, count);
    });
  }
  void storeInside(Value r, int64_t at, int64_t n);

  BodyBuilder &e;
  lab::CopyOp op;
  Value other; ///< the side that may be smaller
  Type element;
  PaddedLoad padded;
  StridedStore destination;
};

void PaddedCopy::storeInside(Value r, int64_t at, int64_t n) {
  auto choice =
      e.create<scf::IfOp>(padded.inside(r, at, n), /*withElseRegion=*/n > 1);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(choice.thenBlock());
  destination.store(load(r, at, n), r, e.index(at));
  if (n == 1)
    return;
  e.b.setInsertionPointToStart(choice.elseBlock());
  for (int64_t i = 0; i < n; ++i)
    storeInside(r, at + i, 1);
}

} // namespace

static LogicalResult lowerCopy(lab::CopyOp op, int64_t vectorBytes) {
  if (op.getPad()) {
    if (failed(checkUnrolledElements(op, op.getWholeSide().get())))
      return failure();
    BodyBuilder e(op, vectorBytes);
    PaddedCopy(e, op).run();
    op->erase();
    return success();
  }
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

namespace {
struct CopyBody : lab::LabBody::ExternalModel<CopyBody, lab::CopyOp> {
  LogicalResult lower(Operation *op, int64_t vectorBytes) const {
    return lowerCopy(cast<lab::CopyOp>(op), vectorBytes);
  }
};
} // namespace

void labgen::registerCopyBody(DialectRegistry &registry) {
  registerBody<lab::CopyOp, CopyBody>(registry);
}
