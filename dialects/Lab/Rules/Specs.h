// Specs.h - what the ops' kernel specs are made of, so that lib/Spec has the
// only cost model and the only rules.
#ifndef LABGEN_DIALECTS_LAB_RULES_SPECS_H
#define LABGEN_DIALECTS_LAB_RULES_SPECS_H

#include "dialects/Lab/Verify/Verify.h"
#include "lib/Spec/KernelSpec.h"

namespace labgen::lab {

/// A size of a memref, or 1 for one that is not known.
int64_t sizeOf(mlir::Value memref, unsigned dimension);
/// The format of a memref's elements.
std::optional<Format> elementFormat(mlir::Value memref);

/// What cast and exp have in common: length and formats.
template <typename OpTy>
mlir::FailureOr<KernelSpec> elementSpec(OpTy op, labgen::Op kind) {
  auto in = formatOf(op.getInType()), out = formatOf(op.getOutType());
  if (!in || !out)
    return mlir::failure();
  KernelSpec spec;
  spec.op = kind;
  spec.n = isStatic(op) ? elementCount(op) : 1, spec.in = *in, spec.out = *out;
  return spec;
}

/// What quantize and encode have in common.
template <typename OpTy>
mlir::FailureOr<KernelSpec> quantizerSpec(OpTy op, int64_t group) {
  auto in = elementFormat(op.getX()), out = formatOf(op.getCodeType()),
       scale = formatOf(op.getScaleFormat());
  if (!in || !out || !scale)
    return mlir::failure();
  KernelSpec spec;
  spec.op = labgen::Op::Quantize;
  spec.m = sizeOf(op.getX(), 0), spec.k = sizeOf(op.getX(), 1);
  spec.in = *in, spec.out = *out, spec.scale = *scale;
  if (op.getZero())
    spec.zero = *out;
  spec.group = Group::ofNumber(group);
  spec.round = static_cast<labgen::Rounding>(op.getRound());
  spec.seed = op.getSeed().value_or(0);
  spec.range = static_cast<labgen::IntRange>(op.getRange());
  return spec;
}

/// An error where the spec that an op stands for, if there is one, breaks a
/// rule of the contract.
llvm::LogicalResult checkSpec(mlir::Operation *op,
                              const mlir::FailureOr<KernelSpec> &spec);
template <typename OpTy> llvm::LogicalResult checkSpec(OpTy op) {
  return checkSpec(op, op.getRules());
}

} // namespace labgen::lab

#endif // LABGEN_DIALECTS_LAB_RULES_SPECS_H
