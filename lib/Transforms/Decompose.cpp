// Decompose.cpp - labs that need several launches become one lab op a launch.
#include "lib/Transforms/DequantizedTile.h"
#include "lib/Transforms/Passes.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace labgen {
#define GEN_PASS_DEF_LABDECOMPOSE
#include "lib/Transforms/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen::lab;

namespace {

/// Runs (pairwise: nodes of the tree) that one partial result covers: enough
/// work for a unit, and a power of two, so that a subtree is one of the tree.
constexpr int64_t nodesPerResult = 128;
/// Elements behind one partial maximum.
constexpr int64_t maxSpan = 16384;

MemRefType typeOf(Value v) { return cast<MemRefType>(v.getType()); }

Value workspace(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                Type element) {
  return memref::AllocOp::create(b, loc, MemRefType::get(shape, element),
                                 b.getI64IntegerAttr(64));
}

/// A schedule given for the whole lab is meant for the op that moves its data.
void passOnSchedule(Operation *from, Operation *to) {
  if (Attribute schedule = from->getAttr(scheduleAttrName))
    to->setAttr(scheduleAttrName, schedule);
}

/// Elements behind one result of the next level; 0 when one result is left.
int64_t spanOf(ReduceKind kind, SumOrder order, int64_t block, int64_t n) {
  bool isMax = !isSum(kind);
  if (!isMax && order == SumOrder::Sequential)
    return 0;
  int64_t span = isMax                         ? maxSpan
                 : order == SumOrder::Pairwise ? block * nodesPerResult
                                               : block;
  return n > span ? span : 0;
}

/// What the results of a level are reduced by.
ReduceKind nextKind(ReduceKind kind) {
  return kind == ReduceKind::Dot || kind == ReduceKind::SumSq ? ReduceKind::Sum
                                                              : kind;
}

LogicalResult decomposeReduce(IRRewriter &rewriter, ReduceOp op) {
  int64_t n = typeOf(op.getX()).getDimSize(0);
  if (op.isPartial())
    return success();
  if (ShapedType::isDynamic(n))
    return op.emitOpError("needs a static length to know its launches");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value x = op.getX(), y = op.getY();
  ReduceKind kind = op.getKind();
  int64_t block = op.getBlock();
  while (int64_t span = spanOf(kind, op.getOrder(), block, n)) {
    n = llvm::divideCeil(n, span);
    Value partial =
        workspace(rewriter, loc, {n}, typeOf(op.getR()).getElementType());
    bool isMax = !isSum(kind);
    auto level = ReduceOp::create(
        rewriter, loc, kind, op.getOrder(), x, y, partial, isMax ? span : block,
        rewriter.getI64IntegerAttr(span), FloatAttr());
    if (x == op.getX())
      passOnSchedule(op, level);
    x = partial, y = Value();
    kind = nextKind(kind);
    // The nodes of a pairwise tree are added as they are.
    if (op.getOrder() == SumOrder::Pairwise && !isMax)
      block = 1;
  }
  if (x == op.getX())
    return success();
  ReduceOp::create(rewriter, loc, kind, op.getOrder(), x, y, op.getR(), block,
                   IntegerAttr(), op.getDivisorAttr());
  rewriter.eraseOp(op);
  return success();
}

/// Extremes of a matrix, `kinds` of them a span, as one row: quantized as a
/// channel it has the scale and zero point of the whole.
Value rowOfExtremes(IRRewriter &rewriter, Location loc, Value x,
                    ArrayRef<ReduceKind> kinds) {
  int64_t n = typeOf(x).getNumElements();
  // A short tensor has one extreme a kind.
  bool isShort = n <= maxSpan;
  int64_t partials = isShort ? 1 : llvm::divideCeil(n, maxSpan);
  int64_t columns = partials * static_cast<int64_t>(kinds.size());
  SmallVector<ReassociationIndices> all = {{0, 1}};
  Value flat = memref::CollapseShapeOp::create(rewriter, loc, x, all);
  Type f32 = rewriter.getF32Type();
  Value row = workspace(rewriter, loc, {1, columns}, f32);
  SmallVector<int64_t> shape, strides;
  if (!isShort)
    shape = {partials}, strides = {1};
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    int64_t offset = static_cast<int64_t>(i) * partials;
    auto type = MemRefType::get(
        shape, f32, StridedLayoutAttr::get(loc.getContext(), offset, strides));
    Value part = memref::ReinterpretCastOp::create(rewriter, loc, type, row,
                                                   offset, shape, strides);
    ReduceOp::create(
        rewriter, loc, kind, SumOrder::Blocked, flat, Value(), part, maxSpan,
        isShort ? IntegerAttr() : rewriter.getI64IntegerAttr(maxSpan),
        FloatAttr());
  }
  return row;
}

