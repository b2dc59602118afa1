// Matrix.cpp - labgen matrix: compile all cells, then measure all cells.
//
// Compiling takes every core and never overlaps with timing. The manifest is
// written as kernels come, so a stop at any point loses little.
#include "runtime/matrix/Matrix.h"

#include "lib/Host/CpuInfo.h"
#include "lib/Support/SystemFailure.h"
#include "runtime/matrix/Bench.h"
#include "runtime/matrix/Interrupt.h"
#include "runtime/report/Progress.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/Commands.h"
#include "tools/labgen/driver/CompileChild.h"
#include "tools/labgen/driver/MatrixPlan.h"

#include <algorithm>
#include <set>

namespace labgen {

namespace {

struct Cell {
  KernelSpec spec;
  std::string target;
};

/// The manifest entry of a cell whose compile failed.
ManifestKernel failedKernel(const Cell &cell, const Status &why) {
  ManifestKernel kernel;
  kernel.spec = cell.spec;
  kernel.target = cell.target;
  kernel.failure = why.message();
  return kernel;
}

std::vector<Cell> missingCells(const MatrixPlan &plan,
                               const Manifest &manifest) {
  std::set<std::pair<std::string, std::string>> have;
  for (const ManifestKernel &kernel : manifest.kernels)
    have.emplace(kernel.spec.str(), kernel.target);
  std::vector<Cell> cells;
  for (const std::string &target : plan.targets)
    for (const KernelSpec &spec : plan.cells)
      if (!have.count({spec.str(), target}))
        cells.push_back({spec, target});
  return cells;
}

/// Puts the kernels into the order of the plan, whatever order they came in.
void sortKernels(const MatrixPlan &plan, Manifest &manifest) {
  std::map<std::string, size_t> place;
  for (const KernelSpec &spec : plan.cells)
    place.emplace(spec.str(), place.size());
  std::sort(manifest.kernels.begin(), manifest.kernels.end(),
            [&](const ManifestKernel &a, const ManifestKernel &b) {
              return std::pair(place[a.spec.str()], a.target) <
                     std::pair(place[b.spec.str()], b.target);
            });
}

/// Compiles what the manifest lacks, as many at a time as there are cores, but
/// no more than memory is sure to hold. A refusal is an entry; a full disk ends
/// it, so that the cell is asked for again.
class Compilation {
public:
  Compilation(const MatrixPlan &plan, Manifest &manifest)
      : plan(plan), manifest(manifest), cells(missingCells(plan, manifest)),
        width(std::min<size_t>(hostCpu().cores.size(), 8)) {}

  Status run() {
    Status status;
    while (status && done < cells.size())
      status = step();
    sortKernels(plan, manifest);
    Status written = manifest.write(plan.folder);
    return status ? written : status;
  }

private:
  struct Running {
    Cell cell;
    Child child;
  };

  /// Keeps the cores busy and takes one result.
  Status step() {
    while (running.size() < width && next < cells.size()) {
      const Cell &cell = cells[next++];
      progress.show(done, cells.size(), cell.spec.str());
      Result<Child> child = startCompile({cell.spec, {cell.target, "", ""}, ""},
                                         plan.folder + "/artifacts");
      if (!child)
        return child.status();
      running.push_back({cell, std::move(*child)});
    }
    std::vector<Child *> children;
    for (Running &one : running)
      children.push_back(&one.child);
    size_t ready = waitForAny(children, compileSeconds);
    if (interrupted())
      return Status::interrupted();
    // Nothing for so long: the first hangs, and taking its answer says so.
    Running &one = running[ready == children.size() ? 0 : ready];
    Result<ManifestKernel> kernel = takeCompiled(one.child);
    if (!kernel && (kernel.status().exitCode() == ExitCode::Interrupted ||
                    isSystemFailure(kernel.status())))
      return kernel.status();
    if (kernel)
      for (std::string *file : {&kernel->artifact, &kernel->deviceIr})
        if (!file->empty())
          file->insert(0, "artifacts/");
    manifest.kernels.push_back(
        kernel ? *kernel : failedKernel(one.cell, kernel.status()));
    running.erase(running.begin() + (&one - running.data()));
    // Every few kernels: the file is written whole each time.
    return ++done % 16 ? Status::ok() : manifest.write(plan.folder);
  }

  const MatrixPlan &plan;
  Manifest &manifest;
  std::vector<Cell> cells;
  size_t width, next = 0, done = 0;
  std::vector<Running> running;
  Progress progress{"compile"};
};

} // namespace

Result<ExitCode> matrixCommand(const Arguments &arguments) {
  watchInterrupts();
  Result<MatrixPlan> plan = planMatrix(arguments);
  if (!plan)
    return plan.status();
  Result<Manifest> manifest = openMatrixFolder(*plan);
  if (!manifest)
    return manifest.status();
  if (!missingCells(*plan, *manifest).empty()) {
    prepareCompiler();
    Status status = Compilation(*plan, *manifest).run();
    if (!status && status.exitCode() != ExitCode::Interrupted)
      return status;
  }
  BenchRequest bench;
  bench.folder = plan->folder;
  bench.measure.run.time = plan->time;
  bench.measure.otherDevice = plan->otherDevice;
  bench.json = arguments.has("--json");
  bench.resume = plan->command;
  return measureAndReport(*manifest, bench);
}

} // namespace labgen
