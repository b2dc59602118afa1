// MatrixPlan.h - which cells a matrix has, and the folder it lives in.
#ifndef LABGEN_TOOLS_LABGEN_DRIVER_MATRIXPLAN_H
#define LABGEN_TOOLS_LABGEN_DRIVER_MATRIXPLAN_H

#include "lib/Spec/Manifest.h"
#include "tools/cli/Cli.h"

namespace labgen {

struct MatrixPlan {
  std::string folder;
  std::vector<KernelSpec> cells;
  std::vector<std::string> targets;
  bool time = true;
  std::string otherDevice; ///< for GPU targets; empty: they are not run
  /// What was asked, as text that two matrices share only when they are one:
  /// the set's name, options, and a checksum of the cells.
  std::string identity;
  /// The command line that goes on with it.
  std::string command;
};

Result<MatrixPlan> planMatrix(const Arguments &arguments);

/// The manifest of a folder that already holds this matrix, or a new one (the
/// folder and artifacts/ are made). Another matrix there is bad input.
Result<Manifest> openMatrixFolder(const MatrixPlan &plan);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_DRIVER_MATRIXPLAN_H
