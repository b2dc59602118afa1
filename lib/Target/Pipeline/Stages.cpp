// Stages.cpp - see Stages.h.
#include "lib/Target/Pipeline/Stages.h"

using namespace labgen;

std::string_view labgen::name(Stage stage) {
  switch (stage) {
  case Stage::Lab:
    return "lab";
  case Stage::Scheduled:
    return "scheduled";
  case Stage::Tiled:
    return "tiled";
  case Stage::Vector:
    return "vector";
  case Stage::Target:
    return "target";
  case Stage::Llvm:
    return "llvm";
  case Stage::Artifact:
    return "artifact";
  }
  return "";
}

const std::vector<Stage> &labgen::labStages() {
  static const std::vector<Stage> stages = {Stage::Lab,    Stage::Tiled,
                                            Stage::Vector, Stage::Target,
                                            Stage::Llvm,   Stage::Artifact};
  return stages;
}

const std::vector<Stage> &labgen::pipelineStages() {
  static const std::vector<Stage> stages = {
      Stage::Lab, Stage::Scheduled, Stage::Tiled, Stage::Vector, Stage::Target};
  return stages;
}

Result<Stage> labgen::parseStage(std::string_view text,
                                 const std::vector<Stage> &legal) {
  std::string names;
  for (Stage stage : legal) {
    if (name(stage) == text)
      return stage;
    names += (names.empty() ? "" : ", ") + std::string(name(stage));
  }
  return Status::badInput("unknown stage '" + std::string(text) +
                          "' to stop after; legal: " + names);
}
