// TileRules.cpp - what each op says about its iteration space: iterators,
// which operand dimension follows which iteration dimension, where tiles may
// start. Everything else about tiling is shared (Tiling.cpp).
#include "dialects/Lab/Lab.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace labgen::lab;
using utils::IteratorType;

/// Codes along k: packed ones lie at k * bits / 8.
static AccessDim codesAlong(unsigned dim, Type code) {
  unsigned bits = codeBits(code);
  if (bits % 8 == 0)
    return {dim};
  int64_t common = std::gcd(bits, 8u);
  return {dim, static_cast<int64_t>(bits / common),
          static_cast<int64_t>(8 / common)};
}
/// Scales [rows, groups]: one column for channel, one element for tensor.
static SmallVector<AccessDim, 2> scaleDims(unsigned row, unsigned k,
                                           int64_t group) {
  if (group == groupTensor)
    return {{AccessDim::whole}, {AccessDim::whole}};
  if (group == groupChannel)
    return {{row}, {AccessDim::whole}};
  return {{row}, {k, 1, group}};
}
/// Zero points lie as scales do, but packed along k as codes are.
static SmallVector<AccessDim, 2> zeroDims(unsigned row, unsigned k,
                                          int64_t group, Type code) {
  SmallVector<AccessDim, 2> dims = scaleDims(row, k, group);
  if (group > 0) {
    AccessDim packed = codesAlong(k, code);
    dims[1] = {k, packed.mul, packed.div * group};
  }
  return dims;
}
/// Tiles along k start on a group, on a byte of packed codes and, with zero
/// points, on a byte of those.
static int64_t startMultiple(int64_t group, Type code, bool hasZero) {
  int64_t perByte = codesAlong(0, code).div;
  if (group <= 0)
    return perByte;
  return std::lcm(hasZero ? group * perByte : group, perByte);
}

/// The group, where it has parts that start on a byte of the codes and find
/// their scale and zero point by division alone.
static int64_t partsOf(int64_t group, Type code, bool hasZero) {
  int64_t perByte = codesAlong(0, code).div;
  bool hasParts = group > perByte && group % perByte == 0;
  return hasParts && !(hasZero && perByte > 1) ? group : 0;
}

/// Tells a tile that rounds stochastically where in the lab it lies.
template <typename OpTy> static void
adjustPosition(OpTy op, Operation *tile, ArrayRef<OpFoldResult> offsets) {
  if (op.getRound() != Rounding::Stochastic)
    return;
  OpBuilder b(tile);
  Location loc = tile->getLoc();
  auto value = [&](OpFoldResult v) {
    return getValueOrCreateConstantIndexOp(b, loc, v);
  };
  SmallVector<Value> position(op.getPosition());
  if (position.empty()) {
    position.push_back(value(b.getIndexAttr(0)));
    if (offsets.size() == 2)
      position.push_back(value(memref::getMixedSize(b, loc, op.getX(), 1)));
  }
  Value first = position[0], along = value(offsets.front());
  if (offsets.size() == 2)
    along = arith::AddIOp::create(
        b, loc, arith::MulIOp::create(b, loc, along, position[1]),
        value(offsets.back()));
  position[0] = arith::AddIOp::create(b, loc, first, along);
  cast<OpTy>(tile).getPositionMutable().assign(position);
}

SmallVector<IteratorType> QuantizeOp::getIterators() {
  return {IteratorType::parallel, IteratorType::parallel};
}
SmallVector<Access> QuantizeOp::getAccesses() {
  SmallVector<Access> accesses = {
      {&getXMutable(), {{0}, {1}}},
      {&getQMutable(), {{0}, codesAlong(1, getCodeType())}},
      {&getScaleMutable(), scaleDims(0, 1, getGroup())}};
  if (getZero())
    accesses.push_back(
        {&getZeroMutable()[0], zeroDims(0, 1, getGroup(), getCodeType())});
  return accesses;
}
int64_t QuantizeOp::getTileMultiple(unsigned dim) {
  int64_t group = getGroup();
  if (group == groupTensor || (getGlobal() && !getGlobalKnown()))
    return 0;
  if (dim == 0)
    return 1;
  return group == groupChannel
             ? 0
             : startMultiple(group, getCodeType(), bool(getZero()));
}

