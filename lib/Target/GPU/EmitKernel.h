// EmitKernel.h - from LLVM IR to a GPU artifact with labgen's kernels.
#ifndef LABGEN_LIB_TARGET_GPU_EMITKERNEL_H
#define LABGEN_LIB_TARGET_GPU_EMITKERNEL_H

#include "lib/Spec/Manifest.h"
#include "lib/Target/GPU/GpuTarget.h"

namespace labgen {

/// Optimizes `module` for `target` (if `optimized`); writes
/// folder/kernel.artifact and, beside it, the IR it is made of
/// (kernel.deviceIr). Every kernel must take the spec's arguments, then
/// workspaces, as pointers to global memory. Fills launches and workspaces of
/// `kernel`, whose spec and arguments are set.
Status emitKernel(llvm::Module &module, const GpuTarget &target, bool optimized,
                  const std::string &folder, ManifestKernel &kernel);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_EMITKERNEL_H
