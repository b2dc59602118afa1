// Jit.h - retargeted IR to host code.
#ifndef LABGEN_EMULATOR_COMPILE_JIT_H
#define LABGEN_EMULATOR_COMPILE_JIT_H

#include "lib/Spec/Status.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace labgen::emu {

class Jit {
public:
  /// A machine for this host.
  static Result<Jit> create();
  Jit(Jit &&) = default;

  const llvm::DataLayout &layout() const { return jit->getDataLayout(); }
  const llvm::Triple &triple() const { return jit->getTargetTriple(); }

  /// Optimises and compiles; the module's entries start with `entryPrefix`.
  Status add(std::unique_ptr<llvm::Module> module,
             std::unique_ptr<llvm::LLVMContext> context,
             llvm::StringRef entryPrefix);
  Result<void *> lookup(llvm::StringRef symbol);

private:
  Jit(std::unique_ptr<llvm::TargetMachine> machine,
      std::unique_ptr<llvm::orc::LLJIT> jit)
      : machine(std::move(machine)), jit(std::move(jit)) {}
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_JIT_H
