// Passes.h - the passes of GPU targets, from Passes.td.
#ifndef LABGEN_LIB_TARGET_GPU_PASSES_H
#define LABGEN_LIB_TARGET_GPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace gpu {
class GPUModuleOp;
}
namespace func {
class FuncOp;
}
} // namespace mlir

namespace labgen {
#define GEN_PASS_DECL
#include "lib/Target/GPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Target/GPU/Passes.h.inc"
} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_PASSES_H
