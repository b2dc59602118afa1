// Mutator.cpp - changes of what is there.
#include "test/Fuzz/Emulator/Mutator.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace labgen::fuzz {

bool Mutator::mutate() {
  static constexpr Change changes[] = {
      &Mutator::replaceOperand,      &Mutator::replaceOperand,
      &Mutator::replaceOperand,      &Mutator::dropInstruction,
      &Mutator::moveInstruction,     &Mutator::copyInstruction,
      &Mutator::changeFlags,         &Mutator::changeTerminator,
      &Mutator::changeConstantIndex, &Mutator::changePhi,
      &Mutator::changeAlignment,     &Mutator::changeMetadata,
      &Mutator::changeAttributes,    &Mutator::insertAccess,
      &Mutator::insertAtomic,        &Mutator::insertAddressArithmetic,
      &Mutator::insertVariable,      &Mutator::insertIntrinsic,
      &Mutator::insertIntrinsic,     &Mutator::insertCall,
      &Mutator::insertAssembly,      &Mutator::insertDivision,
      &Mutator::insertCopy,          &Mutator::insertSwitch,
      &Mutator::insertGlobal,        &Mutator::insertRecursion,
      &Mutator::insertLoop,          &Mutator::insertElement,
      &Mutator::insertElement,
  };
  return (this->*oneOf(changes))();
}

bool Mutator::replaceOperand() {
  Instruction *user = anyInstruction();
  if (!user || !user->getNumOperands() || isa<PHINode>(user))
    return false;
  Use &use = user->getOperandUse(unsigned(below(user->getNumOperands())));
  Type *type = use->getType();
  if (type->isLabelTy() || type->isMetadataTy() || isa<Function>(use))
    return false;
  use.set(anyValue(*user, type));
  return true;
}

bool Mutator::dropInstruction() {
  Instruction *dropped = anyInstruction();
  if (!dropped || dropped->isTerminator())
    return false;
  if (!dropped->getType()->isVoidTy())
    dropped->replaceAllUsesWith(anyConstant(dropped->getType()));
  dropped->eraseFromParent();
  return true;
}

bool Mutator::moveInstruction() {
  Instruction *moved = anyInstruction(), *place = anyPlace();
  if (!moved || moved->isTerminator() || isa<PHINode>(moved) ||
      place->getFunction() != moved->getFunction() || place == moved)
    return false;
  moved->moveBefore(place->getIterator());
  return true;
}

bool Mutator::copyInstruction() {
  Instruction *copied = anyInstruction();
  if (!copied || copied->isTerminator() || isa<PHINode>(copied))
    return false;
  Instruction *copy = copied->clone();
  copy->insertAfter(copied->getIterator());
  if (!copy->getType()->isVoidTy() && chance(70))
    copied->replaceUsesOutsideBlock(copy, copied->getParent());
  return true;
}

bool Mutator::changeFlags() {
  Instruction *changed = anyInstruction();
  if (!changed)
    return false;
  if (isa<OverflowingBinaryOperator>(changed)) {
    changed->setHasNoSignedWrap(chance(50));
    changed->setHasNoUnsignedWrap(chance(50));
  } else if (isa<PossiblyExactOperator>(changed)) {
    changed->setIsExact(chance(50));
  } else if (isa<FPMathOperator>(changed)) {
    FastMathFlags flags;
    flags.setNoNaNs(chance(50));
    flags.setNoInfs(chance(50));
    flags.setAllowReassoc(chance(50));
    changed->setFastMathFlags(flags);
  } else if (auto *address = dyn_cast<GetElementPtrInst>(changed)) {
    address->setIsInBounds(chance(50));
  } else if (auto *compare = dyn_cast<ICmpInst>(changed)) {
    compare->setPredicate(
        CmpInst::Predicate(CmpInst::FIRST_ICMP_PREDICATE +
                           below(CmpInst::LAST_ICMP_PREDICATE -
                                 CmpInst::FIRST_ICMP_PREDICATE + 1)));
  } else if (auto *load = dyn_cast<LoadInst>(changed)) {
    load->setVolatile(chance(50));
  } else if (auto *store = dyn_cast<StoreInst>(changed)) {
    store->setVolatile(chance(50));
  } else if (auto *call = dyn_cast<CallInst>(changed)) {
    call->setTailCallKind(CallInst::TailCallKind(below(4)));
  } else {
    return false;
  }
  return true;
}

