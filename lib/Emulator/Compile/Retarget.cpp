// Retarget.cpp - the order of the steps, and the entry functions of kernels.
#include "lib/Emulator/Compile/Retarget.h"

#include "lib/Emulator/Compile/Rewriter.h"
#include "lib/Emulator/Runtime/State.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace labgen::emu {

static bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

static void describeTarget(const Module &module, ModuleInfo &info,
                           unsigned warpSize) {
  info.nvidia = module.getTargetTriple().isNVPTX();
  bool wave64 = false;
  for (const Function &function : module) {
    if (!isKernel(function) || !info.chip.empty())
      continue;
    info.chip = function.getFnAttribute("target-cpu").getValueAsString().str();
    wave64 = function.getFnAttribute("target-features")
                 .getValueAsString()
                 .contains("+wavefrontsize64");
  }
  StringRef chip = info.chip;
  bool rdna = chip.starts_with("gfx1");
  info.warpSize = info.nvidia || (rdna && !wave64) ? 32 : 64;
  if (warpSize)
    info.warpSize = warpSize;
  info.banks.banks = chip == "gfx950" ? 64 : 32;
  info.banks.pairsReads = !info.nvidia && info.warpSize == 64;
}

// The host's optimiser must not believe what held before hooks were added, nor
// use another machine's features.
static void dropAttributes(Function &function) {
  function.removeFnAttr("target-cpu");
  function.removeFnAttr("target-features");
  function.removeFnAttr("tune-cpu");
  // Recursion made into a loop would escape the bound on both.
  function.addFnAttr("disable-tail-calls", "true");
  for (auto kind : {Attribute::Memory, Attribute::NoSync, Attribute::NoRecurse,
                    Attribute::Speculatable, Attribute::WillReturn})
    function.removeFnAttr(kind);
  for (Argument &argument : function.args())
    for (auto kind : {Attribute::ReadOnly, Attribute::ReadNone,
                      Attribute::WriteOnly, Attribute::NoAlias})
      argument.removeAttr(kind);
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      Function *callee = call->getCalledFunction();
      if (!callee || callee->isIntrinsic())
        continue;
      for (auto kind : {Attribute::Memory, Attribute::NoSync,
                        Attribute::Speculatable, Attribute::WillReturn})
        call->removeFnAttr(kind);
      call->setCallingConv(CallingConv::C);
    }
}

static Status measureVariables(Rewriter &rewriter, Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable)
      continue;
    std::optional<TypeSize> bytes =
        variable->getAllocationSize(rewriter.module.getDataLayout());
    if (!bytes || !variable->isStaticAlloca())
      return Status::badInput("the emulated device has no local variables of a "
                              "size known only at run time: " +
                              rewriter.text(instruction) +
                              "; use a constant size");
    rewriter.info.stackBytes += bytes->getFixedValue() + 64;
  }
  return {};
}

static Status rewriteFunction(Rewriter &rewriter, Function &function,
                              bool &fibers) {
  if (Status status = measureVariables(rewriter, function); !status)
    return status;
  SmallPtrSet<Value *, 32> divergent;
  findDivergent(function, isKernel(function), divergent);
  // In the order control takes, which collectives are numbered by.
  std::vector<Instruction *> work;
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block)
      work.push_back(&instruction);
  for (Instruction *instruction : work)
    if (instruction->mayReadOrWriteMemory() || instruction->isTerminator() ||
        isa<CallInst>(instruction))
      rewriter.remember(*instruction);
  // Flow first: it looks at what the function was, and the rest doesn't add
  // branches.
  instrumentFlow(rewriter, function, divergent);
  for (Instruction *instruction : work) {
    if (auto *call = dyn_cast<CallInst>(instruction);
        call && !isa<MemIntrinsic>(call)) {
      if (Status status = lowerCall(rewriter, *call, fibers); !status)
        return status;
      continue;
    }
    if (isa<InvokeInst, CallBrInst, IndirectBrInst, VAArgInst>(instruction))
      return Status::badInput("the emulated device has no model of: " +
                              rewriter.text(*instruction) +
                              "; use another form");
    if (Status status = instrumentMemory(rewriter, *instruction); !status)
      return status;
  }
  return {};
}