LogicalResult QuantizeOp::adjustTile(Operation *tile,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult>) {
  adjustPosition(*this, tile, offsets);
  return success();
}

SmallVector<IteratorType> EncodeOp::getIterators() {
  return {IteratorType::parallel, IteratorType::parallel};
}
SmallVector<Access> EncodeOp::getAccesses() {
  return {{&getXMutable(), {{0}, {1}}},
          {&getQMutable(), {{0}, codesAlong(1, getCodeType())}}};
}
int64_t EncodeOp::getTileMultiple(unsigned dim) {
  return dim == 0 ? 1 : startMultiple(1, getCodeType(), false);
}

LogicalResult EncodeOp::adjustTile(Operation *tile,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult>) {
  adjustPosition(*this, tile, offsets);
  return success();
}

SmallVector<IteratorType> DequantizeOp::getIterators() {
  return {IteratorType::parallel, IteratorType::parallel};
}
SmallVector<Access> DequantizeOp::getAccesses() {
  bool clamp = getPad();
  SmallVector<Access> accesses = {
      {&getQMutable(), {{0}, codesAlong(1, getCodeType())}, clamp},
      {&getScaleMutable(), scaleDims(0, 1, getGroup()), clamp},
      {&getYMutable(), {{0}, {1}}}};
  if (getZero())
    accesses.push_back({&getZeroMutable()[0],
                        zeroDims(0, 1, getGroup(), getCodeType()), clamp});
  // The side that is whole has the sizes.
  if (clamp)
    std::swap(accesses[0], accesses[2]);
  return accesses;
}
int64_t DequantizeOp::getTileWithin(unsigned dim) {
  return dim == 1 ? partsOf(getGroup(), getCodeType(), bool(getZero())) : 0;
}
int64_t DequantizeOp::getTileMultiple(unsigned dim) {
  return dim == 0 ? 1
                  : startMultiple(getGroup(), getCodeType(), bool(getZero()));
}

/// A one-dimensional op whose input and output may be packed differently.
template <typename OpTy> static SmallVector<Access> elementAccesses(OpTy op) {
  return {{&op.getXMutable(), {codesAlong(0, op.getInType())}},
          {&op.getYMutable(), {codesAlong(0, op.getOutType())}}};
}
template <typename OpTy> static int64_t elementMultiple(OpTy op) {
  return std::lcm(codesAlong(0, op.getInType()).div,
                  codesAlong(0, op.getOutType()).div);
}

/// A tile has as many elements as it is long.
template <typename OpTy>
static LogicalResult adjustCount(OpTy op, Operation *tile, OpFoldResult size) {
  if (!op.getCount())
    return success();
  std::optional<int64_t> count = getConstantIntValue(size);
  if (!count)
    return op.emitOpError("counts its elements, so its tiles must be of known "
                          "size");
  cast<OpTy>(tile).setCount(*count);
  return success();
}

SmallVector<IteratorType> CastOp::getIterators() {
  return {IteratorType::parallel};
}
SmallVector<Access> CastOp::getAccesses() { return elementAccesses(*this); }
int64_t CastOp::getTileMultiple(unsigned) { return elementMultiple(*this); }

LogicalResult CastOp::adjustTile(Operation *tile,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  adjustPosition(*this, tile, offsets);
  return adjustCount(*this, tile, sizes.front());
}

SmallVector<IteratorType> ExpOp::getIterators() {
  return {IteratorType::parallel};
}
SmallVector<Access> ExpOp::getAccesses() { return elementAccesses(*this); }
int64_t ExpOp::getTileMultiple(unsigned) { return elementMultiple(*this); }

LogicalResult ExpOp::adjustTile(Operation *tile, ArrayRef<OpFoldResult>,
                                ArrayRef<OpFoldResult> sizes) {
  return adjustCount(*this, tile, sizes.front());
}

