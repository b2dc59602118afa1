// Polls.cpp - loads that wait for another thread: atomic or volatile ones whose
// value decides whether their own loop goes on. They may meet a write at any
// time, and that is what they are for.
#include "lib/Emulator/Compile/Rewriter.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace labgen::emu {

// Whether what the loop computes from `load` ends in a branch out of it.
static bool decides(const LoadInst &load, const Loop &loop) {
  SmallVector<const Instruction *> work{&load};
  SmallPtrSet<const Instruction *, 16> seen{&load};
  while (!work.empty()) {
    const Instruction *value = work.pop_back_val();
    for (const User *user : value->users()) {
      auto *next = cast<Instruction>(user);
      if (!loop.contains(next) || !seen.insert(next).second)
        continue;
      if (next->isTerminator() && loop.isLoopExiting(next->getParent()))
        return true;
      work.push_back(next);
    }
  }
  return false;
}

void findPolls(Function &function,
               SmallPtrSetImpl<const Instruction *> &polls) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (const Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !(load->isVolatile() || load->isAtomic()))
      continue;
    const Loop *loop = loops.getLoopFor(load->getParent());
    if (loop && decides(*load, *loop))
      polls.insert(load);
  }
}

} // namespace labgen::emu
