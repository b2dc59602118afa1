// Tiling.cpp - TilingInterface of every lab op, from its accesses alone.
#include "dialects/Lab/Lab.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <numeric>

using namespace mlir;
using namespace labgen::lab;

SmallVector<Range> labgen::lab::iterationDomain(LabAccess op, OpBuilder &b) {
  SmallVector<Range> domain(op.getIterators().size());
  for (const Access &access : op.getAccesses())
    for (auto [i, d] : llvm::enumerate(access.dims))
      if (d.dim != AccessDim::whole && d.mul == 1 && d.div == 1 &&
          !domain[d.dim].size)
        domain[d.dim] = {
            b.getIndexAttr(0),
            memref::getMixedSize(b, op->getLoc(), access.operand->get(), i),
            b.getIndexAttr(1)};
  // Where every operand is packed: as many as the op says, else what fits in
  // all of them.
  for (auto [dim, range] : llvm::enumerate(domain)) {
    if (range.size)
      continue;
    int64_t most = std::numeric_limits<int64_t>::max();
    if (auto count = op->getAttrOfType<IntegerAttr>(countAttrName))
      most = count.getInt();
    for (const Access &access : op.getAccesses())
      for (auto [i, d] : llvm::enumerate(access.dims))
        if (d.dim == dim)
          most = std::min(
              most,
              cast<MemRefType>(access.operand->get().getType()).getDimSize(i) *
                  d.div / d.mul);
    range = {b.getIndexAttr(0), b.getIndexAttr(most), b.getIndexAttr(1)};
  }
  return domain;
}

int64_t labgen::lab::elementCount(LabAccess op) {
  OpBuilder b(op);
  return *getConstantIntValue(iterationDomain(op, b).back().size);
}

OpFoldResult labgen::lab::clampedSize(OpBuilder &b, Location loc,
                                      OpFoldResult size, OpFoldResult offset,
                                      OpFoldResult end) {
  MLIRContext *context = b.getContext();
  AffineExpr s, o, n;
  bindSymbols(context, s, o, n);
  OpFoldResult least = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 3, {s, n - o}, context), {size, offset, end});
  return affine::makeComposedFoldedAffineMax(
      b, loc, AffineMap::get(0, 1, {s, b.getAffineConstantExpr(0)}, context),
      {least});
}

/// The part of one operand that the tile at `offsets` of `sizes` touches.
static Value sliceOperand(const Access &access, OpBuilder &b, Location loc,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> offset, size,
      stride(access.dims.size(), b.getIndexAttr(1));
  AffineExpr s = b.getAffineSymbolExpr(0);
  for (auto [i, d] : llvm::enumerate(access.dims)) {
    if (d.dim == AccessDim::whole) {
      offset.push_back(b.getIndexAttr(0));
      size.push_back(memref::getMixedSize(b, loc, access.operand->get(), i));
      continue;
    }
    auto apply = [&](AffineExpr e, OpFoldResult v) {
      return affine::makeComposedFoldedAffineApply(b, loc, e, {v});
    };
    bool same = d.mul == 1 && d.div == 1;
    offset.push_back(same ? offsets[d.dim]
                          : apply((s * d.mul).floorDiv(d.div), offsets[d.dim]));
    size.push_back(same ? sizes[d.dim]
                        : apply((s * d.mul).ceilDiv(d.div), sizes[d.dim]));
  }
  Value whole = access.operand->get();
  if (access.clamp)
    for (auto [i, s] : llvm::enumerate(size))
      s = clampedSize(b, loc, s, offset[i],
                      memref::getMixedSize(b, loc, whole, i));
  // Subviews of nothing are refused; where nothing lies does not matter.
  if (llvm::is_contained(cast<MemRefType>(whole.getType()).getShape(), 0))
    return memref::ReinterpretCastOp::create(b, loc, whole, b.getIndexAttr(0),
                                             size, stride);
  return memref::SubViewOp::create(b, loc, whole, offset, size, stride);
}

/// The most a size can be: a constant, or what clampedSize() made.
static std::optional<int64_t> upperBound(OpFoldResult size) {
  // Upstream knows what a maximum is at least, not at most.
  if (auto value = dyn_cast<Value>(size))
    if (auto max = value.getDefiningOp<affine::AffineMaxOp>();
        max && max.getNumOperands() == 1)
      size = max.getOperand(0);
  FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  return succeeded(most) ? std::optional(*most) : std::nullopt;
}

