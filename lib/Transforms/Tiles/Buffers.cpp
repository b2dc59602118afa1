// Buffers.cpp - see Buffers.h.
#include "lib/Transforms/Tiles/Buffers.h"

#include "dialects/Lab/Lab.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

Value TileBuffers::view(Location loc, size_t level, int64_t operand,
                        MemRefType shape, bool transpose, int64_t gap) {
  Attribute space =
      areShared ? gpu::AddressSpaceAttr::get(rewriter.getContext(),
                                             gpu::AddressSpace::Workgroup)
                : Attribute();
  int64_t rows = shape.getDimSize(0), cols = shape.getDimSize(1);
  SmallVector<int64_t> sizes = {rows, cols}, strides = {cols + gap, 1};
  if (transpose)
    sizes = {cols, rows}, strides = {rows + gap, 1};
  auto flat = MemRefType::get({sizes[0] * strides[0]}, shape.getElementType(),
                              MemRefLayoutAttrInterface(), space);
  memref::AllocaOp &buffer = buffers[{level, operand}];
  if (!buffer) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&func.getBody().front());
    buffer = memref::AllocaOp::create(rewriter, loc, flat,
                                      rewriter.getI64IntegerAttr(64));
  } else if (buffer.getType().getNumElements() < flat.getNumElements()) {
    buffer.getResult().setType(flat);
  }
  MemRefLayoutAttrInterface layout;
  if (gap)
    layout = StridedLayoutAttr::get(rewriter.getContext(), 0, strides);
  Value matrix = memref::ReinterpretCastOp::create(
      rewriter, loc,
      MemRefType::get(sizes, shape.getElementType(), layout, space), buffer, 0,
      sizes, strides);
  if (!transpose)
    return matrix;
  auto swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                           rewriter.getContext());
  return memref::TransposeOp::create(rewriter, loc, matrix,
                                     AffineMapAttr::get(swap));
}

Value TileBuffers::ownTile(Location loc, ArrayRef<int64_t> shape,
                           Type element) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&func.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(),
                                          gpu::AddressSpace::Private);
  return memref::AllocaOp::create(
      rewriter, loc,
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space),
      rewriter.getI64IntegerAttr(64));
}

FailureOr<CopiedOperand>
TileBuffers::copyOperand(Operation *op, int64_t operand, bool transpose,
                         size_t level, ArrayRef<int64_t> padded, int64_t gap) {
  Value source = op->getOperand(operand);
  auto type = cast<MemRefType>(source.getType());
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  auto gemm = dyn_cast<GemmOp>(op);
  Type element = type.getElementType();
  if (element.isBF16() || element.isF16())
    element = rewriter.getF32Type();
  if (!gemm || !gemm.getBScale() || gemm.getAScale() || operand != 1) {
    SmallVector<int64_t> shape(padded.empty() ? type.getShape() : padded);
    // Codes of floats are copied as their values; the copy needs no name.
    StringRef name = operand == 0 ? "a_code" : "code";
    auto code = gemm && !gemm.getBScale() ? op->getAttrOfType<TypeAttr>(name)
                                          : TypeAttr();
    if (code && isa<FloatType>(code.getValue()) && element.isInteger(8)) {
      shape[1] = gemm.getDepth();
      element = rewriter.getF32Type();
      op->removeAttr(name);
    } else {
      code = TypeAttr();
    }
    Value buffer = view(loc, level, operand, MemRefType::get(shape, element),
                        transpose, gap);
    bool isSmaller = !padded.empty() && type.getShape() != padded;
    Operation *copy =
        CopyOp::create(rewriter, loc, source, buffer, code, isSmaller);
    op->setOperand(operand, buffer);
    return CopiedOperand{copy, op};
  }
  SmallVector<int64_t> shape(padded);
  if (padded.empty())
    shape = {type.getDimSize(0), gemm.getDepth()};
  bool isSmaller = !type.hasStaticShape();
  Value buffer =
      view(loc, level, operand, MemRefType::get(shape, rewriter.getF32Type()),
           transpose, gap);
  Operation *copy = DequantizeOp::create(
      rewriter, loc, gemm.getB(), gemm.getBScale(), buffer, gemm.getBZero(),
      gemm.getBGlobal(), *gemm.getGroup(), gemm.getCodeAttr(),
      gemm.getScaleTypeAttr(), isSmaller);
  auto plain =
      GemmOp::create(rewriter, loc, gemm.getA(), buffer, Value(), Value(),
                     Value(), Value(), gemm.getC(), IntegerAttr(), TypeAttr(),
                     TypeAttr(), TypeAttr(), gemm.getAccumulate(), TypeAttr());
  rewriter.eraseOp(gemm);
  return CopiedOperand{copy, plain};
}
