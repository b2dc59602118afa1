// EmitKernel.cpp - see EmitKernel.h.
#include "lib/Target/GPU/EmitKernel.h"

#include "lib/Support/AtomicFile.h"
#include "lib/Target/Codegen/Codegen.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <limits>

using namespace labgen;

static bool isKernel(const llvm::Function &f) {
  return !f.isDeclaration() &&
         (f.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
          f.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL);
}

/// Static shared memory of the module; a kernel is charged for all of it.
static int64_t sharedBytes(const llvm::Module &module) {
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == 3)
      bytes = llvm::alignTo(bytes, global.getAlign().valueOrOne()) +
              module.getDataLayout().getTypeAllocSize(global.getValueType());
  return int64_t(bytes);
}

static Status addLaunch(const llvm::Function &f, const ChipInfo &chip,
                        int64_t shared, ManifestKernel &kernel) {
  std::string name = f.getName().str();
  auto isGlobal = [](const llvm::Argument &a) {
    return a.getType()->isPointerTy() &&
           (a.getType()->getPointerAddressSpace() == 1 ||
            a.getType()->getPointerAddressSpace() == 0);
  };
  if (f.arg_size() != kernel.arguments.size() ||
      !llvm::all_of(f.args(), isGlobal))
    return Status::badInput("kernel '" + name +
                            "' does not take the arguments of the spec; it "
                            "needs " +
                            std::to_string(kernel.arguments.size()) +
                            " pointers to global memory");
  Result<int64_t> units = countAttribute(f, "labgen-units", 1);
  if (!units)
    return units.status();
  Result<int64_t> threads = countAttribute(f, "labgen-threads", 1);
  if (!threads)
    return threads.status();
  if (*units > std::numeric_limits<int32_t>::max())
    return Status::badInput("the lab needs " + std::to_string(*units) +
                            " blocks, a grid has at most 2147483647; make its "
                            "tiles larger with --schedule");
  if (shared > chip.sharedBytes.value)
    return Status::badInput("the kernel needs " + std::to_string(shared) +
                            " bytes of shared memory, " +
                            std::string(chip.name) + " gives " +
                            std::to_string(chip.sharedBytes.value) +
                            "; make its tiles smaller with --schedule");
  Launch launch;
  launch.entry = name;
  launch.grid = {*units, 1, 1};
  launch.block = {*threads, 1, 1};
  launch.units = *units;
  launch.sharedBytes = shared;
  kernel.launches.push_back(std::move(launch));
  return Status::ok();
}

static Status addLaunches(llvm::Module &module, const ChipInfo &chip,
                          ManifestKernel &kernel) {
  llvm::SmallVector<llvm::Function *> kernels;
  for (llvm::Function &f : module)
    if (isKernel(f))
      kernels.push_back(&f);
  if (kernels.empty())
    return Status::badInput("no kernel with a body; give the file one that "
                            "takes the spec's arguments");
  if (Status s = addWorkspaces(*kernels.front(), kernel); !s)
    return s;
  int64_t shared = sharedBytes(module);
  for (llvm::Function *f : kernels)
    if (Status s = addLaunch(*f, chip, shared, kernel); !s)
      return s;
  return Status::ok();
}

/// The instructions the code multiplies and adds with, by a row's names: the
/// vendor's vectors, then matrix instructions where it has some.
static std::vector<std::string> unitsOf(const llvm::Module &module,
                                        Vendor vendor) {
  static constexpr std::pair<llvm::StringLiteral, const char *> matrix[] = {
      {"llvm.nvvm.tcgen05.", "tcgen05"}, {"llvm.nvvm.wgmma.", "wgmma"},
      {"llvm.nvvm.mma.", "mma"},         {"llvm.nvvm.wmma.", "mma"},
      {"llvm.amdgcn.mfma.", "mfma"},     {"llvm.amdgcn.smfmac.", "mfma"},
      {"llvm.amdgcn.wmma.", "wmma"},     {"llvm.amdgcn.swmmac.", "wmma"}};
  std::vector<std::string> units = {vendor == Vendor::Nvidia ? "simt" : "valu"};
  for (auto [prefix, word] : matrix)
    for (const llvm::Function &f : module)
      if (units.size() == 1 && !f.use_empty() &&
          f.getName().starts_with(prefix))
        units.push_back(word);
  return units;
}

Status labgen::emitKernel(llvm::Module &module, const GpuTarget &target,
                          bool optimized, const std::string &folder,
                          ManifestKernel &kernel) {
  auto machine = target.createMachine();
  if (!machine)
    return machine.status();
  if (Status s = checkArchitecture(module, **machine); !s)
    return s;
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  if (Status s = addLaunches(module, target.chip, kernel); !s)
    return s;
  for (llvm::Function &f : module)
    if (!f.isDeclaration())
      f.addFnAttr("target-cpu", target.chip.name);
  target.mark(module);
  if (optimized)
    optimize(module, **machine, /*unroll=*/true);
  kernel.isa = unitsOf(module, target.chip.vendor);
  std::string text;
  llvm::raw_string_ostream(text) << module;
  if (Status s = writeFile(folder + "/" + kernel.deviceIr, text); !s)
    return s;
  return target.emit(module, **machine, folder + "/" + kernel.artifact);
}
