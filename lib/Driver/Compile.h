// Compile.h - the compile side in a few functions: what the driver calls.
//
// Text of any stage, or an artifact with its manifest entry. Everything that
// can be wrong with an input comes back as a Status of one line.
#ifndef LABGEN_LIB_DRIVER_COMPILE_H
#define LABGEN_LIB_DRIVER_COMPILE_H

#include "lib/Spec/Manifest.h"
#include "lib/Target/GPU/LaunchShape.h"
#include "lib/Target/Pipeline/Stages.h"

#include <string>

namespace labgen {

struct CompileOptions {
  std::string target = "cpu:native";
  std::string schedule; ///< text inside #lab.schedule<...>; empty: chosen
  std::string form; ///< of the artifact: so, ptx, cubin, hsaco; empty: usual
  LaunchShape launch{};  ///< of the kernels of a .ll file for a GPU
  bool optimized = true; ///< false: code as the passes made it, without O3
};

/// Loads dialects once, so that forked children start warm. No threads.
void prepareCompiler();
std::string llvmVersion();

/// The lab module of a spec.
Result<std::string> generateLabModule(const KernelSpec &spec);

/// The IR at `stop`, which is not Artifact.
Result<std::string> compileToText(const KernelSpec &spec,
                                  const CompileOptions &options, Stage stop);

/// Writes the artifact into `folder`, which exists. The entry is complete, but
/// no manifest.json is written.
Result<ManifestKernel> compileToArtifact(const KernelSpec &spec,
                                         const CompileOptions &options,
                                         const std::string &folder);

/// The same two from a .mlir or (artifact) .ll file of any stage that has one
/// public function with the spec's arguments. Errors are "FILE:LINE:COL: WHAT;
/// WHAT TO DO".
Result<std::string> compileFileToText(const std::string &path,
                                      const KernelSpec &spec,
                                      const CompileOptions &options,
                                      Stage stop);
Result<ManifestKernel> compileFileToArtifact(const std::string &path,
                                             const KernelSpec &spec,
                                             const CompileOptions &options,
                                             const std::string &folder);

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_COMPILE_H
