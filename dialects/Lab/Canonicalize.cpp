// Canonicalize.cpp - folders and canonicalizations of the lab ops: casts to
// static shapes are absorbed, ops that touch no element go away.
#include "dialects/Lab/Lab.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace labgen::lab;

/// Whether every output of the op has no element. (A gemm with k = 0 still
/// writes zeros, a reduction of nothing its identity.)
static bool writesNothing(DestinationStyleOpInterface op) {
  return llvm::all_of(op.getDpsInits(), [](Value v) {
    return llvm::is_contained(cast<MemRefType>(v.getType()).getShape(), 0);
  });
}

#define LAB_CANONICALIZE(OP)                                                   \
  LogicalResult OP::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {       \
    return memref::foldMemRefCast(*this);                                      \
  }                                                                            \
  LogicalResult OP::canonicalize(OP op, PatternRewriter &rewriter) {           \
    if (!writesNothing(op))                                                    \
      return failure();                                                        \
    rewriter.eraseOp(op);                                                      \
    return success();                                                          \
  }
LAB_CANONICALIZE(QuantizeOp)
LAB_CANONICALIZE(EncodeOp)
LAB_CANONICALIZE(DequantizeOp)
LAB_CANONICALIZE(AxpyOp)
LAB_CANONICALIZE(ReduceOp)
LAB_CANONICALIZE(GemmOp)
LAB_CANONICALIZE(CopyOp)
#undef LAB_CANONICALIZE
