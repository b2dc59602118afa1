// GemmBodies.h - the two bodies of a gemm on a static tile. Each replaces the
// op by vector code, or says why it cannot.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_GEMM_GEMMBODIES_H
#define LABGEN_LIB_TRANSFORMS_BODIES_GEMM_GEMMBODIES_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// C in registers, one row of B and one element of A a step (outer products).
llvm::LogicalResult lowerGemmOuter(lab::GemmOp op, int64_t vectorBytes);
/// Rows of A times rows of B along k (dot products).
llvm::LogicalResult lowerGemmDot(lab::GemmOp op, int64_t vectorBytes);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_GEMM_GEMMBODIES_H
