// Admit.cpp - the list for modules, variables, functions and instructions.
#include "lib/Emulator/Compile/Admit.h"

#include "lib/Emulator/Compile/Generic.h"
#include "lib/Emulator/Compile/Retarget.h"
#include "lib/Emulator/Runtime/Intrinsic.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace labgen::emu {

static Status refused(const Twine &what, const char *cure) {
  return Status::badInput(("the emulated device " + what + "; " + cure).str());
}

static std::string textOf(const Value &value) {
  std::string text;
  raw_string_ostream stream(text);
  value.print(stream);
  return StringRef(text).ltrim().split('\n').first.split(", !").first.str();
}

static Status admitModule(const Module &module) {
  if (!module.getModuleInlineAsm().empty())
    return refused("runs no module assembly", "leave 'module asm' out");
  if (!module.ifunc_empty())
    return refused("has no ifuncs and the module has '" +
                       module.ifunc_begin()->getName() + "'",
                   "call a function it defines");
  if (!module.alias_empty())
    return refused("has no aliases and the module has '" +
                       module.alias_begin()->getName() + "'",
                   "name what it stands for");
  for (const GlobalValue &value : module.global_values())
    if (value.getName().starts_with(runtimePrefix))
      return refused("keeps names that begin with " + Twine(runtimePrefix) +
                         " and the module has '" + value.getName() + "'",
                     "give it another name");
  return {};
}

// Lists for linkers and tools, which retargeting drops.
static bool isDroppedList(StringRef name) {
  return name == "llvm.used" || name == "llvm.compiler.used" ||
         name == "llvm.global.annotations";
}

static Status admitVariable(const GlobalVariable &variable,
                            AdmittedValues &values) {
  std::string name = "variable '" + variable.getName().str() + "'";
  if (variable.getName() == "llvm.global_ctors" ||
      variable.getName() == "llvm.global_dtors") {
    auto *list = variable.hasInitializer()
                     ? dyn_cast<ConstantArray>(variable.getInitializer())
                     : nullptr;
    if (!list)
      return {};
    return refused("runs no constructors and the module has '" +
                       variable.getName() + "'",
                   "start variables from constants");
  }
  if (variable.getName().starts_with("llvm."))
    return refused("has no model of " + name, "leave it out");
  if (variable.isThreadLocal())
    return refused("has no thread-local variables and the module has " + name,
                   "use a local variable");
  if (variable.hasSection())
    return refused("places variables itself and " + name + " names a section",
                   "leave the section out");
  if (variable.getAlign().valueOrOne() > mostAlignment)
    return refused("aligns to at most " + Twine(mostAlignment) + " bytes and " +
                       name + " wants more",
                   "align it less");
  std::string why = values.refuseInMemory(variable.getValueType());
  if (why.empty())
    why = values.refuse(variable.getType());
  if (why.empty() && variable.hasInitializer())
    why = values.refuseInitializer(*variable.getInitializer());
  if (!why.empty())
    return refused("has no " + why + " (in " + name + ")", "use another form");
  return {};
}

static Status admitVariables(const Module &module, AdmittedValues &values) {
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals()) {
    if (isDroppedList(variable.getName()))
      continue;
    if (Status status = admitVariable(variable, values); !status)
      return status;
    bytes += *boundedBytes(variable.getValueType());
    if (bytes > mostStaticBytes)
      return refused("holds variables of at most " + Twine(mostStaticBytes) +
                         " bytes and the module has more",
                     "use a buffer");
  }
  return {};
}

bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

static Status admitSignature(const Function &function, AdmittedValues &values) {
  std::string name = "function '" + function.getName().str() + "'";
  if (function.isVarArg())
    return refused("has no variable arguments, as " + name + " takes",
                   "give it a fixed list");
  if (function.hasPersonalityFn() || function.hasPrefixData() ||
      function.hasPrologueData() || function.hasGC() || function.hasSection())
    return refused("has no personality, prefix, prologue, collector or "
                   "section, as " +
                       name + " has",
                   "leave it out");
  std::string why = values.refuse(function.getReturnType());
  for (const Argument &argument : function.args()) {
    if (why.empty())
      why = values.refuse(argument.getType());
    if (why.empty() && isKernel(function) &&
        holdsOddIntegers(argument.getType()))
      why = "parameter that is a record with odd integers in it";
    Type *copied = argument.hasByValAttr() ? argument.getParamByValType()
                                           : argument.getParamByRefType();
    if (copied && isKernel(function)) {
      if (why.empty())
        why = values.refuseInMemory(copied);
      if (why.empty() && *boundedBytes(copied) > mostLocalBytes)
        why = "parameter of more than " + std::to_string(mostLocalBytes) +
              " bytes";
    } else if (why.empty() && argument.hasPassPointeeByValueCopyAttr()) {
      why = "memory passed by value to a function";
    }
  }
  if (!why.empty())
    return refused("has no " + why + " (in " + name + ")", "use another form");
  return {};
}

// Models count on the lanes of their vendor's warps.
static bool isOfOtherVendor(StringRef name, const Triple &triple) {
  return (name.starts_with("llvm.nvvm.") && !triple.isNVPTX()) ||
         (name.starts_with("llvm.amdgcn.") && !triple.isAMDGCN());
}

