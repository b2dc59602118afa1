// Launcher.h - one launch: checks of what it was given, workers, and the
// report.
#ifndef LABGEN_EMULATOR_LAUNCH_LAUNCHER_H
#define LABGEN_EMULATOR_LAUNCH_LAUNCHER_H

#include "lib/Emulator/Compile/Retarget.h"
#include "lib/Emulator/Emulator.h"
#include "lib/Emulator/Launch/Snapshot.h"
#include "lib/Emulator/Runtime/State.h"

namespace labgen::emu {

struct LoadedKernel {
  const Kernel *kernel;
  void (*entry)(Thread *, void **);
};

class Launcher {
public:
  Launcher(const ModuleInfo &module,
           std::vector<GlobalVariableRange> &variables)
      : module(module), variables(variables) {}

  Result<Report> run(const LoadedKernel &kernel, const Launch &launch,
                     llvm::ArrayRef<Argument> arguments, Memory &memory,
                     const Options &options);

private:
  Status checkSizes(const Launch &launch, const Options &options) const;
  Status bindArguments(const Kernel &kernel, llvm::ArrayRef<Argument> arguments,
                       Memory &memory);
  Status prepareWorkers(unsigned count, Memory &memory, const Options &options);
  void runBlocks(const LoadedKernel &kernel, const Launch &launch,
                 unsigned count, const Options &options);
  Report report(unsigned count, const Options &options) const;

  const ModuleInfo &module;
  std::vector<GlobalVariableRange> &variables;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::vector<char>> values; ///< of the parameters
  std::vector<void *> parameters;
  bool outOfMemory = false;
  Snapshot snapshot;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_LAUNCH_LAUNCHER_H
