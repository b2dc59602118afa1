// EmitSharedObject.h - from LLVM IR to a shared object with labgen's entries.
#ifndef LABGEN_LIB_TARGET_CPU_EMITSHAREDOBJECT_H
#define LABGEN_LIB_TARGET_CPU_EMITSHAREDOBJECT_H

#include "lib/Spec/Manifest.h"
#include "lib/Target/CPU/CpuTarget.h"

namespace llvm {
class Module;
}

namespace labgen {

/// Optimizes `module` for `target` (if `optimized`) and links it into
/// folder/kernel.artifact. Every public function becomes an entry `void
/// NAME(void *const *arguments, int64_t begin, int64_t end)`; its pointers must
/// be the spec's arguments, then workspaces. Fills launches and workspaces of
/// `kernel`, whose spec and arguments are set.
Status emitSharedObject(llvm::Module &module, const CpuTarget &target,
                        bool optimized, const std::string &folder,
                        ManifestKernel &kernel);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CPU_EMITSHAREDOBJECT_H
