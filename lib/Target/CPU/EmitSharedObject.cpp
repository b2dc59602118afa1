// EmitSharedObject.cpp - see EmitSharedObject.h.
#include "lib/Target/CPU/EmitSharedObject.h"

#include "lib/Target/Codegen/Codegen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace labgen;

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
  Result<int64_t> units = countAttribute(f, "labgen-units", launch.units);
  if (!units)
    return units.status();
  launch.units = *units;
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
    if (entries.size() > 1 && functionAttribute(*f, "labgen-units").empty())
      return Status::badInput(
          "has " + std::to_string(entries.size()) +
          " public functions; leave one public and make the others private");
  if (Status s = addWorkspaces(*entries.front(), kernel); !s)
    return s;
  for (llvm::Function *f : entries)
    if (Status s = addEntry(*f, kernel); !s)
      return s;
  return Status::ok();
}

static void nameFeatures(llvm::Module &module, const CpuTarget &target) {
  for (llvm::Function &f : module) {
    if (f.isDeclaration())
      continue;
    f.addFnAttr("target-cpu", target.base);
    f.addFnAttr("target-features", target.features);
    f.addFnAttr("tune-cpu", target.cpu);
    f.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
  }
}

Status labgen::emitSharedObject(llvm::Module &module, const CpuTarget &target,
                                bool optimized, const std::string &folder,
                                ManifestKernel &kernel) {
  std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  if (!machine)
    return Status::missing("this LLVM has no x86-64 back end; install "
                           "llvm-22-dev");
  if (Status s = checkArchitecture(module, *machine); !s)
    return s;
  if (Status s = addEntries(module, kernel); !s)
    return s;
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  nameFeatures(module, target);
  if (optimized)
    optimize(module, *machine, /*unroll=*/false);
  Result<std::string> object = makeCode(module, *machine, CodeFile::Object);
  if (!object)
    return object.status();
  return linkSharedObject(*object, folder + "/" + kernel.artifact);
}