bool Mutator::changeTerminator() {
  Instruction *somewhere = anyInstruction();
  if (!somewhere)
    return false;
  Instruction *end = somewhere->getParent()->getTerminator();
  auto *branch = dyn_cast<BranchInst>(end);
  if (branch && branch->isConditional() && chance(60)) {
    if (chance(30))
      branch->swapSuccessors();
    else
      branch->setCondition(chance(40)
                               ? anyConstant(Type::getInt1Ty(context))
                               : anyValue(*end, Type::getInt1Ty(context)));
    return true;
  }
  if (chance(40)) {
    for (BasicBlock *next : successors(end))
      next->removePredecessor(end->getParent(), /*KeepOneInputPHIs=*/true);
    changeToUnreachable(end);
    return true;
  }
  if (end->getNumSuccessors() == 0)
    return false;
  // To another block, whose phis get something for it.
  std::vector<BasicBlock *> blocks;
  for (BasicBlock &block : *end->getFunction())
    if (!block.isEntryBlock())
      blocks.push_back(&block);
  if (blocks.empty())
    return false;
  unsigned which = unsigned(below(end->getNumSuccessors()));
  BasicBlock *next = oneOf(blocks);
  end->getSuccessor(which)->removePredecessor(end->getParent(), true);
  end->setSuccessor(which, next);
  for (PHINode &phi : next->phis())
    phi.addIncoming(anyConstant(phi.getType()), end->getParent());
  return true;
}

bool Mutator::changeConstantIndex() {
  auto *address = dyn_cast_or_null<GetElementPtrInst>(anyInstruction());
  if (!address)
    return false;
  unsigned which = 1 + unsigned(below(address->getNumIndices()));
  Type *type = address->getOperand(which)->getType();
  if (!type->isIntegerTy())
    return false;
  address->setOperand(which, anyConstant(type));
  return true;
}

bool Mutator::changePhi() {
  auto *phi = dyn_cast_or_null<PHINode>(anyInstruction());
  if (!phi || !phi->getNumIncomingValues())
    return false;
  unsigned which = unsigned(below(phi->getNumIncomingValues()));
  phi->setIncomingValue(
      which,
      anyValue(*phi->getIncomingBlock(which)->getTerminator(), phi->getType()));
  return true;
}

bool Mutator::changeAlignment() {
  Instruction *changed = anyInstruction();
  if (!changed)
    return false;
  if (auto *load = dyn_cast<LoadInst>(changed))
    load->setAlignment(anyAlign());
  else if (auto *store = dyn_cast<StoreInst>(changed))
    store->setAlignment(anyAlign());
  else if (auto *variable = dyn_cast<AllocaInst>(changed))
    variable->setAlignment(anyAlign());
  else
    return false;
  return true;
}

bool Mutator::changeMetadata() {
  Instruction *changed = anyInstruction();
  if (!changed || changed->getType()->isVoidTy())
    return false;
  MDBuilder builder(context);
  if (auto *type = dyn_cast<IntegerType>(changed->getType())) {
    MDNode *range = builder.createRange(ConstantInt::get(type, 1),
                                        ConstantInt::get(type, 2));
    if (range)
      changed->setMetadata(LLVMContext::MD_range, range);
  }
  MDNode *empty = MDNode::get(context, {});
  const unsigned kinds[] = {LLVMContext::MD_nonnull, LLVMContext::MD_noundef,
                            LLVMContext::MD_invariant_load,
                            LLVMContext::MD_nontemporal};
  if (isa<LoadInst>(changed))
    changed->setMetadata(oneOf(kinds), empty);
  return true;
}

bool Mutator::changeAttributes() {
  if (chance(30)) {
    auto *call = dyn_cast_or_null<CallInst>(anyInstruction());
    if (!call)
      return false;
    if (call->arg_size() && chance(60))
      call->addParamAttr(unsigned(below(call->arg_size())), anyAttribute());
    else
      call->addFnAttr(anyAttribute());
    return true;
  }
  Function *function = anyFunction();
  if (!function)
    return false;
  if (chance(10)) {
    function->setCallingConv(CallingConv::ID(below(110)));
    return true;
  }
  if (function->arg_size() && chance(50))
    function->addParamAttr(unsigned(below(function->arg_size())),
                           anyAttribute());
  else if (chance(20))
    function->addRetAttr(anyAttribute());
  else
    function->addFnAttr(anyAttribute());
  return true;
}

} // namespace labgen::fuzz
