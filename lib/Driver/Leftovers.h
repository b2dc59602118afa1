// Leftovers.h - ops and types that no conversion has taken to LLVM.
#ifndef LABGEN_LIB_DRIVER_LEFTOVERS_H
#define LABGEN_LIB_DRIVER_LEFTOVERS_H

#include "mlir/IR/Operation.h"

namespace labgen {

/// An error at the first op in `code` that cannot be translated to LLVM IR. It
/// names the op as it was written, or the type of a value.
llvm::LogicalResult checkLowered(mlir::Operation *code);

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_LEFTOVERS_H
