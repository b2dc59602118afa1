// GemmBody.h - which micro-kernel a gemm gets where none is named.
#ifndef LABGEN_LIB_TRANSFORMS_GEMMBODY_H
#define LABGEN_LIB_TRANSFORMS_GEMMBODY_H

#include "dialects/Lab/Lab.h"

namespace labgen {

/// Dot where the micro-kernel reads codes, which lie along k, else outer.
/// `copiesA`, `copiesB`: the operand is copied first, codes of floats and
/// weights with scales as their values.
inline lab::MicroKernel defaultMicroKernel(lab::GemmOp op, bool copiesA = false,
                                           bool copiesB = false) {
  auto isCode = [](mlir::Type type) { return lab::codeBits(type) <= 8; };
  auto becomesValue = [&](mlir::Type type) {
    return !op.getBScale() && llvm::isa<mlir::FloatType>(type);
  };
  bool readsA = isCode(op.getACodeType()) &&
                !(copiesA && becomesValue(op.getACodeType()));
  bool dequantizes = op.getBScale() && !op.getAScale();
  bool readsB = (op.getBScale() || isCode(op.getCodeType())) &&
                !(copiesB && (dequantizes || becomesValue(op.getCodeType())));
  return readsA || readsB ? lab::MicroKernel::Dot : lab::MicroKernel::Outer;
}

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_GEMMBODY_H