/// Extremes -> the scale (and zero point) of a one-row matrix of them -> codes.
LogicalResult decomposeTensorQuantize(IRRewriter &rewriter, QuantizeOp op) {
  MemRefType x = typeOf(op.getX());
  if (!x.hasStaticShape())
    return op.emitOpError("group = tensor needs a static shape to know its "
                          "launches");
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(
          x, ArrayRef<ReassociationIndices>{{0, 1}}))
    return op.emitOpError("group = tensor needs an x without gaps between its "
                          "rows, got ")
           << x << "; copy it first";
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Type i8 = rewriter.getI8Type(), f32 = rewriter.getF32Type();
  SmallVector<ReduceKind, 2> kinds = {ReduceKind::AbsMax};
  if (op.getZero() && x.getNumElements() > 0)
    kinds = {ReduceKind::Min, ReduceKind::Max};
  Value row = rowOfExtremes(rewriter, loc, op.getX(), kinds);
  auto scaleOf = [&](Value scale, TypeAttr type, Value zero, Value global) {
    int64_t bits = typeOf(row).getDimSize(1) * codeBits(op.getCodeType());
    Value unused = workspace(rewriter, loc, {1, (bits + 7) / 8}, i8);
    QuantizeOp::create(rewriter, loc, row, unused, scale, zero, global,
                       groupChannel, op.getCodeAttr(), Rounding::Even,
                       op.getRange(), op.getInverse(), op.getDivisor(), type,
                       op.getRule(), /*global_known=*/bool(global),
                       IntegerAttr(), ValueRange());
  };
  scaleOf(op.getScale(), op.getScaleTypeAttr(), op.getZero(), op.getGlobal());
  Value divisor;
  if (op.getDivisor() == Divisor::Unrounded && !op.getScaleFormat().isF32()) {
    // As a scale of f32 it is stored before it is rounded.
    divisor = workspace(rewriter, loc, {1, 1}, f32);
    Value zero = op.getZero() ? workspace(rewriter, loc, {1, 1}, i8) : Value();
    scaleOf(divisor, TypeAttr(), zero, Value());
  }
  passOnSchedule(op, EncodeOp::create(rewriter, loc, op.getX(), op.getScale(),
                                      op.getZero(), op.getGlobal(), divisor,
                                      op.getQ(), op.getCodeAttr(),
                                      op.getRound(), op.getRange(),
                                      op.getInverse(), op.getScaleTypeAttr(),
                                      op.getSeedAttr(), op.getPosition()));
  rewriter.eraseOp(op);
  return success();
}

/// The absmax of all finite values -> global -> scales relative to it.
LogicalResult decomposeGlobalQuantize(IRRewriter &rewriter, QuantizeOp op) {
  MemRefType x = typeOf(op.getX());
  if (!x.hasStaticShape())
    return op.emitOpError("a global scale needs a static shape to know its "
                          "launches");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<ReassociationIndices> all = {{0, 1}};
  Value flat = memref::CollapseShapeOp::create(rewriter, loc, op.getX(), all);
  auto scalar = MemRefType::get({}, rewriter.getF32Type());
  Value global = memref::ReinterpretCastOp::create(
      rewriter, loc, scalar, op.getGlobal(), /*offset=*/0, ArrayRef<int64_t>(),
      ArrayRef<int64_t>());
  double largest = labgen::info(*formatOf(op.getCodeType())).max *
                   labgen::info(*formatOf(op.getScaleFormat())).max;
  ReduceOp::create(rewriter, loc, ReduceKind::FiniteAbsMax, SumOrder::Blocked,
                   flat, Value(), global, maxSpan, IntegerAttr(),
                   rewriter.getF32FloatAttr(static_cast<float>(largest)));
  op.setGlobalKnown(true);
  return success();
}

/// a -> codes and f32 scales in workspaces -> a gemm on codes.
LogicalResult decomposeQuantizingGemm(IRRewriter &rewriter, GemmOp op) {
  MemRefType a = typeOf(op.getA());
  if (!a.hasStaticShape())
    return op.emitOpError("compute = i8 needs a static shape to know its "
                          "launches");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  int64_t m = a.getDimSize(0), k = a.getDimSize(1), group = *op.getGroup();
  int64_t rows = group == groupTensor ? 1 : m;
  int64_t columns = group > 0 ? llvm::divideCeil(k, group) : 1;
  Value codes = workspace(rewriter, loc, {m, k}, rewriter.getI8Type());
  Value scale =
      workspace(rewriter, loc, {rows, columns}, rewriter.getF32Type());
  QuantizeOp::create(rewriter, loc, op.getA(), codes, scale, Value(), Value(),
                     group, TypeAttr(), Rounding::Even, IntRange::Narrow,
                     Inverse::Divide, Divisor::Stored, TypeAttr(),
                     ScaleRule::Floor,
                     /*global_known=*/false, IntegerAttr(), ValueRange());
  passOnSchedule(op, GemmOp::create(rewriter, loc, codes, op.getB(), scale,
                                    op.getBScale(), op.getBZero(), Value(),
                                    op.getC(), op.getGroupAttr(), TypeAttr(),
                                    op.getCodeAttr(), op.getComputeAttr(),
                                    op.getAccumulate(), op.getScaleTypeAttr()));
  rewriter.eraseOp(op);
  return success();
}

