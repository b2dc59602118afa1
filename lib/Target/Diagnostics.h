// Diagnostics.h - MLIR's diagnostics folded into one line.
#ifndef LABGEN_LIB_TARGET_DIAGNOSTICS_H
#define LABGEN_LIB_TARGET_DIAGNOSTICS_H

#include "lib/Spec/Status.h"
#include "mlir/IR/Diagnostics.h"

namespace labgen {

/// Keeps the first error reported while it lives: the others follow from it.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context);

  /// The error as bad input, "FILE:LINE:COL: WHAT; WHAT TO DO".
  Status status() const;

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace labgen

#endif // LABGEN_LIB_TARGET_DIAGNOSTICS_H
