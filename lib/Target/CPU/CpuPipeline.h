// CpuPipeline.h - from a lab module to the LLVM dialect, for a CPU.
//
// `labgen-opt --labgen-cpu`, the driver and the tests all build it here.
#ifndef LABGEN_LIB_TARGET_CPU_CPUPIPELINE_H
#define LABGEN_LIB_TARGET_CPU_CPUPIPELINE_H

#include "lib/Support/Status.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace labgen {

struct CpuPipelineOptions
    : public mlir::PassPipelineOptions<CpuPipelineOptions> {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("native, or an LLVM CPU name such as x86-64-v4"),
      llvm::cl::init("native")};
  Option<unsigned> vectorBytes{
      *this, "vector-bytes",
      llvm::cl::desc("bytes in a vector register; 0: as the CPU has them"),
      llvm::cl::init(0)};
  Option<std::string> stopAfter{
      *this, "stop-after",
      llvm::cl::desc("lab, scheduled, tiled, vector or target (all of it)"),
      llvm::cl::init("target")};
};

/// Adds the passes up to and with `stopAfter`. Fails on an unknown stage or
/// CPU.
Status buildCpuPipeline(mlir::OpPassManager &pm,
                        const CpuPipelineOptions &options);

/// Registers it as --labgen-cpu.
void registerCpuPipeline();

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CPU_CPUPIPELINE_H
