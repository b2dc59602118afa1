// Retarget.h - device IR becomes host IR: ids, intrinsics, memory accesses and
// shared memory turn into loads from the machine state and calls of hooks.
//
// Address spaces stay: the host treats all of them as flat.
#ifndef LABGEN_EMULATOR_COMPILE_RETARGET_H
#define LABGEN_EMULATOR_COMPILE_RETARGET_H

#include "lib/Emulator/Runtime/Site.h"
#include "lib/Support/Status.h"

#include "llvm/IR/Module.h"

namespace labgen::emu {

struct Parameter {
  bool pointer = false;
  uint64_t bytes = 0;
};

struct Kernel {
  std::string name;
  std::string symbol; ///< of `void (Thread *, void **parameters)`
  std::vector<Parameter> parameters;
  bool fibers = false; ///< it or what it calls has collectives
};

/// A variable in global or constant memory, which the host places.
struct StaticVariable {
  std::string name, symbol;
  uint64_t bytes = 0;
  bool constant = false;
};

struct Retargeted {
  ModuleInfo info;
  std::vector<Kernel> kernels;
  std::vector<StaticVariable> variables;
};

/// By its calling convention.
bool isKernel(const llvm::Function &function);

/// Rewrites `module` in place for the host with data layout `host`. `warpSize`
/// 0: by the module.
Result<Retargeted> retarget(llvm::Module &module, const llvm::Triple &triple,
                            const llvm::DataLayout &host, unsigned warpSize);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_RETARGET_H
