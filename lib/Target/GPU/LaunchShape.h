// LaunchShape.h - how kernels are launched that say nothing of it themselves,
// as those that clang makes.
#ifndef LABGEN_LIB_TARGET_GPU_LAUNCHSHAPE_H
#define LABGEN_LIB_TARGET_GPU_LAUNCHSHAPE_H

#include "lib/Spec/Manifest.h"

#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace labgen {

/// What is not given is as the kernel's attributes say it, or 1.
struct LaunchShape {
  std::optional<std::vector<int64_t>> grid, block; ///< x, y, z
  int64_t dynamicShared = 0;                       ///< bytes

  bool isGiven() const { return grid || block || dynamicShared; }
};

/// An error for a GPU kernel that neither says nor is told how many threads it
/// wants: one thread is hardly what it is written for.
Status checkLaunchShape(const llvm::Module &module, const LaunchShape &shape);

/// Puts what is given into the launches of `kernel`.
void setLaunchShape(const LaunchShape &shape, ManifestKernel &kernel);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_LAUNCHSHAPE_H
