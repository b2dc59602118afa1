// Promises.h - what IR promises the optimiser and a wrong kernel doesn't keep.
//
// A promise that is broken is undefined behaviour, after which compiled code
// may do anything. So all of them are taken away before the host's optimiser
// sees the kernel, and what has no defined result gets one.
#ifndef LABGEN_EMULATOR_COMPILE_PROMISES_H
#define LABGEN_EMULATOR_COMPILE_PROMISES_H

#include "lib/Emulator/Compile/Rewriter.h"

namespace labgen::emu {

/// Named metadata, comdats, declarations nobody uses, attributes of variables.
void dropModulePromises(llvm::Module &module);
/// Attributes, metadata, flags and tail calls of a function and of what it
/// calls.
void dropPromises(llvm::Function &function);
/// Branches on undefined values, divisions by zero, conversions to integers
/// that don't hold the value, elements beyond a vector, loads of odd numbers of
/// bits, ends that cannot be reached. After a function is instrumented.
void defineBehaviour(Rewriter &rewriter, llvm::Function &function);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_PROMISES_H
