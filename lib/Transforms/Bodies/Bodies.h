// Bodies.h - the body of each lab op on a static tile. Each replaces the op by
// vector code, or says why it cannot.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_BODIES_H
#define LABGEN_LIB_TRANSFORMS_BODIES_BODIES_H

#include "dialects/Lab/Lab.h"

namespace labgen {

mlir::LogicalResult lowerAxpy(lab::AxpyOp op, int64_t vectorBytes);
mlir::LogicalResult lowerCast(lab::CastOp op, int64_t vectorBytes);
mlir::LogicalResult lowerExp(lab::ExpOp op, int64_t vectorBytes);
mlir::LogicalResult lowerCopy(lab::CopyOp op, int64_t vectorBytes);
mlir::LogicalResult lowerQuantize(lab::QuantizeOp op, int64_t vectorBytes);
mlir::LogicalResult lowerEncode(lab::EncodeOp op, int64_t vectorBytes);
mlir::LogicalResult lowerDequantize(lab::DequantizeOp op, int64_t vectorBytes);
mlir::LogicalResult lowerReduce(lab::ReduceOp op, int64_t vectorBytes);
/// C in registers, one row of B and one element of A a step (outer products).
mlir::LogicalResult lowerGemmOuter(lab::GemmOp op, int64_t vectorBytes);
/// Rows of A times rows of B along k (dot products).
mlir::LogicalResult lowerGemmDot(lab::GemmOp op, int64_t vectorBytes);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_BODIES_H
