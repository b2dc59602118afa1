// Passes.h - the passes of AMD targets, from Passes.td.
#ifndef LABGEN_LIB_TARGET_ROCDL_PASSES_H
#define LABGEN_LIB_TARGET_ROCDL_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
namespace func {
class FuncOp;
}
} // namespace mlir

namespace labgen {
#define GEN_PASS_DECL
#include "lib/Target/ROCDL/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lib/Target/ROCDL/Passes.h.inc"
} // namespace labgen

#endif // LABGEN_LIB_TARGET_ROCDL_PASSES_H
