// Generic.h - the target-independent intrinsics that the emulated device runs.
// It is a list of what has a model: what is not on it is refused by name.
#ifndef LABGEN_EMULATOR_COMPILE_GENERIC_H
#define LABGEN_EMULATOR_COMPILE_GENERIC_H

#include "llvm/IR/Intrinsics.h"

namespace labgen::emu {

enum class Generic {
  None,    ///< has no model
  Host,    ///< only computes, so the host's code generator has it
  Forward, ///< its value is its first argument, the rest is a hint
  Drop,    ///< a hint without a value that means anything
  Trap,    ///< ends the launch
  Memory,  ///< a copy or a fill, which becomes a hook
};

Generic genericIntrinsic(llvm::Intrinsic::ID id);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_GENERIC_H