/// Codes of weights -> f32 in a workspace -> a gemm of floats.
LogicalResult decomposeDequantizingGemm(IRRewriter &rewriter, GemmOp op) {
  MemRefType a = typeOf(op.getA()), c = typeOf(op.getC());
  if (!a.hasStaticShape() || !c.hasStaticShape())
    return op.emitOpError("needs a static shape to know its launches");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value weights = workspace(rewriter, loc, {c.getDimSize(1), a.getDimSize(1)},
                            rewriter.getF32Type());
  DequantizeOp::create(rewriter, loc, op.getB(), op.getBScale(), weights,
                       op.getBZero(), op.getBGlobal(), *op.getGroup(),
                       op.getCodeAttr(), op.getScaleTypeAttr(), /*pad=*/false);
  passOnSchedule(op,
                 GemmOp::create(rewriter, loc, op.getA(), weights, Value(),
                                Value(), Value(), Value(), op.getC(),
                                IntegerAttr(), TypeAttr(), TypeAttr(),
                                TypeAttr(), op.getAccumulate(), TypeAttr()));
  rewriter.eraseOp(op);
  return success();
}

/// A narrow C is summed in f32 and rounded once: c (if it is read) -> f32 ->
/// gemm -> c.
LogicalResult decomposeNarrowGemm(IRRewriter &rewriter, GemmOp op) {
  MemRefType c = typeOf(op.getC());
  if (!c.getElementType().isBF16() && !c.getElementType().isF16())
    return success();
  SmallVector<ReassociationIndices> all = {{0, 1}};
  if (!c.hasStaticShape() ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(c, all))
    return op.emitOpError("c of ")
           << c.getElementType()
           << " needs a static shape without gaps between its rows, got " << c
           << "; use f32";
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value wide = workspace(rewriter, loc, c.getShape(), rewriter.getF32Type());
  Value flat = memref::CollapseShapeOp::create(rewriter, loc, op.getC(), all);
  Value wideFlat = memref::CollapseShapeOp::create(rewriter, loc, wide, all);
  auto castTo = [&](Value from, Value to) {
    CastOp::create(rewriter, loc, from, to, TypeAttr(), TypeAttr(),
                   Rounding::Even, OverflowAttr(), NanRuleAttr(), IntegerAttr(),
                   IntegerAttr(), ValueRange());
  };
  if (op.getAccumulate())
    castTo(flat, wideFlat);
  rewriter.setInsertionPointAfter(op);
  castTo(wideFlat, flat);
  op.getCMutable().assign(wide);
  return success();
}

struct DecomposePass : labgen::impl::LabDecomposeBase<DecomposePass> {
  using LabDecomposeBase::LabDecomposeBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto each = [&](auto decompose) {
      using OpTy = typename llvm::function_traits<
          decltype(decompose)>::template arg_t<1>;
      SmallVector<OpTy> ops;
      getOperation().walk([&](OpTy op) {
        if (op->getParentOp() == getOperation())
          ops.push_back(op);
      });
      for (OpTy op : ops)
        if (failed(decompose(rewriter, op)))
          return signalPassFailure();
    };
    each(&decomposeNarrowGemm);
    each(+[](IRRewriter &r, GemmOp op) {
      return op.quantizesA() ? decomposeQuantizingGemm(r, op) : success();
    });
    SmallVector<GemmOp> scaled;
    getOperation().walk([&](GemmOp op) {
      MemRefType a = typeOf(op.getA());
      bool isLarge = dequantizeAbove >= 0 && a.getDimSize(0) > dequantizeAbove;
      if (op->getParentOp() == getOperation() && isLarge && op.getBScale() &&
          !op.getAScale() && isa<FloatType>(a.getElementType()) &&
          !labgen::dequantizedDepth(op))
        scaled.push_back(op);
    });
    for (GemmOp op : scaled)
      if (failed(decomposeDequantizingGemm(rewriter, op)))
        return signalPassFailure();
    each(+[](IRRewriter &r, QuantizeOp op) {
      return op.getGlobal() && !op.getGlobalKnown()
                 ? decomposeGlobalQuantize(r, op)
                 : success();
    });
    each(+[](IRRewriter &r, QuantizeOp op) {
      return op.getGroup() == groupTensor ? decomposeTensorQuantize(r, op)
                                          : success();
    });
    each(&decomposeReduce);
  }
};

} // namespace
