// Backend.cpp - see Backend.h.
#include "lib/Driver/Backend.h"

#include "lib/Support/Text.h"
#include "lib/Target/CPU/CpuPipeline.h"
#include "lib/Target/CPU/EmitSharedObject.h"
#include "lib/Target/GPU/EmitKernel.h"
#include "lib/Target/GPU/GpuPipeline.h"
#include "lib/Target/NVVM/NvvmTarget.h"
#include "lib/Target/ROCDL/RocdlTarget.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace labgen;

namespace {

class CpuBackend final : public Backend {
public:
  CpuBackend(std::string name, CpuTarget target)
      : name(std::move(name)), target(std::move(target)) {}

  Status addPasses(PassManager &pm, StringRef stop) const override {
    CpuPipelineOptions options;
    options.cpu = name;
    options.stopAfter = stop.str();
    return buildCpuPipeline(pm, options);
  }
  Operation *kernelModuleOf(ModuleOp module) const override { return module; }
  void start(ManifestKernel &kernel, const std::string &stem) const override {
    kernel.cpu = target.cpu;
    kernel.isa = target.isa;
    kernel.artifact = stem + ".so";
  }
  Status emit(llvm::Module &module, bool optimized, const std::string &folder,
              ManifestKernel &kernel) const override {
    return emitSharedObject(module, target, optimized, folder, kernel);
  }

private:
  std::string name; ///< as asked: "native" or a CPU
  CpuTarget target;
};

class GpuBackend final : public Backend {
public:
  GpuBackend(std::unique_ptr<GpuTarget> target, std::string form)
      : target(std::move(target)), form(std::move(form)) {}

  Status addPasses(PassManager &pm, StringRef stop) const override {
    return buildGpuPipeline(pm, *target, stop);
  }
  Operation *kernelModuleOf(ModuleOp module) const override {
    // A file of the last stage may be the kernels alone.
    auto kernels = module.getOps<gpu::GPUModuleOp>();
    return kernels.empty() ? module.getOperation() : *kernels.begin();
  }
  void start(ManifestKernel &kernel, const std::string &stem) const override {
    kernel.artifact = stem + "." + form;
    kernel.deviceIr = stem + ".ll";
  }
  Status emit(llvm::Module &module, bool optimized, const std::string &folder,
              ManifestKernel &kernel) const override {
    return emitKernel(module, *target, optimized, folder, kernel);
  }

private:
  std::unique_ptr<GpuTarget> target;
  std::string form;
};

} // namespace

/// `form` if it is one of `legal`, the first of them if it is empty.
static Result<std::string>
checkForm(const std::string &form, const std::string &target,
          const std::vector<std::string_view> &legal) {
  if (form.empty())
    return std::string(legal.front());
  for (std::string_view one : legal)
    if (one == form)
      return form;
  return Status::badInput(target + " makes no '" + form +
                          "'; legal: " + orList(legal));
}

Result<std::unique_ptr<Backend>> Backend::resolve(const std::string &target,
                                                  const std::string &form) {
  auto [vendor, chip] = StringRef(target).split(':');
  if (vendor == "cpu") {
    std::string name = chip.empty() ? "native" : chip.str();
    Result<CpuTarget> cpu = resolveCpu(name);
    if (!cpu)
      return cpu.status();
    if (auto known = checkForm(form, target, {"so"}); !known)
      return known.status();
    return std::unique_ptr<Backend>(
        std::make_unique<CpuBackend>(name, std::move(*cpu)));
  }
  if (vendor == "nvvm" || vendor == "rocdl") {
    Result<const ChipInfo *> known = findGpuChip(target);
    if (!known)
      return known.status();
    std::unique_ptr<GpuTarget> gpu = (*known)->vendor == Vendor::Nvidia
                                         ? makeNvvmTarget(**known)
                                         : makeRocdlTarget(**known);
    auto legal = checkForm(form, target, gpu->forms());
    if (!legal)
      return legal.status();
    return std::unique_ptr<Backend>(
        std::make_unique<GpuBackend>(std::move(gpu), *legal));
  }
  return Status::badInput("unknown target '" + target +
                          "'; use cpu:native, cpu:NAME, nvvm:CHIP or "
                          "rocdl:CHIP");
}
