// RandomOps.h - ops of the dialect that no verifier has seen yet.
#ifndef LABGEN_TEST_UNIT_DIALECT_RANDOMOPS_H
#define LABGEN_TEST_UNIT_DIALECT_RANDOMOPS_H

#include "test/Unit/Dialect/RandomSpecs.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/OperationSupport.h"

#include <memory>

/// An op in a block of its own, on arguments of that block. The block goes
/// first, and the op with it.
struct LooseOp {
  std::unique_ptr<mlir::Block> block;
  mlir::Operation *op = nullptr;
};

/// The spec as an op, written by attribute names: what each operand is, how it
/// lies in memory. Says what the spec says, however wrong.
LooseOp makeOp(const labgen::KernelSpec &spec, mlir::MLIRContext &context);

/// Changes one thing of an op: the type of an operand, or an attribute, to
/// something that may or may not make sense.
void spoil(LooseOp &op, Dice &dice);

#endif // LABGEN_TEST_UNIT_DIALECT_RANDOMOPS_H
