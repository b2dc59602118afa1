// Matrix.cpp - labgen matrix: compile all cells, then measure all cells.
//
// Compiling takes every core and never overlaps with timing. The manifest is
// written as kernels come, so a stop at any point loses little.
#include "runtime/matrix/Matrix.h"

#include "runtime/cpu/CpuInfo.h"
#include "runtime/matrix/Bench.h"
#include "runtime/matrix/Interrupt.h"
#include "runtime/report/Progress.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/Commands.h"
#include "tools/labgen/CompileChild.h"
#include "tools/labgen/MatrixPlan.h"

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

/// Compiles what the manifest lacks, as many at a time as there are cores.
Status compileMissing(const MatrixPlan &plan, Manifest &manifest) {
  struct Running {
    Cell cell;
    Child child;
  };
  std::vector<Cell> cells = missingCells(plan, manifest);
  size_t next = 0, done = 0, unsaved = 0;
  std::vector<Running> running;
  Progress progress("compile");
  Status status = Status::ok();
  while (status && done < cells.size()) {
    while (running.size() < hostCpu().cores.size() && next < cells.size()) {
      const Cell &cell = cells[next++];
      progress.show(done, cells.size(), cell.spec.str());
      Result<Child> child = startCompile({cell.spec, {cell.target, ""}, ""},
                                         plan.folder + "/artifacts");
      if (!child)
        return child.status();
      running.push_back({cell, std::move(*child)});
    }
    std::vector<Child *> children;
    for (Running &one : running)
      children.push_back(&one.child);
    size_t ready = waitForAny(children);
    if (ready == children.size()) {
      status = Status::interrupted();
      break;
    }
    Running &one = running[ready];
    Result<ManifestKernel> kernel = takeCompiled(one.child);
    if (kernel) {
      kernel->artifact = "artifacts/" + kernel->artifact;
      manifest.kernels.push_back(*kernel);
    } else if (kernel.status().exitCode() == ExitCode::Interrupted) {
      status = kernel.status();
      break;
    } else {
      manifest.kernels.push_back(failedKernel(one.cell, kernel.status()));
    }
    running.erase(running.begin() + std::ptrdiff_t(ready));
    ++done;
    // Every few kernels: the file is written whole each time.
    if (++unsaved == 16) {
      unsaved = 0;
      status = manifest.write(plan.folder);
    }
  }
  sortKernels(plan, manifest);
  Status written = manifest.write(plan.folder);
  return status ? written : status;
}

} // namespace

Result<ExitCode> matrixCommand(const Arguments &arguments) {
  Result<MatrixPlan> plan = planMatrix(arguments);
  if (!plan)
    return plan.status();
  Result<Manifest> manifest = openMatrixFolder(*plan);
  if (!manifest)
    return manifest.status();
  watchInterrupts();
  if (!missingCells(*plan, *manifest).empty()) {
    prepareCompiler();
    Status status = compileMissing(*plan, *manifest);
    if (!status && status.exitCode() != ExitCode::Interrupted)
      return status;
  }
  BenchRequest bench;
  bench.folder = plan->folder;
  bench.measure.run.time = plan->time;
  bench.json = arguments.has("--json");
  bench.resume = plan->command;
  return measureAndReport(*manifest, bench);
}

} // namespace labgen
