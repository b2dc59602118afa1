// InputFile.h - MLIR files as input: read, and held against the spec they are
// said to compute.
#ifndef LABGEN_LIB_DRIVER_INPUTFILE_H
#define LABGEN_LIB_DRIVER_INPUTFILE_H

#include "lib/Spec/KernelSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace labgen {

/// The module in `text`. Bad input, "FILE:LINE:COL: WHAT; WHAT TO DO", is what
/// does not parse, a lab without the spec's op, and a public func.func whose
/// arguments are not the spec's, in order and type, perhaps followed by a range
/// of two index or i64. (Later stages have pointers, which say less: their
/// number is checked as code is emitted.)
Result<mlir::OwningOpRef<mlir::ModuleOp>>
readMlirFile(const std::string &path, const std::string &text,
             const KernelSpec &spec, mlir::MLIRContext &context);

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_INPUTFILE_H
