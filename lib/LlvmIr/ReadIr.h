// ReadIr.h - LLVM IR as text or bitcode, with errors that say where.
#ifndef LABGEN_LIB_LLVMIR_READIR_H
#define LABGEN_LIB_LLVMIR_READIR_H

#include "lib/Support/Status.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace labgen {

/// A module that keeps LLVM's rules. Anything else is bad input,
/// "NAME:LINE:COL: WHAT; WHAT TO DO" with the buffer's name: what cannot be
/// parsed, and what breaks a rule (as an instruction that is used before it).
Result<std::unique_ptr<llvm::Module>> readIr(llvm::MemoryBufferRef buffer,
                                             llvm::LLVMContext &context);

} // namespace labgen

#endif // LABGEN_LIB_LLVMIR_READIR_H
