// RocdlTarget.cpp - gpu ops to ROCDL, LLVM IR to an HSA code object. No ROCm
// takes part.
#include "lib/Target/ROCDL/RocdlTarget.h"

#include "lib/Target/Codegen/Codegen.h"
#include "lib/Target/GPU/GpuPipeline.h"
#include "lib/Target/ROCDL/Passes.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Pass/Pass.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace labgen;

namespace {

class RocdlTarget final : public GpuTarget {
public:
  using GpuTarget::GpuTarget;

  void addInstructions(OpPassManager &func) const override {
    func.addPass(createLabRocdlConversions({std::string(chip.name)}));
  }

  void addConversion(OpPassManager &kernels) const override {
    ConvertGpuOpsToROCDLOpsOptions options;
    options.chipset = chip.name;
    options.indexBitwidth = 64;
    options.runtime = gpu::amd::Runtime::HIP;
    kernels.addPass(createConvertGpuOpsToROCDLOps(options));
  }

  Result<std::unique_ptr<llvm::TargetMachine>> createMachine() const override {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUAsmPrinter();
    llvm::Triple triple("amdgcn-amd-amdhsa");
    std::string error;
    const llvm::Target *target =
        llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target)
      return Status::missing("this LLVM has no AMDGPU back end; install "
                             "llvm-22-dev");
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, std::string(chip.name), "", {}, llvm::Reloc::PIC_, std::nullopt,
        llvm::CodeGenOptLevel::Aggressive));
  }

  void mark(llvm::Module &module) const override {
    module.setModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                         uint32_t(chip.codeVersion.value * 100));
  }

  std::vector<std::string_view> forms() const override { return {"hsaco"}; }

  Status emit(llvm::Module &module, llvm::TargetMachine &machine,
              const std::string &path) const override {
    Result<std::string> object = makeCode(module, machine, CodeFile::Object);
    return object ? linkSharedObject(*object, path) : object.status();
  }
};

} // namespace

std::unique_ptr<GpuTarget> labgen::makeRocdlTarget(const ChipInfo &chip) {
  return std::make_unique<RocdlTarget>(chip);
}

void labgen::registerRocdlPipeline() {
  registerGpuPipeline("rocdl",
                      "From lab ops to the LLVM dialect, for an AMD GPU",
                      makeRocdlTarget);
}