// void labgen_emu_entry.K(Thread *, void **parameters): loads what K takes, as
// the drivers' launch calls pass it.
static Kernel makeEntry(Rewriter &rewriter, Function &function) {
  Kernel kernel;
  kernel.name = function.getName().str();
  kernel.symbol = "labgen_emu_entry." + kernel.name;
  LLVMContext &context = rewriter.module.getContext();
  const DataLayout &layout = rewriter.module.getDataLayout();
  Function *entry = Function::Create(
      FunctionType::get(rewriter.voidType, {rewriter.pointer, rewriter.pointer},
                        false),
      GlobalValue::ExternalLinkage, kernel.symbol, rewriter.module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", entry));
  SmallVector<Value *> values;
  for (Argument &argument : function.args()) {
    Value *from = builder.CreateLoad(
        rewriter.pointer,
        builder.CreateConstGEP1_32(rewriter.pointer, entry->getArg(1),
                                   argument.getArgNo()));
    Type *inMemory = argument.hasByValAttr() ? argument.getParamByValType()
                                             : argument.getParamByRefType();
    Parameter parameter;
    if (inMemory) {
      parameter.bytes = layout.getTypeAllocSize(inMemory);
      AllocaInst *copy = builder.CreateAlloca(inMemory);
      builder.CreateMemCpy(copy, copy->getAlign(), from, Align(1),
                           parameter.bytes);
      values.push_back(builder.CreateAddrSpaceCast(copy, argument.getType()));
      argument.removeAttr(Attribute::ByVal);
      argument.removeAttr(Attribute::ByRef);
      rewriter.info.stackBytes += parameter.bytes + 64;
    } else {
      parameter.pointer = argument.getType()->isPointerTy();
      parameter.bytes = layout.getTypeStoreSize(argument.getType());
      values.push_back(
          builder.CreateAlignedLoad(argument.getType(), from, Align(1)));
    }
    kernel.parameters.push_back(parameter);
  }
  CallInst *call = builder.CreateCall(&function, values);
  call->setCallingConv(CallingConv::C);
  builder.CreateRetVoid();
  function.setCallingConv(CallingConv::C);
  function.setLinkage(GlobalValue::InternalLinkage);
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::AlwaysInline);
  return kernel;
}

// Collectives of callees count for the kernel.
static bool reachesFibers(const Function &function,
                          const StringSet<> &withFibers, StringSet<> &seen) {
  if (withFibers.contains(function.getName()))
    return true;
  if (!seen.insert(function.getName()).second)
    return false;
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && reachesFibers(*callee, withFibers, seen))
        return true;
  return false;
}

static Status placeVariables(Rewriter &rewriter,
                             std::vector<StaticVariable> &variables) {
  for (GlobalVariable &variable : rewriter.module.globals()) {
    if (variable.getName().starts_with("llvm."))
      continue;
    if (variable.isDeclaration() && !variable.use_empty())
      return Status::badInput("variable '" + variable.getName().str() +
                              "' is not defined in the device code; link it "
                              "in");
    if (variable.isDeclaration())
      continue;
    StaticVariable placed;
    placed.name = variable.getName().str();
    placed.bytes = rewriter.module.getDataLayout().getTypeAllocSize(
        variable.getValueType());
    placed.constant = variable.isConstant();
    placed.symbol = "labgen_emu_variable." + std::to_string(variables.size());
    variable.setName(placed.symbol);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    variable.setExternallyInitialized(false);
    variable.setDSOLocal(true);
    variables.push_back(std::move(placed));
  }
  return {};
}

Result<Retargeted> retarget(Module &module, const Triple &triple,
                            const DataLayout &host, unsigned warpSize) {
  Retargeted result;
  describeTarget(module, result.info, warpSize);
  removeFromUsedLists(module, [](Constant *) { return true; });
  for (StringRef name :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.global.annotations"})
    if (GlobalVariable *list = module.getGlobalVariable(name))
      list->eraseFromParent();
  module.setTargetTriple(triple);
  module.setDataLayout(host);

  Rewriter rewriter(module, result.info);
  if (Status status = listShared(rewriter); !status)
    return status;
  std::vector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  StringSet<> withFibers;
  for (Function *function : functions) {
    removeUnreachableBlocks(*function);
    dropAttributes(*function);
    if (!isKernel(*function))
      function->setCallingConv(CallingConv::C);
    bool fibers = false;
    if (Status status = rewriteFunction(rewriter, *function, fibers); !status)
      return status;
    if (fibers)
      withFibers.insert(function->getName());
  }
  if (Status status = layOutShared(rewriter); !status)
    return status;
  if (Status status = placeVariables(rewriter, result.variables); !status)
    return status;
  for (Function *function : functions) {
    if (!isKernel(*function)) {
      function->setLinkage(GlobalValue::InternalLinkage);
      continue;
    }
    StringSet<> seen;
    bool fibers = reachesFibers(*function, withFibers, seen);
    result.kernels.push_back(makeEntry(rewriter, *function));
    result.kernels.back().fibers = fibers;
  }
  if (result.kernels.empty())
    return Status::badInput("the device code has no kernel; give functions the "
                            "calling convention ptx_kernel or amdgpu_kernel");
  return result;
}

} // namespace labgen::emu
