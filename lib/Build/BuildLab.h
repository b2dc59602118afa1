// BuildLab.h - from a kernel spec to a lab module: one public function, whose
// arguments are the spec's, around one lab op.
#ifndef LABGEN_LIB_BUILD_BUILDLAB_H
#define LABGEN_LIB_BUILD_BUILDLAB_H

#include "dialects/Lab/Lab.h"
#include "lib/Spec/KernelSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace labgen {

/// `context` has the lab and func dialects loaded. A spec the dialect has no op
/// for yet is bad input that says so.
Result<mlir::OwningOpRef<mlir::ModuleOp>> buildLab(const KernelSpec &spec,
                                                   mlir::MLIRContext &context);

/// The memref type an argument of a spec has in the dialect.
mlir::MemRefType memrefType(const Argument &argument,
                            mlir::MLIRContext &context);

} // namespace labgen

#endif // LABGEN_LIB_BUILD_BUILDLAB_H
