// Pipeline.h - what the pipelines of all targets share: everything up to
// vectors, and the last conversions.
#ifndef LABGEN_LIB_TARGET_PIPELINE_PIPELINE_H
#define LABGEN_LIB_TARGET_PIPELINE_PIPELINE_H

#include "lib/Target/Pipeline/Stages.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace labgen {

/// What a target has a say in before its own passes.
struct BodyOptions {
  int64_t dequantizeAbove = -1; ///< as lab-decompose has it
  unsigned vectorBytes = 32;    ///< as lab-lower-tiles has it
};

/// Adds the passes from a lab to vectors, up to and with stage `last`;
/// `schedule` is the target's pass that chooses schedules.
void addBodyPasses(mlir::OpPassManager &pm, Stage last,
                   std::unique_ptr<mlir::Pass> schedule,
                   const BodyOptions &options);

/// The last conversions to the LLVM dialect, once memrefs, functions and the
/// target's own ops are done.
void addLastConversions(mlir::OpPassManager &pm);

/// Registers a pipeline as --NAME; `build` adds its passes.
template <typename OptionsT, typename BuildT> void
registerPipeline(llvm::StringRef name, llvm::StringRef summary, BuildT build) {
  using namespace mlir;
  registerPassPipeline(
      name, summary,
      [build](OpPassManager &pm, StringRef text,
              function_ref<LogicalResult(const Twine &)> report) {
        OptionsT options;
        if (failed(options.parseFromString(text)))
          return failure();
        if (Status status = build(pm, options); !status)
          return report(status.message());
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> report) {
        report(OptionsT());
      });
}

} // namespace labgen

#endif // LABGEN_LIB_TARGET_PIPELINE_PIPELINE_H
