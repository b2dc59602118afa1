// NvvmTarget.cpp - gpu ops to NVVM, LLVM IR to PTX. No CUDA toolkit takes part.
#include "lib/Target/NVVM/NvvmTarget.h"

#include "lib/Support/AtomicFile.h"
#include "lib/Target/Codegen/Codegen.h"
#include "lib/Target/GPU/GpuPipeline.h"
#include "lib/Target/NVVM/Passes.h"
#include "lib/Target/NVVM/Ptxas.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace labgen;

namespace {

class NvvmTarget final : public GpuTarget {
public:
  using GpuTarget::GpuTarget;

  void addInstructions(OpPassManager &func) const override {
    func.addPass(createLabNvvmConversions({std::string(chip.name)}));
  }

  void addConversion(OpPassManager &kernels) const override {
    kernels.addPass(createLabNvvmShuffles());
    ConvertGpuOpsToNVVMOpsOptions options;
    options.indexBitwidth = 64;
    kernels.addPass(createConvertGpuOpsToNVVMOps(options));
  }

  Result<std::unique_ptr<llvm::TargetMachine>> createMachine() const override {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::Triple triple("nvptx64-nvidia-cuda");
    std::string error;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target)
      return Status::missing("this LLVM has no NVPTX back end; install "
                             "llvm-22-dev");
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, std::string(chip.name),
        "+ptx" + std::to_string(chip.codeVersion.value), {}, std::nullopt,
        std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  }

  std::vector<std::string_view> forms() const override {
    return {"ptx", "cubin"};
  }

  Status emit(llvm::Module &module, llvm::TargetMachine &machine,
              const std::string &path) const override {
    Result<std::string> ptx = makeCode(module, machine, CodeFile::Assembly);
    if (!ptx)
      return ptx.status();
    return llvm::StringRef(path).ends_with(".cubin")
               ? assemblePtx(*ptx, std::string(chip.name), path)
               : writeFile(path, *ptx);
  }
};

} // namespace

std::unique_ptr<GpuTarget> labgen::makeNvvmTarget(const ChipInfo &chip) {
  return std::make_unique<NvvmTarget>(chip);
}

void labgen::registerNvvmPipeline() {
  registerGpuPipeline("nvvm",
                      "From lab ops to the LLVM dialect, for an NVIDIA GPU",
                      makeNvvmTarget);
}