SmallVector<IteratorType> AxpyOp::getIterators() {
  return {IteratorType::parallel};
}
SmallVector<Access> AxpyOp::getAccesses() {
  return {{&getXMutable(), {{0}}}, {&getYMutable(), {{0}}}};
}

SmallVector<IteratorType> ReduceOp::getIterators() {
  return {isPartial() ? IteratorType::parallel : IteratorType::reduction};
}
SmallVector<Access> ReduceOp::getAccesses() {
  SmallVector<Access> accesses = {{&getXMutable(), {{0}}}};
  if (getY())
    accesses.push_back({&getYMutable()[0], {{0}}});
  if (isPartial())
    accesses.push_back({&getRMutable(), {{0, 1, getElementsPerResult()}}});
  return accesses;
}
int64_t ReduceOp::getTileMultiple(unsigned) {
  return isPartial() ? getElementsPerResult() : 0;
}

SmallVector<IteratorType> GemmOp::getIterators() {
  return {IteratorType::parallel, IteratorType::parallel,
          IteratorType::reduction};
}
SmallVector<Access> GemmOp::getAccesses() {
  int64_t group = getGroup().value_or(1);
  SmallVector<Access> accesses = {
      {&getAMutable(), {{0}, codesAlong(2, getACodeType())}},
      {&getBMutable(), {{1}, codesAlong(2, getCodeType())}}};
  if (getAScale())
    accesses.push_back({&getAScaleMutable()[0], scaleDims(0, 2, group)});
  if (getBScale())
    accesses.push_back({&getBScaleMutable()[0], scaleDims(1, 2, group)});
  if (getBZero())
    accesses.push_back(
        {&getBZeroMutable()[0], zeroDims(1, 2, group, getCodeType())});
  accesses.push_back({&getCMutable(), {{0}, {1}}});
  return accesses;
}
int64_t GemmOp::getTileMultiple(unsigned dim) {
  if (quantizesA() && dim != 1)
    return 0; // the groups of A are not known yet
  if (dim < 2)
    return 1;
  return std::lcm(
      startMultiple(getGroup().value_or(1), getCodeType(), bool(getBZero())),
      codesAlong(2, getACodeType()).div);
}
int64_t GemmOp::getTileWithin(unsigned dim) {
  bool isInteger = getAScale() || quantizesA(); // which adds up whole groups
  return dim == 2 && getBScale() && !isInteger
             ? partsOf(*getGroup(), getCodeType(), bool(getBZero()))
             : 0;
}
LogicalResult GemmOp::adjustTile(Operation *tile,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult>) {
  if (getAccumulate())
    return success();
  std::optional<int64_t> k = getConstantIntValue(offsets[2]);
  if (!k) // one op cannot overwrite at k = 0 and add elsewhere
    return emitOpError("overwrites c, so a tile at a variable k needs "
                       "`accumulate`: split off the first k tile");
  if (*k > 0)
    cast<GemmOp>(tile).setAccumulate(true);
  return success();
}

SmallVector<IteratorType> CopyOp::getIterators() {
  return {IteratorType::parallel, IteratorType::parallel};
}
OpOperand &CopyOp::getWholeSide() {
  bool dst = cast<MemRefType>(getDst().getType()).hasStaticShape();
  return dst ? getDstMutable() : getSrcMutable();
}
SmallVector<Access> CopyOp::getAccesses() {
  if (getPad()) {
    OpOperand &whole = getWholeSide();
    OpOperand &other =
        whole.getOperandNumber() == 0 ? getDstMutable() : getSrcMutable();
    return {{&whole, {{0}, {1}}}, {&other, {{0}, {1}}, /*clamp=*/true}};
  }
  return {{&getSrcMutable(), {{0}, codesAlong(1, getCodeType())}},
          {&getDstMutable(), {{0}, {1}}}};
}
int64_t CopyOp::getTileMultiple(unsigned dim) {
  return dim == 0 ? 1 : codesAlong(1, getCodeType()).div;
}
