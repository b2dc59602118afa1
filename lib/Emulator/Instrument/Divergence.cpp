// Divergence.cpp - which values may differ between lanes of a warp, so that
// only branches that can diverge are watched. Errs towards "may".
#include "lib/Emulator/Compile/Rewriter.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace labgen::emu {

// Calls whose result is one per warp, whatever the arguments.
static bool isUniformCall(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
  case Intrinsic::amdgcn_workgroup_id_x:
  case Intrinsic::amdgcn_workgroup_id_y:
  case Intrinsic::amdgcn_workgroup_id_z:
  case Intrinsic::amdgcn_implicitarg_ptr:
  case Intrinsic::amdgcn_dispatch_ptr:
  case Intrinsic::amdgcn_wavefrontsize:
  case Intrinsic::amdgcn_readfirstlane:
  case Intrinsic::amdgcn_readlane:
  case Intrinsic::amdgcn_ballot:
    return true;
  default:
    return false;
  }
}

static bool isSource(const Instruction &instruction) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst>(instruction))
    return true;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call || isUniformCall(*call))
    return false;
  const Function *callee = call->getCalledFunction();
  return !callee || !callee->isIntrinsic() ||
         callee->getName().starts_with("llvm.nvvm.") ||
         callee->getName().starts_with("llvm.amdgcn.");
}

namespace {
class Propagation {
public:
  Propagation(Function &function, SmallPtrSetImpl<Value *> &divergent)
      : function(function), divergent(divergent), dominators(function),
        loops(dominators) {}

  void run() {
    for (Instruction &instruction : instructions(function))
      if (isSource(instruction))
        divergent.insert(&instruction);
    for (bool changed = true; changed;) {
      changed = false;
      for (Instruction &instruction : instructions(function))
        changed |= visit(instruction);
    }
  }

private:
  bool isDivergentBranch(const Instruction *terminator) const {
    if (auto *branch = dyn_cast<BranchInst>(terminator))
      return branch->isConditional() &&
             divergent.contains(branch->getCondition());
    auto *choice = dyn_cast<SwitchInst>(terminator);
    return choice && divergent.contains(choice->getCondition());
  }

  // A phi joins what a divergent branch below the dominator of its block split.
  bool joinsDivergence(const PHINode &phi) const {
    const BasicBlock *join = phi.getParent();
    if (const Loop *loop = loops.getLoopFor(join);
        loop && loop->getHeader() == join)
      return false; // lanes of one iteration agree, if the operands do
    const DomTreeNode *node = dominators.getNode(join);
    const DomTreeNode *above = node ? node->getIDom() : nullptr;
    if (!above)
      return false;
    for (const BasicBlock &block : function)
      if (dominators.dominates(above->getBlock(), &block) &&
          isDivergentBranch(block.getTerminator()))
        return true;
    return false;
  }

  // What a loop computes is used behind it, and lanes leave it one by one.
  bool leavesDivergentLoop(const Instruction &instruction) const {
    for (const Loop *loop = loops.getLoopFor(instruction.getParent()); loop;
         loop = loop->getParentLoop()) {
      bool outside = any_of(instruction.users(), [&](const User *user) {
        return !loop->contains(cast<Instruction>(user));
      });
      if (!outside)
        continue;
      SmallVector<BasicBlock *> exiting;
      loop->getExitingBlocks(exiting);
      if (any_of(exiting, [&](BasicBlock *block) {
            return isDivergentBranch(block->getTerminator());
          }))
        return true;
    }
    return false;
  }

  bool visit(Instruction &instruction) {
    if (divergent.contains(&instruction) || instruction.getType()->isVoidTy())
      return false;
    bool found = (!isa<CallInst>(instruction) ||
                  !isUniformCall(cast<CallInst>(instruction))) &&
                 any_of(instruction.operands(), [&](Value *operand) {
                   return divergent.contains(operand);
                 });
    if (auto *phi = dyn_cast<PHINode>(&instruction); phi && !found)
      found = !phi->hasConstantValue() && joinsDivergence(*phi);
    found = found || leavesDivergentLoop(instruction);
    if (found)
      divergent.insert(&instruction);
    return found;
  }

  Function &function;
  SmallPtrSetImpl<Value *> &divergent;
  DominatorTree dominators;
  LoopInfo loops;
};
} // namespace

void findDivergent(Function &function, bool isKernel,
                   SmallPtrSetImpl<Value *> &divergent) {
  if (!isKernel)
    for (Argument &argument : function.args())
      divergent.insert(&argument);
  Propagation(function, divergent).run();
}

} // namespace labgen::emu
