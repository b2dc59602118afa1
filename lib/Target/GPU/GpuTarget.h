// GpuTarget.h - what is different between NVIDIA and AMD: the last step.
//
// Scheduling, tiling, bodies and the ABI are shared; a vendor adds how the
// remaining gpu ops become its intrinsics and how LLVM IR becomes an artifact.
#ifndef LABGEN_LIB_TARGET_GPU_GPUTARGET_H
#define LABGEN_LIB_TARGET_GPU_GPUTARGET_H

#include "lib/Target/Chips/Chips.h"
#include "mlir/Pass/PassManager.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace labgen {

class GpuTarget {
public:
  explicit GpuTarget(const ChipInfo &chip) : chip(chip) {}
  virtual ~GpuTarget() = default;

  const ChipInfo &chip;

  /// Passes that make the chip's instructions of what the vector stage says in
  /// words of any target.
  virtual void addInstructions(mlir::OpPassManager &func) const = 0;
  /// Passes on a gpu.module after which no gpu op is left.
  virtual void addConversion(mlir::OpPassManager &kernels) const = 0;
  virtual Result<std::unique_ptr<llvm::TargetMachine>>
  createMachine() const = 0;
  /// Adds what the back end must know about a whole module.
  virtual void mark(llvm::Module &) const {}
  /// The forms of artifact it makes, the usual one first: ptx and cubin, hsaco.
  virtual std::vector<std::string_view> forms() const = 0;
  /// Writes the artifact of an optimized module; its suffix is its form.
  virtual Status emit(llvm::Module &module, llvm::TargetMachine &machine,
                      const std::string &path) const = 0;
};

} // namespace labgen

#endif // LABGEN_LIB_TARGET_GPU_GPUTARGET_H