/// Codes between bytes where some operand's codes and others' both start.
static int64_t codesPerByte(LabAccess op, unsigned dim) {
  int64_t group = op.getTileWithin(dim), codes = 1;
  for (const Access &access : op.getAccesses())
    for (const AccessDim &d : access.dims)
      if (d.dim == dim && d.div < group) // else the scale of a whole group
        codes = std::lcm(codes, d.div);
  return codes;
}

bool labgen::lab::arePartsOfGroups(LabAccess op, unsigned dim, int64_t tile) {
  int64_t group = op.getTileWithin(dim);
  return tile > 0 && group > 0 && group % tile == 0 &&
         tile % codesPerByte(op, dim) == 0;
}

/// Whether a tile lies in one group for sure, and starts on a byte.
static bool isPartOfGroup(LabAccess op, unsigned dim, OpFoldResult offset,
                          OpFoldResult size) {
  int64_t group = op.getTileWithin(dim);
  // Of a padded tile less may be there than it is long.
  std::optional<int64_t> most = upperBound(size);
  if (group == 0 || !most || *most <= 0)
    return false;
  if (std::optional<int64_t> first = getConstantIntValue(offset))
    return *first % codesPerByte(op, dim) == 0 &&
           *first / group == (*first + *most - 1) / group;
  return arePartsOfGroups(op, dim, *most) && provablyMultiple(offset, *most);
}

FailureOr<TilingResult> labgen::lab::makeTile(LabAccess op, OpBuilder &b,
                                              ArrayRef<OpFoldResult> offsets,
                                              ArrayRef<OpFoldResult> sizes) {
  for (auto [d, offset] : llvm::enumerate(offsets)) {
    int64_t multiple = op.getTileMultiple(d);
    if (multiple == 0 && getConstantIntValue(offset) != 0)
      return op->emitOpError("dimension ")
             << d << " cannot be tiled: its group spans it; leave its tile 0";
    if (multiple > 1 && !provablyMultiple(offset, multiple) &&
        !isPartOfGroup(op, d, offset, sizes[d]))
      return op->emitOpError("tile does not start on a group: offsets along "
                             "dimension ")
             << d << " must be multiples of " << multiple;
  }
  SmallVector<Value> operands(op->getOperands());
  SmallVector<Operation *> slices;
  for (const Access &access : op.getAccesses()) {
    Value slice = sliceOperand(access, b, op->getLoc(), offsets, sizes);
    operands[access.operand->getOperandNumber()] = slice;
    slices.push_back(slice.getDefiningOp());
  }
  Operation *tile = mlir::clone(b, op, TypeRange{}, operands);
  if (failed(op.adjustTile(tile, offsets, sizes)))
    return failure();
  return TilingResult{{tile}, {}, slices};
}

/// Loop variables: lower bound and step are multiples, or there is one trip.
static bool variableIsMultiple(BlockArgument arg, int64_t multiple) {
  auto loop = dyn_cast<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
  if (!loop)
    return false;
  auto ivs = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!ivs || !lower || !upper || !steps)
    return false;
  for (auto [iv, lb, ub, step] : llvm::zip(*ivs, *lower, *upper, *steps)) {
    if (iv != arg)
      continue;
    auto l = getConstantIntValue(lb), u = getConstantIntValue(ub),
         s = getConstantIntValue(step);
    if (!l || *l % multiple)
      return false;
    return (s && *s % multiple == 0) || (u && s && *u <= *l + *s);
  }
  return false;
}

bool labgen::lab::provablyMultiple(OpFoldResult offset, int64_t multiple) {
  if (auto constant = getConstantIntValue(offset))
    return *constant % multiple == 0;
  Value value = cast<Value>(offset);
  if (auto arg = dyn_cast<BlockArgument>(value))
    return variableIsMultiple(arg, multiple);
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return false;
  AffineMap map = apply.getAffineMap();
  SmallVector<Value> operands(apply.getMapOperands());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  // Operands that are multiples themselves stand as such.
  MLIRContext *context = value.getContext();
  SmallVector<AffineExpr> dims, symbols;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    bool isDim = i < map.getNumDims();
    AffineExpr e = isDim ? getAffineDimExpr(i, context)
                         : getAffineSymbolExpr(i - map.getNumDims(), context);
    // (Positions of packed codes are divided by up to 8.)
    for (int64_t factor : {8 * multiple, multiple})
      if (provablyMultiple(operand, factor)) {
        e = e * factor;
        break;
      }
    (isDim ? dims : symbols).push_back(e);
  }
  return map.getResult(0)
      .replaceDimsAndSymbols(dims, symbols)
      .isMultipleOf(multiple);
}
