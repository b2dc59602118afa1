// Retarget.cpp - the order of the steps, and the entry functions of kernels.
#include "lib/Emulator/Compile/Retarget.h"

#include "lib/Emulator/Compile/Admit.h"
#include "lib/Emulator/Compile/Promises.h"
#include "lib/Emulator/Compile/Rewriter.h"
#include "lib/Emulator/Runtime/State.h"
#include "lib/Target/Chips/Chips.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace labgen::emu {

static void describeTarget(const Module &module, ModuleInfo &info,
                           unsigned warpSize) {
  info.nvidia = module.getTargetTriple().isNVPTX();
  StringRef name;
  bool wave64 = false;
  for (const Function &function : module) {
    if (!isKernel(function) || !name.empty())
      continue;
    name = function.getFnAttribute("target-cpu").getValueAsString();
    wave64 = function.getFnAttribute("target-features")
                 .getValueAsString()
                 .contains("+wavefrontsize64");
  }
  // Code from elsewhere may be for a chip that the table does not have.
  bool wave32 = AMDGPU::getArchAttrAMDGCN(AMDGPU::parseArchAMDGCN(name)) &
                AMDGPU::FEATURE_WAVE32;
  info.warpSize = info.nvidia || (wave32 && !wave64) ? 32 : 64;
  if (warpSize)
    info.warpSize = warpSize;
  info.banks.pairsReads = !info.nvidia && info.warpSize == 64;
  if (const ChipInfo *chip = findChipByName(name)) {
    info.banks.banks = chip->banks.value;
    info.fnuz = chip->f8.value == NativeF8::Fnuz;
  }
}

// Puts a function's variables first, so that they stay in its first block when
// that is split.
static Status collectVariables(Rewriter &rewriter, Function &function,
                               std::vector<AllocaInst *> &variables) {
  uint64_t total = 0;
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
    total += bytes->getFixedValue();
    if (total > mostLocalBytes)
      return Status::badInput(
          "function '" + function.getName().str() + "' has more than " +
          std::to_string(mostLocalBytes) +
          " bytes of local variables, which no GPU has; make them smaller");
    variables.push_back(variable);
  }
  for (AllocaInst *variable : reverse(variables))
    variable->moveBefore(function.getEntryBlock().getFirstInsertionPt());
  return {};
}

static Status rewriteFunction(Rewriter &rewriter, Function &function,
                              bool &fibers) {
  std::vector<AllocaInst *> variables;
  if (Status status = collectVariables(rewriter, function, variables); !status)
    return status;
  llvm::erase_if(variables, [](const AllocaInst *variable) {
    return !isAddressTaken(*variable);
  });
  SmallPtrSet<Value *, 32> divergent;
  findDivergent(function, isKernel(function), divergent);
  rewriter.polls.clear();
  findPolls(function, rewriter.polls);
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
    if (Status status = instrumentMemory(rewriter, *instruction); !status)
      return status;
  }
  moveVariables(rewriter, function, variables);
  defineBehaviour(rewriter, function);
  return {};
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

// Names mean something to the host: its compiler knows what memcpy does, and
// the code it makes calls that by name. And debug locations are in the sites
// now.
static void hideNames(Module &module, ArrayRef<Function *> functions) {
  for (auto [number, function] : enumerate(functions))
    function->setName("labgen_emu_function." + Twine(number));
  StripDebugInfo(module);
}

Result<Retargeted> retarget(Module &module, const Triple &triple,
                            const DataLayout &host, unsigned warpSize) {
  Retargeted result;
  describeTarget(module, result.info, warpSize);
  dropModulePromises(module);
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
    EliminateUnreachableBlocks(*function);
    dropPromises(*function);
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
    function->setLinkage(GlobalValue::InternalLinkage);
    function->setVisibility(GlobalValue::DefaultVisibility);
    if (!isKernel(*function))
      continue;
    StringSet<> seen;
    bool fibers = reachesFibers(*function, withFibers, seen);
    result.kernels.push_back(
        makeEntry(rewriter, *function, result.kernels.size()));
    result.kernels.back().fibers = fibers;
  }
  if (result.kernels.empty())
    return Status::badInput("the device code has no kernel; give functions the "
                            "calling convention ptx_kernel or amdgpu_kernel");
  hideNames(module, functions);
  return result;
}

} // namespace labgen::emu
