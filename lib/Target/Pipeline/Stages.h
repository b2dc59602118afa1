// Stages.h - where the way from a lab to an artifact may stop.
#ifndef LABGEN_LIB_TARGET_PIPELINE_STAGES_H
#define LABGEN_LIB_TARGET_PIPELINE_STAGES_H

#include "lib/Support/Status.h"

#include <string_view>
#include <vector>

namespace labgen {

/// In order. The passes of a pipeline end with Target.
enum class Stage { Lab, Scheduled, Tiled, Vector, Target, Llvm, Artifact };

/// "lab", "scheduled", ...
std::string_view name(Stage stage);

/// Those that `labgen` names: IR without schedules and with them is one stage.
const std::vector<Stage> &labStages();
/// Those that a pipeline of `labgen-opt` stops after.
const std::vector<Stage> &pipelineStages();

/// The one of `legal` that has this name; the error lists them.
Result<Stage> parseStage(std::string_view text,
                         const std::vector<Stage> &legal);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_PIPELINE_STAGES_H
