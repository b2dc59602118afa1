// Leftovers.cpp - see Leftovers.h.
#include "lib/Driver/Leftovers.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

using namespace mlir;
using namespace labgen;

static bool isTranslated(Operation *op) {
  return isa<ModuleOp, UnrealizedConversionCastOp>(op) ||
         (op->getDialect() &&
          op->getDialect()
              ->getRegisteredInterface<LLVMTranslationDialectInterface>());
}

LogicalResult labgen::checkLowered(Operation *code) {
  Operation *left = nullptr;
  UnrealizedConversionCastOp cast;
  code->walk([&](Operation *op) {
    if (!left && op != code && !isTranslated(op))
      left = op;
    if (!cast)
      cast = dyn_cast<UnrealizedConversionCastOp>(op);
  });
  if (left)
    return left->emitError("no conversion takes '")
           << left->getName() << "' to LLVM";
  // Both sides of a cast that stayed: one has a type that LLVM does not know.
  if (cast && cast.getNumOperands() && cast.getNumResults())
    return cast.emitError("no conversion takes a value of type ")
           << cast.getOperandTypes().front() << " to one of type "
           << cast.getResultTypes().front();
  return success();
}
