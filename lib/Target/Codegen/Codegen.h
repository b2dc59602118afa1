// Codegen.h - from LLVM IR to files, the same for every target.
#ifndef LABGEN_LIB_TARGET_CODEGEN_CODEGEN_H
#define LABGEN_LIB_TARGET_CODEGEN_CODEGEN_H

#include "lib/Spec/Manifest.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace labgen {

/// Bad input when `module` is IR for another architecture than the machine's:
/// by its triple, its kernels or the intrinsics it calls.
Status checkArchitecture(const llvm::Module &module,
                         const llvm::TargetMachine &machine);

/// LLVM's O3 without calls of library functions; loops are unrolled only where
/// `unroll` says so (bodies for CPUs are unrolled as far as they should be).
void optimize(llvm::Module &module, llvm::TargetMachine &machine, bool unroll);

enum class CodeFile { Object, Assembly };

/// Machine code (or PTX) of an optimized module.
Result<std::string> makeCode(llvm::Module &module, llvm::TargetMachine &machine,
                             CodeFile kind);

/// ld.lld -shared --no-undefined of an object; writes `artifact`.
Status linkSharedObject(const std::string &object, const std::string &artifact);

/// A string attribute of a function, or empty.
std::string functionAttribute(const llvm::Function &f, llvm::StringRef name);
/// The same as a number of at least 0; `otherwise` where there is none.
Result<int64_t> countAttribute(const llvm::Function &f, llvm::StringRef name,
                               int64_t otherwise);

/// Adds the workspaces that `f` names in `labgen-workspace` after the spec's
/// arguments.
Status addWorkspaces(const llvm::Function &f, ManifestKernel &kernel);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CODEGEN_CODEGEN_H
