// Codegen.cpp - see Codegen.h.
#include "lib/Target/Codegen/Codegen.h"

#include "lib/Support/AtomicFile.h"
#include "lib/Target/Codegen/Tool.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#ifndef LABGEN_LLVM_BINDIR
#error "the build says where LLVM's tools are"
#endif

using namespace labgen;

Status labgen::checkArchitecture(const llvm::Module &module,
                                 const llvm::TargetMachine &machine) {
  const llvm::Triple &own = machine.getTargetTriple();
  std::string advice = "; give the --target it was made for";
  llvm::StringRef arch = own.getArchName();
  const llvm::Triple &named = module.getTargetTriple();
  if (!named.empty() && named.getArch() != own.getArch())
    return Status::badInput("is IR for " + named.getArchName().str() +
                            " and the target is " + arch.str() + advice);
  std::string prefix =
      ("llvm." + llvm::Triple::getArchTypePrefix(own.getArch()) + ".").str();
  for (const llvm::Function &f : module) {
    llvm::CallingConv::ID convention = f.getCallingConv();
    if ((f.isTargetIntrinsic() && !f.getName().starts_with(prefix)) ||
        (convention == llvm::CallingConv::PTX_Kernel && !own.isNVPTX()) ||
        (convention == llvm::CallingConv::AMDGPU_KERNEL && !own.isAMDGPU()))
      return Status::badInput("'" + f.getName().str() + "' is not for " +
                              arch.str() + advice);
  }
  return Status::ok();
}

void labgen::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                      bool unroll) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = unroll;
  llvm::PassBuilder builder(&machine, tuning);
  // No library to call: loops must not become memcpy or memset.
  llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

Result<std::string> labgen::makeCode(llvm::Module &module,
                                     llvm::TargetMachine &machine,
                                     CodeFile kind) {
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream out(code);
  {
    // The passes write what they still hold when they go.
    llvm::legacy::PassManager codegen;
    auto type = kind == CodeFile::Object ? llvm::CodeGenFileType::ObjectFile
                                         : llvm::CodeGenFileType::AssemblyFile;
    if (machine.addPassesToEmitFile(codegen, out, nullptr, type))
      return Status::missing("LLVM cannot emit code for " +
                             machine.getTargetTriple().str() +
                             "; install llvm-22-dev");
    codegen.run(module);
  }
  return code.str().str();
}

Status labgen::linkSharedObject(const std::string &object,
                                const std::string &artifact) {
  std::string linker = std::string(LABGEN_LLVM_BINDIR) + "/ld.lld";
  if (!llvm::sys::fs::can_execute(linker)) {
    auto found = llvm::sys::findProgramByName("ld.lld-22");
    if (!found)
      return Status::missing("cannot find ld.lld of LLVM 22; install lld-22");
    linker = *found;
  }
  Result<MemoryFile> input = MemoryFile::make(object);
  if (!input)
    return input.status();
  Result<ToolAnswer> answer =
      runTool({linker, "-shared", "--no-undefined", "-O0", "--build-id=none",
               input->path(), "-o", "-"});
  if (!answer)
    return answer.status();
  if (answer->crashed)
    return Status::badInput("the compiler's linker crashed (" +
                            answer->failure + "); run it again");
  if (!answer->failure.empty())
    return Status::badInput("linking " + artifact + " failed: " + answer->said +
                            "; kernels may call no library");
  return writeFile(artifact, answer->output);
}

Status labgen::addWorkspaces(const llvm::Function &f, ManifestKernel &kernel) {
  std::string bytes = functionAttribute(f, "labgen-workspace");
  llvm::SmallVector<llvm::StringRef> sizes;
  llvm::StringRef(bytes).split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (auto [i, size] : llvm::enumerate(sizes)) {
    ManifestArgument argument;
    argument.name = "workspace" + std::to_string(i);
    argument.role = Role::Workspace;
    argument.format = Format::I8;
    if (size.getAsInteger(10, argument.byteSize))
      return Status::badInput("labgen-workspace is \"" + bytes +
                              "\"; give byte counts separated by commas");
    argument.shape = {argument.byteSize};
    kernel.arguments.push_back(std::move(argument));
  }
  return Status::ok();
}

std::string labgen::functionAttribute(const llvm::Function &f,
                                      llvm::StringRef name) {
  return f.getFnAttribute(name).getValueAsString().str();
}

Result<int64_t> labgen::countAttribute(const llvm::Function &f,
                                       llvm::StringRef name,
                                       int64_t otherwise) {
  std::string text = functionAttribute(f, name);
  int64_t value = otherwise;
  if (!text.empty() &&
      (llvm::StringRef(text).getAsInteger(10, value) || value < 0))
    return Status::badInput(name.str() + " of function '" + f.getName().str() +
                            "' is \"" + text + "\"; give a number");
  return value;
}
