// InstrumentFlow.cpp - counts floating-point operations, watches branches that
// may diverge, and bounds loops and recursion.
#include "lib/Emulator/Compile/Rewriter.h"
#include "lib/Emulator/Runtime/Intrinsic.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace labgen::emu {

static uint64_t elements(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

uint64_t flopsOf(const Instruction &instruction) {
  const Type *type = instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return elements(type);
  default:
    break;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return 0;
  switch (call->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2 * elements(type);
  case Intrinsic::sqrt:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::pow:
  case Intrinsic::tanh:
    return elements(type);
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return elements(call->getArgOperand(1)->getType());
  default:
    break;
  }
  const IntrinsicRow *row =
      findIntrinsic(Intrinsic::getBaseName(call->getIntrinsicID()));
  return row ? row->flops * elements(type) : 0;
}

// The function's operations gather in a register and are added to the block's
// where it returns.
static void countFlops(Rewriter &rewriter, Function &function) {
  AllocaInst *sum = nullptr;
  for (BasicBlock &block : function) {
    uint64_t flops = 0;
    for (Instruction &instruction : block)
      flops += flopsOf(instruction);
    if (!flops)
      continue;
    if (!sum) {
      BasicBlock &entry = function.getEntryBlock();
      sum =
          IRBuilder<>(&*entry.getFirstInsertionPt()).CreateAlloca(rewriter.i64);
      IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
      builder.CreateStore(builder.getInt64(0), sum);
    }
    IRBuilder<> builder(block.getTerminator());
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(rewriter.i64, sum),
                                          builder.getInt64(flops)),
                        sum);
  }
  if (!sum)
    return;
  for (BasicBlock &block : function) {
    auto *end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    IRBuilder<> builder(end);
    Value *total = builder.CreatePtrAdd(
        rewriter.block(function), builder.getInt32(offsetof(Block, flops)));
    builder.CreateStore(
        builder.CreateAdd(builder.CreateLoad(rewriter.i64, total),
                          builder.CreateLoad(rewriter.i64, sum)),
        total);
  }
}

static void watchBranches(Rewriter &rewriter, Function &function,
                          const SmallPtrSetImpl<Value *> &divergent) {
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        !divergent.contains(branch->getCondition()) ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    IRBuilder<> builder(branch);
    builder.CreateCall(
        rewriter.hook("branch", rewriter.voidType,
                      {rewriter.pointer, rewriter.i8, rewriter.i32}),
        {rewriter.thread(function),
         builder.CreateZExt(branch->getCondition(), rewriter.i8),
         builder.getInt32(rewriter.addSite(*branch))});
  }
}

// Takes one from what the block has left; when nothing is, the runtime looks
// whether that is an end.
static void takeOne(Rewriter &rewriter, Instruction &before, uint32_t site) {
  Function &function = *before.getFunction();
  IRBuilder<> builder(&before);
  Value *left = builder.CreatePtrAdd(
      rewriter.block(function), builder.getInt32(offsetof(Block, iterations)));
  Value *now = builder.CreateSub(builder.CreateLoad(rewriter.i64, left),
                                 builder.getInt64(1));
  builder.CreateStore(now, left);
  Instruction *then = SplitBlockAndInsertIfThen(
      builder.CreateICmpSLT(now, builder.getInt64(0)), before.getIterator(),
      /*Unreachable=*/false,
      MDBuilder(function.getContext()).createUnlikelyBranchWeights());
  IRBuilder<>(then).CreateCall(
      rewriter.hook("endless", rewriter.voidType,
                    {rewriter.pointer, rewriter.i32}),
      {rewriter.thread(function), builder.getInt32(site)});
}

static void boundLoops(Rewriter &rewriter, Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  SmallPtrSet<const BasicBlock *, 8> latches;
  for (auto [latch, header] : edges)
    latches.insert(latch);
  for (BasicBlock &block : make_early_inc_range(function))
    if (latches.contains(&block)) {
      Instruction *end = block.getTerminator();
      takeOne(rewriter, *end, rewriter.addSite(*end));
    }
}

// An end that cannot be reached, and is, would run into whatever code follows.
static void watchUnreachable(Rewriter &rewriter, Function &function) {
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator()))
      IRBuilder<>(end).CreateCall(
          rewriter.hook("unreachable", rewriter.voidType,
                        {rewriter.pointer, rewriter.i32}),
          {rewriter.thread(function),
           ConstantInt::get(rewriter.i32, rewriter.addSite(*end))});
}

// Kernels have the stack they need; what they call may recurse, as deep as the
// stack or as often as a loop may turn.
static void boundStack(Rewriter &rewriter, Function &function) {
  Value *limit = rewriter.member(function, false, offsetof(Thread, stackLimit),
                                 rewriter.pointer);
  auto *load = cast<Instruction>(limit);
  uint32_t number = rewriter.addSite(*load);
  rewriter.site(number).instruction =
      function.getName().str() + ": start of the function";
  // Behind both values, so that what follows has them.
  auto *block = cast<Instruction>(rewriter.block(function));
  Instruction *last = load->comesBefore(block) ? block : load;
  IRBuilder<> builder(last->getParent(), std::next(last->getIterator()));
  Value *frame = builder.CreateIntrinsic(
      Intrinsic::frameaddress, {rewriter.pointer}, {builder.getInt32(0)});
  Value *low = builder.CreateICmpULT(frame, limit);
  Instruction *then = SplitBlockAndInsertIfThen(
      low, std::next(cast<Instruction>(low)->getIterator()),
      /*Unreachable=*/true);
  IRBuilder<>(then).CreateCall(
      rewriter.hook("overflow", rewriter.voidType,
                    {rewriter.pointer, rewriter.i32}),
      {rewriter.thread(function), builder.getInt32(number)});
  auto *deepEnough = cast<BranchInst>(cast<Instruction>(low)->getNextNode());
  takeOne(rewriter, deepEnough->getSuccessor(1)->front(), number);
}

void instrumentFlow(Rewriter &rewriter, Function &function,
                    const SmallPtrSetImpl<Value *> &divergent) {
  countFlops(rewriter, function);
  watchBranches(rewriter, function, divergent);
  watchUnreachable(rewriter, function);
  boundLoops(rewriter, function);
  if (function.getCallingConv() == CallingConv::C)
    boundStack(rewriter, function);
}

} // namespace labgen::emu
