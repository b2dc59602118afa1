// CompileChild.h - the compiler in a child process.
//
// LLVM ends the process where it meets what it cannot do; in a child that is
// only the answer "the compiler crashed". Call prepareCompiler() first, so that
// children start warm.
#ifndef LABGEN_TOOLS_LABGEN_DRIVER_COMPILECHILD_H
#define LABGEN_TOOLS_LABGEN_DRIVER_COMPILECHILD_H

#include "lib/Driver/Compile.h"
#include "runtime/matrix/Child.h"

namespace labgen {

/// Far above any kernel's compile time: only what hangs is stopped.
constexpr double compileSeconds = 300;

/// What to compile: a spec, or the IR in `file` that claims to be that spec.
struct CompileRequest {
  KernelSpec spec;
  CompileOptions options;
  std::string file;
};

Result<Child> startCompile(const CompileRequest &request,
                           const std::string &folder);
Result<ManifestKernel> takeCompiled(Child &child);

/// Both: artifact files into `folder`.
Result<ManifestKernel> compileInChild(const CompileRequest &request,
                                      const std::string &folder);

/// A text made by the compile side.
Result<std::string>
textInChild(const std::function<Result<std::string>()> &make);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_DRIVER_COMPILECHILD_H
