// Stages.h - what the pipelines of all targets share.
#ifndef LABGEN_LIB_TARGET_CODEGEN_STAGES_H
#define LABGEN_LIB_TARGET_CODEGEN_STAGES_H

#include "mlir/Pass/PassManager.h"

#include <optional>

namespace labgen {

/// Where a pipeline may stop: lab, scheduled, tiled, vector, target.
enum class PipelineStage { Lab, Scheduled, Tiled, Vector, Target };

/// By name; else nothing, and a message on `error` that names the legal ones.
std::optional<PipelineStage> parsePipelineStage(llvm::StringRef name,
                                                std::string &error);

/// The last conversions to the LLVM dialect, once memrefs, functions and the
/// target's own ops are done.
void addLastConversions(mlir::OpPassManager &pm);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CODEGEN_STAGES_H
