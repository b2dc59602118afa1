// Diagnostics.h - what MLIR and LLVM report, folded into one line.
#ifndef LABGEN_LIB_DRIVER_DIAGNOSTICS_H
#define LABGEN_LIB_DRIVER_DIAGNOSTICS_H

#include "lib/Driver/Blame.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"

namespace llvm {
class LLVMContext;
}

namespace labgen {

/// Keeps the first error reported while it lives: the others follow from it.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context);

  /// Of IR that does not parse or breaks a rule of its ops:
  /// "FILE:LINE:COL: WHAT; WHAT TO DO".
  Status status() const;
  /// Of a step of compilation, with whom to blame.
  Status status(const std::string &step, Given given) const;

private:
  std::string place; ///< "FILE:LINE:COL: ", or empty
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// Remembers the pass that failed.
class FailedPass : public mlir::PassInstrumentation {
public:
  explicit FailedPass(std::string &name) : name(name) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

private:
  std::string &name;
};

/// Keeps the first error that LLVM reports about a module of `context` in
/// `text`, which outlives the context; without it LLVM ends the process.
void keepFirstError(llvm::LLVMContext &context, std::string &text);

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_DIAGNOSTICS_H
