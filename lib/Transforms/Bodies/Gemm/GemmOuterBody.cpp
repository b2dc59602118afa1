// GemmOuterBody.cpp - a tile of C in registers; each k adds the outer product
// of a column of A and a row of k-major B.
#include "lib/Transforms/Bodies/Gemm/GemmBodies.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace labgen;

namespace {

class OuterGemm {
public:
  OuterGemm(BodyBuilder &e, lab::GemmOp op)
      : e(e), op(op), acc(elementType(op.getC())),
        rows(dimension(op.getC(), 0)), k(dimension(op.getA(), 1)),
        columns(pieces(dimension(op.getC(), 1), e.lanes(acc))) {
    auto swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                             e.b.getContext());
    kMajor = e.make<memref::TransposeOp>(op.getB(), AffineMapAttr::get(swap));
    auto type = cast<MemRefType>(kMajor.getType());
    unitStride = type.getStridesAndOffset().first[1] == 1;
  }

  void run();

private:
  /// Calls body(register, row, column, width) for every register of the tile.
  void
  forEachRegister(function_ref<void(size_t, int64_t, int64_t, int64_t)> body);
  Value loadB(Value at, int64_t column, int64_t n);
  /// f32 of narrow floats, i32 of codes.
  Value widen(Value v) {
    if (!acc.isInteger() || elementType(v) == acc)
      return e.widen(v);
    int64_t n = cast<VectorType>(v.getType()).getDimSize(0);
    return e.make<arith::ExtSIOp>(e.vec(n, acc), v);
  }
  Value multiplyAdd(Value a, Value b, Value c) {
    if (acc.isInteger())
      return e.make<arith::AddIOp>(c, e.make<arith::MulIOp>(a, b));
    return e.make<math::FmaOp>(a, b, c);
  }
  void step(Value at, SmallVectorImpl<Value> &c);

  BodyBuilder &e;
  lab::GemmOp op;
  Type acc;
  int64_t rows, k;
  SmallVector<int64_t> columns;
  Value kMajor;
  bool unitStride;
};

void OuterGemm::forEachRegister(
    function_ref<void(size_t, int64_t, int64_t, int64_t)> body) {
  size_t i = 0;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t column = 0;
    for (int64_t width : columns) {
      body(i++, row, column, width);
      column += width;
    }
  }
}

Value OuterGemm::loadB(Value at, int64_t column, int64_t n) {
  if (unitStride)
    return widen(e.load(kMajor, n, {at, e.index(column)}));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < n; ++i)
    elements.push_back(
        e.make<memref::LoadOp>(kMajor, ValueRange{at, e.index(column + i)}));
  return widen(
      e.make<vector::FromElementsOp>(e.vec(n, elementType(kMajor)), elements));
}

void OuterGemm::step(Value at, SmallVectorImpl<Value> &c) {
  SmallVector<Value> b;
  int64_t column = 0;
  for (int64_t width : columns) {
    b.push_back(loadB(at, column, width));
    column += width;
  }
  Value a;
  forEachRegister([&](size_t i, int64_t row, int64_t column, int64_t width) {
    if (column == 0)
      a = widen(e.load(op.getA(), 1, {e.index(row), at}));
    c[i] = multiplyAdd(e.broadcast(a, width), b[i % b.size()], c[i]);
  });
}

void OuterGemm::run() {
  SmallVector<Value> c;
  forEachRegister([&](size_t, int64_t row, int64_t column, int64_t width) {
    c.push_back(op.getAccumulate()
                    ? e.load(op.getC(), width, {e.index(row), e.index(column)})
                    : e.zeros(e.vec(width, acc)));
  });
  constexpr int64_t unroll = 4; // LLVM leaves this loop as it is
  int64_t whole = k / unroll * unroll;
  c = e.forLoop(0, whole, unroll, c, [&](Value at, ArrayRef<Value> carried) {
    SmallVector<Value> next(carried);
    for (int64_t u = 0; u < unroll; ++u)
      step(e.add(at, u), next);
    return next;
  });
  for (int64_t at = whole; at < k; ++at)
    step(e.index(at), c);
  forEachRegister([&](size_t i, int64_t row, int64_t column, int64_t) {
    e.store(c[i], op.getC(), {e.index(row), e.index(column)});
  });
}

} // namespace

LogicalResult labgen::lowerGemmOuter(lab::GemmOp op, int64_t vectorBytes) {
  if (failed(requireStatic(op)))
    return failure();
  // Codes that lie in bytes have a name of their own; tf32 is an f32.
  auto isValue = [&](Value v, StringRef code) {
    return isa<FloatType>(elementType(v)) ||
           (elementType(v).isInteger(8) && !op->hasAttr(code));
  };
  if (op.getBScale() || !isValue(op.getA(), "a_code") ||
      !isValue(op.getB(), "code"))
    return op.emitOpError("micro-kernel outer needs float or i8 operands; pack "
                          "operand 1 (which dequantizes it), stage operand 0, "
                          "or use micro-kernel dot");
  BodyBuilder e(op, vectorBytes);
  OuterGemm(e, op).run();
  op->erase();
  return success();
}
