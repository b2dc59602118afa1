// Promises.cpp - attributes and metadata: a few are known to be needed, and all
// others go.
#include "lib/Emulator/Compile/Promises.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace labgen::emu {

void dropModulePromises(Module &module) {
  removeFromUsedLists(module, [](Constant *) { return true; });
  for (StringRef name :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.global.annotations"})
    if (GlobalVariable *list = module.getGlobalVariable(name))
      list->eraseFromParent();
  for (NamedMDNode &list : make_early_inc_range(module.named_metadata()))
    if (!list.getName().starts_with("llvm.dbg") &&
        list.getName() != "llvm.module.flags")
      list.eraseFromParent();
  if (NamedMDNode *flags = module.getModuleFlagsMetadata()) {
    SmallVector<MDNode *> kept;
    for (MDNode *flag : flags->operands())
      if (auto *key = dyn_cast<MDString>(flag->getOperand(1));
          key && key->getString() == "Debug Info Version")
        kept.push_back(flag);
    flags->clearOperands();
    for (MDNode *flag : kept)
      flags->addOperand(flag);
  }
  for (GlobalVariable &variable : module.globals()) {
    variable.removeDeadConstantUsers();
    variable.setComdat(nullptr);
    variable.setPartition("");
    variable.setAttributes(AttributeSet());
    variable.setDLLStorageClass(GlobalValue::DefaultStorageClass);
    variable.clearCodeModel();
    variable.clearMetadata();
  }
  for (Function &function : make_early_inc_range(module)) {
    function.removeDeadConstantUsers();
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
    else if (function.isIntrinsic()) // what LLVM knows of it, and no more
      function.setAttributes(Intrinsic::getAttributes(
          module.getContext(), function.getIntrinsicID(),
          function.getFunctionType()));
  }
}

// What the kernel's entry must know of its parameters.
static AttributeList keptAttributes(const Function &function) {
  LLVMContext &context = function.getContext();
  AttributeList kept;
  for (const Argument &argument : function.args())
    for (auto kind : {Attribute::ByVal, Attribute::ByRef})
      if (argument.hasAttribute(kind))
        kept = kept.addParamAttribute(context, argument.getArgNo(),
                                      argument.getAttribute(kind));
  for (auto kind : {Attribute::NoUnwind, Attribute::Convergent})
    kept = kept.addFnAttribute(context, kind);
  // Recursion made into a loop would escape the bound on both.
  return kept.addFnAttribute(context, "disable-tail-calls", "true");
}

void dropPromises(Function &function) {
  function.setAttributes(keptAttributes(function));
  function.setComdat(nullptr);
  function.setPartition("");
  function.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  for (Instruction &instruction : instructions(function)) {
    instruction.dropUnknownNonDebugMetadata();
    instruction.dropPoisonGeneratingFlags();
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    call->setTailCallKind(CallInst::TCK_None);
    call->setAttributes(AttributeList());
    Function *callee = call->getCalledFunction();
    if (callee && !callee->isIntrinsic())
      call->setCallingConv(CallingConv::C);
  }
}

} // namespace labgen::emu
