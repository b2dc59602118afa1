// Backend.h - one target, as the driver sees it.
#ifndef LABGEN_LIB_DRIVER_BACKEND_H
#define LABGEN_LIB_DRIVER_BACKEND_H

#include "lib/Spec/Manifest.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <memory>

namespace llvm {
class Module;
}

namespace labgen {

class Backend {
public:
  virtual ~Backend() = default;

  /// "cpu", "cpu:NAME", "nvvm:CHIP" or "rocdl:CHIP"; `form` of the artifact,
  /// empty for the usual one.
  static Result<std::unique_ptr<Backend>> resolve(const std::string &target,
                                                  const std::string &form = "");

  /// The passes up to and with stage `stop`.
  virtual Status addPasses(mlir::PassManager &pm,
                           llvm::StringRef stop) const = 0;
  /// What becomes LLVM IR of a module whose passes have run.
  virtual mlir::Operation *kernelModuleOf(mlir::ModuleOp module) const = 0;
  /// Names the files, which start with `stem`, and what their code needs.
  virtual void start(ManifestKernel &kernel, const std::string &stem) const = 0;
  /// Writes the files into `folder`, after LLVM's optimizer or without it.
  virtual Status emit(llvm::Module &module, bool optimized,
                      const std::string &folder,
                      ManifestKernel &kernel) const = 0;
};

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_BACKEND_H
