// EmitSharedObject.cpp - see EmitSharedObject.h.
#include "lib/Target/CPU/EmitSharedObject.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
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

/// A string attribute of a function, or empty.
static std::string attribute(const llvm::Function &f, llvm::StringRef name) {
  return f.getFnAttribute(name).getValueAsString().str();
}

/// Adds the workspaces the functions name, after the spec's arguments.
static Status addWorkspaces(const std::string &bytes, ManifestKernel &kernel) {
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

/// Makes `f` internal and puts an entry of its name in front of it.
static Status addEntry(llvm::Function &f, ManifestKernel &kernel) {
  std::string name = f.getName().str();
  size_t pointers = kernel.arguments.size();
  auto isPointer = [](const llvm::Argument &a) {
    return a.getType()->isPointerTy();
  };
  bool hasRange = f.arg_size() == pointers + 2 &&
                  f.getArg(pointers)->getType()->isIntegerTy(64) &&
                  f.getArg(pointers + 1)->getType()->isIntegerTy(64);
  if ((f.arg_size() != pointers && !hasRange) ||
      !llvm::all_of(llvm::make_range(f.arg_begin(), f.arg_begin() + pointers),
                    isPointer))
    return Status::badInput(
        "function '" + name +
        "' does not take the arguments of the spec; it "
        "needs " +
        std::to_string(pointers) +
        " pointers (or memrefs), then two i64 for the range of work units");
  if (!f.getReturnType()->isVoidTy())
    return Status::badInput("function '" + name +
                            "' returns a value; a lab writes to its arguments");
  Launch launch;
  launch.entry = name;
  std::string units = attribute(f, "labgen-units");
  if (!units.empty() &&
      (llvm::StringRef(units).getAsInteger(10, launch.units) ||
       launch.units < 0))
    return Status::badInput("labgen-units of function '" + name + "' is \"" +
                            units + "\"; give a number of work units");
  f.setName(name + ".body");
  f.setLinkage(llvm::Function::InternalLinkage);
  f.addFnAttr(llvm::Attribute::NoInline); // keeps what its arguments promise
  llvm::LLVMContext &context = f.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, i64, i64}, false);
  auto *entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       name, f.getParent());
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", entry));
  llvm::SmallVector<llvm::Value *> arguments;
  for (size_t i = 0; i < pointers; ++i)
    arguments.push_back(b.CreateLoad(
        pointer, b.CreateConstInBoundsGEP1_64(pointer, entry->getArg(0), i)));
  if (hasRange)
    arguments.append({entry->getArg(1), entry->getArg(2)});
  b.CreateCall(&f, arguments);
  b.CreateRetVoid();
  kernel.launches.push_back(std::move(launch));
  return Status::ok();
}

static Status addEntries(llvm::Module &module, ManifestKernel &kernel) {
  llvm::SmallVector<llvm::Function *> entries;
  for (llvm::Function &f : module)
    if (!f.isDeclaration() && !f.hasLocalLinkage())
      entries.push_back(&f);
  if (entries.empty())
    return Status::badInput("no public function with a body; give the file one "
                            "that takes the spec's arguments");
  for (llvm::Function *f : entries)
    if (entries.size() > 1 && attribute(*f, "labgen-units").empty())
      return Status::badInput(
          "has " + std::to_string(entries.size()) +
          " public functions; leave one public and make the others private");
  if (Status s = addWorkspaces(attribute(*entries.front(), "labgen-workspace"),
                               kernel);
      !s)
    return s;
  for (llvm::Function *f : entries)
    if (Status s = addEntry(*f, kernel); !s)
      return s;
  return Status::ok();
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     const CpuTarget &target) {
  for (llvm::Function &f : module) {
    if (f.isDeclaration())
      continue;
    f.addFnAttr("target-cpu", target.base);
    f.addFnAttr("target-features", target.features);
    f.addFnAttr("tune-cpu", target.cpu);
    f.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  // Bodies are unrolled as far as they should be.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
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

static Status writeObject(llvm::Module &module, llvm::TargetMachine &machine,
                          const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return Status::badInput("cannot write " + path + ": " + error.message() +
                            "; choose a writable folder");
  llvm::legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, out, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return Status::missing("LLVM cannot emit x86-64 objects; install "
                           "llvm-22-dev");
  codegen.run(module);
  out.close();
  if (!out.has_error())
    return Status::ok();
  std::string why = out.error().message();
  out.clear_error();
  return Status::badInput("cannot write " + path + ": " + why +
                          "; free some space");
}

static Status link(const std::string &object, const std::string &artifact) {
  std::string linker = std::string(LABGEN_LLVM_BINDIR) + "/ld.lld";
  if (!llvm::sys::fs::can_execute(linker)) {
    auto found = llvm::sys::findProgramByName("ld.lld-22");
    if (!found)
      return Status::missing("ld.lld of LLVM 22 not found; install lld-22");
    linker = *found;
  }
  // What the linker says goes to a file: it is the reason of a failure.
  std::string log = artifact + ".log";
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log, log};
  llvm::StringRef arguments[] = {linker, "-shared",         "--no-undefined",
                                 "-O0",  "--build-id=none", object,
                                 "-o",   artifact};
  int rc =
      llvm::sys::ExecuteAndWait(linker, arguments, std::nullopt, redirects);
  std::string said;
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    said = (*buffer)->getBuffer().split('\n').first.str();
  llvm::sys::fs::remove(log);
  if (rc == 0)
    return Status::ok();
  llvm::sys::fs::remove(artifact);
  return Status::badInput("linking " + artifact + " failed: " + said +
                          "; kernels may call no library and need room on "
                          "disk");
}

Status labgen::emitSharedObject(llvm::Module &module, const CpuTarget &target,
                                const std::string &folder,
                                ManifestKernel &kernel) {
  if (Status s = addEntries(module, kernel); !s)
    return s;
  std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  if (!machine)
    return Status::missing("this LLVM has no x86-64 back end; install "
                           "llvm-22-dev");
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  optimize(module, *machine, target);
  std::string artifact = folder + "/" + kernel.artifact;
  std::string object = artifact + ".o";
  Status status = writeObject(module, *machine, object);
  if (status)
    status = link(object, artifact);
  llvm::sys::fs::remove(object);
  return status;
}
