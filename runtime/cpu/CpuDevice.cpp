// CpuDevice.cpp - dlopen of an artifact and its launches on the pool.
//
// Everything that could go wrong inside the artifact later (a changed file, an
// instruction this CPU lacks, a missing entry) is found here, before a single
// instruction of it runs.
#include "runtime/cpu/CpuDevice.h"
#include "lib/Host/CpuInfo.h"
#include "runtime/core/Artifact.h"
#include "runtime/core/Tensor.h"
#include "runtime/cpu/Pool.h"

#include <dlfcn.h>

using namespace labgen;

namespace {

using Entry = void (*)(void *const *arguments, int64_t begin, int64_t end);

struct LibraryCloser {
  void operator()(void *handle) const { dlclose(handle); }
};
using Library = std::unique_ptr<void, LibraryCloser>;

struct BoundLaunch {
  Entry entry;
  int64_t units;
};

class CpuKernel final : public Kernel {
public:
  CpuKernel(Pool &pool, Library library, std::vector<BoundLaunch> launches,
            Tensors workspaces, std::vector<bool> isWorkspace)
      : pool(pool), library(std::move(library)), launches(std::move(launches)),
        ownWorkspaces(std::move(workspaces)),
        isWorkspace(std::move(isWorkspace)), table(this->isWorkspace.size()) {}

  Status run(const std::vector<void *> &arguments) override {
    if (arguments.size() + ownWorkspaces.size() != table.size())
      return Status::badInput(
          "the kernel takes " +
          std::to_string(table.size() - ownWorkspaces.size()) +
          " arguments and got " + std::to_string(arguments.size()) +
          "; pass one pointer per argument of the manifest");
    size_t given = 0, own = 0;
    for (size_t i = 0; i < table.size(); ++i)
      table[i] =
          isWorkspace[i] ? ownWorkspaces[own++].data() : arguments[given++];
    for (const BoundLaunch &launch : launches)
      pool.run(launch.units, [&](int64_t begin, int64_t end) {
        launch.entry(table.data(), begin, end);
      });
    for (const Tensor &workspace : ownWorkspaces)
      if (std::string_view where = workspace.brokenGuard(); !where.empty())
        return Status::badInput("the guard " + std::string(where) +
                                " byte of workspace '" +
                                workspace.argument().name +
                                "' was overwritten; its bounds are wrong");
    return Status::ok();
  }

  Tensors workspaces() const override { return ownWorkspaces; }

private:
  Pool::Pin pin;
  Pool &pool;
  Library library;
  std::vector<BoundLaunch> launches;
  Tensors ownWorkspaces;
  std::vector<bool> isWorkspace;
  std::vector<void *> table;
};

class CpuDevice final : public Device {
public:
  explicit CpuDevice(int threads) : pool(Pool::shared(threads)) {}
  std::string name() const override { return "cpu"; }
  std::string chip() const override { return hostCpu().model; }
  int threads() const override { return pool.threads(); }
  bool runs(const std::string &target) const override {
    return target.compare(0, 4, "cpu:") == 0;
  }
  Status canRun(const ManifestKernel &kernel) const override;
  Result<std::unique_ptr<Kernel>> load(const ManifestKernel &kernel,
                                       const std::string &folder) override;

private:
  Pool &pool;
};

Status CpuDevice::canRun(const ManifestKernel &kernel) const {
  for (const std::string &feature : kernel.isa)
    if (!hostCpu().has(feature))
      return Status::missing("this CPU (" + hostCpu().model + ") has no '" +
                             feature + "', which " + kernel.spec.str() +
                             " was compiled for; compile it for cpu:native or "
                             "run it on a machine that has it");
  return Status::ok();
}

Result<std::vector<BoundLaunch>> bindLaunches(const ManifestKernel &kernel,
                                              void *library,
                                              const std::string &path) {
  std::vector<BoundLaunch> bound;
  for (const Launch &launch : kernel.launches) {
    void *symbol = dlsym(library, launch.entry.c_str());
    if (!symbol)
      return Status::badInput("artifact '" + path + "' has no entry '" +
                              launch.entry + "'; compile the lab again");
    bound.push_back({reinterpret_cast<Entry>(symbol), launch.units});
  }
  if (bound.empty())
    return Status::badInput("the manifest lists no launches for " +
                            kernel.spec.str() + "; compile the lab again");
  return bound;
}

Result<std::unique_ptr<Kernel>> CpuDevice::load(const ManifestKernel &kernel,
                                                const std::string &folder) {
  if (Status isa = canRun(kernel); !isa)
    return isa;
  Result<std::string> path = verifiedArtifact(kernel, folder);
  if (!path)
    return path.status();
  Library library(dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library)
    return Status::badInput("artifact '" + *path + "' does not load (" +
                            dlerror() + "); compile the lab again");
  Result<std::vector<BoundLaunch>> launches =
      bindLaunches(kernel, library.get(), *path);
  if (!launches)
    return launches.status();

  Tensors workspaces;
  std::vector<bool> isWorkspace;
  for (const ManifestArgument &argument : kernel.arguments) {
    isWorkspace.push_back(argument.role == Role::Workspace);
    if (!isWorkspace.back())
      continue;
    Result<Tensor> workspace = Tensor::allocate(argument);
    if (!workspace)
      return workspace.status();
    workspaces.push_back(*workspace);
  }
  return std::unique_ptr<Kernel>(std::make_unique<CpuKernel>(
      pool, std::move(library), std::move(*launches), std::move(workspaces),
      std::move(isWorkspace)));
}

} // namespace

std::unique_ptr<Device> labgen::makeCpuDevice(int threads) {
  if (threads <= 0)
    threads = int(hostCpu().cores.size());
  return std::make_unique<CpuDevice>(threads);
}