static Status admitCallee(const CallInst &call) {
  auto in = [&] { return " (in " + call.getFunction()->getName().str() + ")"; };
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    // Nothing but a barrier for the optimiser.
    if (assembly->getAsmString().empty() && call.getType()->isVoidTy())
      return {};
    return refused("runs no inline assembly: \"" +
                       Twine(assembly->getAsmString()) + "\"" + in(),
                   "use an intrinsic or run on a GPU");
  }
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return refused("follows no function pointers: " + textOf(call) + in(),
                   "call a function by its name and with its type");
  if (isKernel(*callee))
    return refused("has no kernels that call kernels: " + textOf(call) + in(),
                   "call a function");
  if (callee->isIntrinsic()) {
    Intrinsic::ID id = callee->getIntrinsicID();
    StringRef name = id == Intrinsic::not_intrinsic
                         ? callee->getName()
                         : Intrinsic::getBaseName(id);
    if (isOfOtherVendor(name, call.getModule()->getTargetTriple()))
      return refused("has no intrinsic '" + name + "' on " +
                         call.getModule()->getTargetTriple().getArchName() +
                         in(),
                     "use the vendor's own");
    if (genericIntrinsic(id) == Generic::None && !findIntrinsic(name))
      return refused("has no model of intrinsic '" + name + "'" + in(),
                     "use another form or run on a GPU");
  } else if (callee->isDeclaration()) {
    return Status::badInput("the device code calls '" +
                            callee->getName().str() +
                            "', which it does not define; link it in");
  }
  if (call.hasOperandBundles() && callee->getIntrinsicID() != Intrinsic::assume)
    return refused("has no operand bundles: " + textOf(call) + in(),
                   "leave them out");
  return {};
}

static bool isAdmittedOpcode(const Instruction &instruction) {
  if (instruction.isUnaryOp() || instruction.isBinaryOp() ||
      instruction.isCast())
    return true;
  return isa<ReturnInst, BranchInst, SwitchInst, UnreachableInst, AllocaInst,
             LoadInst, StoreInst, GetElementPtrInst, FenceInst, AtomicRMWInst,
             AtomicCmpXchgInst, CmpInst, PHINode, CallInst, SelectInst,
             ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             ExtractValueInst, InsertValueInst, FreezeInst>(instruction);
}

// The type and alignment of an atomic access: a wider one would need a library.
static bool isLockFree(const Instruction &instruction) {
  auto fits = [](Type *type, Align align) {
    uint64_t bytes = *boundedBytes(type);
    return bytes <= 8 && align.value() >= bytes;
  };
  // Of vectors, the host's code generator has only the read-modify-writes.
  auto fitsWhole = [&](Type *type, Align align) {
    return !type->isVectorTy() && fits(type, align);
  };
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isAtomic() || fitsWhole(load->getType(), load->getAlign());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return !store->isAtomic() ||
           fitsWhole(store->getValueOperand()->getType(), store->getAlign());
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction))
    return fits(rmw->getType(), rmw->getAlign());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return fits(exchange->getNewValOperand()->getType(), exchange->getAlign());
  return true;
}

static Status admitInstruction(const Instruction &instruction,
                               AdmittedValues &values) {
  auto no = [&](const std::string &what) {
    return refused("has no " + what + ": " +
                       instruction.getFunction()->getName() + ": " +
                       textOf(instruction),
                   "use another form");
  };
  if (!isAdmittedOpcode(instruction))
    return no("model of this instruction");
  if (auto *call = dyn_cast<CallInst>(&instruction))
    if (Status status = admitCallee(*call); !status)
      return status;
  if (std::string why = values.refuse(instruction.getType()); !why.empty())
    return no(why);
  if (isa<LoadInst>(instruction) && holdsOddIntegers(instruction.getType()))
    return no("load of an array or a record with odd integers in it");
  if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
    if (variable->isUsedWithInAlloca() || variable->isSwiftError())
      return no("such variable");
    if (std::string why = values.refuseInMemory(variable->getAllocatedType());
        !why.empty())
      return no(why);
    if (variable->getAlign() > mostAlignment)
      return no("alignment this large");
  }
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    if (std::string why =
            values.refuseInMemory(address->getSourceElementType());
        !why.empty())
      return no(why);
  if (!isLockFree(instruction))
    return no("atomic access of a vector, of more than 8 bytes, or not aligned "
              "to its size");
  for (const Use &use : instruction.operands()) {
    auto *constant = dyn_cast<Constant>(use.get());
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!constant || (call && call->isCallee(&use)))
      continue;
    if (std::string why = values.refuse(*constant); !why.empty())
      return no(why);
  }
  return {};
}

Status admit(const Module &module) {
  if (Status status = admitModule(module); !status)
    return status;
  AdmittedValues values;
  if (Status status = admitVariables(module, values); !status)
    return status;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue; // judged where it is called
    if (Status status = admitSignature(function, values); !status)
      return status;
    for (const Instruction &instruction : instructions(function))
      if (Status status = admitInstruction(instruction, values); !status)
        return status;
  }
  return {};
}

} // namespace labgen::emu
