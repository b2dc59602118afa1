// Jit.h - retargeted IR to host code.
//
// The code sees no symbol but those of Libcalls.h: nothing of the process.
#ifndef LABGEN_EMULATOR_JIT_JIT_H
#define LABGEN_EMULATOR_JIT_JIT_H

#include "lib/Support/Status.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace labgen::emu {

/// Bytes of the host's stack that compiled functions take.
struct FrameSizes {
  uint64_t largest = 0, all = 0;
};

class Jit {
public:
  /// A machine for this host.
  static Result<Jit> create();
  Jit(Jit &&) = default;

  const llvm::DataLayout &layout() const { return jit->getDataLayout(); }
  const llvm::Triple &triple() const { return jit->getTargetTriple(); }

  /// Optimises the module, whose entries start with `entryPrefix`.
  Status add(std::unique_ptr<llvm::Module> module,
             std::unique_ptr<llvm::LLVMContext> context,
             llvm::StringRef entryPrefix);
  /// The first of these compiles all of the module.
  Result<void *> lookup(llvm::StringRef symbol);
  /// Known once it is compiled.
  FrameSizes frames() const;

private:
  struct Told;
  Jit(std::unique_ptr<llvm::TargetMachine> machine,
      std::unique_ptr<llvm::orc::LLJIT> jit);
  std::unique_ptr<llvm::TargetMachine> machine;
  std::shared_ptr<Told> told; ///< what the code generator said
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_JIT_JIT_H
