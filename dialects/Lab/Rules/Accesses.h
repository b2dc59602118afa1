// Accesses.h - how codes, scales and zero points follow the loops of an op, and
// where its tiles may start: what the ops' access interfaces are made of.
#ifndef LABGEN_DIALECTS_LAB_RULES_ACCESSES_H
#define LABGEN_DIALECTS_LAB_RULES_ACCESSES_H

#include "dialects/Lab/Lab.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

namespace labgen::lab {

/// Codes along k: packed ones lie at k * bits / 8.
AccessDim codesAlong(unsigned dim, mlir::Type code);
/// Scales [rows, groups]: one column for channel, one element for tensor.
llvm::SmallVector<AccessDim, 2> scaleDims(unsigned row, unsigned k,
                                          int64_t group);
/// Zero points lie as scales do, but packed along k as codes are.
llvm::SmallVector<AccessDim, 2> zeroDims(unsigned row, unsigned k,
                                         int64_t group, mlir::Type code);
/// Tiles along k start on a group, on a byte of packed codes and, with zero
/// points, on a byte of those.
int64_t startMultiple(int64_t group, mlir::Type code, bool hasZero);
/// The group, where it has parts that start on a byte of the codes and find
/// their scale and zero point by division alone.
int64_t partsOf(int64_t group, mlir::Type code, bool hasZero);

/// Tells a tile that rounds stochastically where in the lab it lies.
template <typename OpTy>
void adjustPosition(OpTy op, mlir::Operation *tile,
                    llvm::ArrayRef<mlir::OpFoldResult> offsets) {
  if (op.getRound() != Rounding::Stochastic)
    return;
  mlir::OpBuilder b(tile);
  mlir::Location loc = tile->getLoc();
  auto value = [&](mlir::OpFoldResult v) {
    return mlir::getValueOrCreateConstantIndexOp(b, loc, v);
  };
  llvm::SmallVector<mlir::Value> position(op.getPosition());
  if (position.empty()) {
    position.push_back(value(b.getIndexAttr(0)));
    if (offsets.size() == 2)
      position.push_back(
          value(mlir::memref::getMixedSize(b, loc, op.getX(), 1)));
  }
  mlir::Value first = position[0], along = value(offsets.front());
  if (offsets.size() == 2)
    along = mlir::arith::AddIOp::create(
        b, loc, mlir::arith::MulIOp::create(b, loc, along, position[1]),
        value(offsets.back()));
  position[0] = mlir::arith::AddIOp::create(b, loc, first, along);
  llvm::cast<OpTy>(tile).getPositionMutable().assign(position);
}

/// A one-dimensional op whose input and output may be packed differently.
template <typename OpTy> llvm::SmallVector<Access> elementAccesses(OpTy op) {
  return {{&op.getXMutable(), {codesAlong(0, op.getInType())}},
          {&op.getYMutable(), {codesAlong(0, op.getOutType())}}};
}

template <typename OpTy> int64_t elementMultiple(OpTy op) {
  return std::lcm(codesAlong(0, op.getInType()).div,
                  codesAlong(0, op.getOutType()).div);
}

/// A tile has as many elements as it is long.
template <typename OpTy> llvm::LogicalResult
adjustCount(OpTy op, mlir::Operation *tile, mlir::OpFoldResult size) {
  if (!op.getCount())
    return mlir::success();
  std::optional<int64_t> count = mlir::getConstantIntValue(size);
  if (!count)
    return op.emitOpError("counts its elements, so its tiles must be of known "
                          "size");
  llvm::cast<OpTy>(tile).setCount(*count);
  return mlir::success();
}

} // namespace labgen::lab

#endif // LABGEN_DIALECTS_LAB_RULES_ACCESSES_H
