// Locals.cpp - local variables that pointers may mean leave the host's stack
// for the thread's arena. Those that are only accessed by name, each access in
// bounds for sure or checked against its own variable, stay.
#include "lib/Emulator/Compile/Generic.h"
#include "lib/Emulator/Compile/Rewriter.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace labgen::emu {

// Between variables, so that what runs out of one meets no other.
static constexpr uint64_t gapBytes = 32;

static bool isAddressOf(const Use &use) {
  const User *user = use.getUser();
  if (isa<LoadInst, GetElementPtrInst, BitCastInst, AddrSpaceCastInst,
          ICmpInst>(user))
    return true;
  if (isa<StoreInst>(user))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<AtomicRMWInst>(user))
    return use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex();
  if (isa<AtomicCmpXchgInst>(user))
    return use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex();
  auto *hint = dyn_cast<IntrinsicInst>(user);
  return hint && genericIntrinsic(hint->getIntrinsicID()) == Generic::Drop;
}

bool isAddressTaken(const AllocaInst &variable) {
  SmallVector<const Value *> work{&variable};
  while (!work.empty()) {
    const Value *address = work.pop_back_val();
    for (const Use &use : address->uses()) {
      if (!isAddressOf(use))
        return true;
      if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(use.getUser()))
        work.push_back(use.getUser());
    }
  }
  return false;
}

FrameBuilder::FrameBuilder(Rewriter &rewriter)
    : rewriter(rewriter), number(unsigned(rewriter.info.frames.size())) {
  rewriter.info.frames.emplace_back();
}

uint64_t FrameBuilder::add(std::string name, uint64_t bytes, Align align) {
  LocalFrame &frame = rewriter.info.frames[number];
  align = std::max(align, Align(16));
  frame.alignment = std::max(frame.alignment, align.value());
  uint64_t offset = alignTo(frame.bytes + gapBytes, align);
  frame.variables.push_back({std::move(name), offset, bytes});
  frame.bytes = offset + bytes;
  return offset;
}

Value *FrameBuilder::enter(IRBuilder<> &builder, Value *thread, uint32_t site) {
  LocalFrame &frame = rewriter.info.frames[number];
  frame.bytes = alignTo(frame.bytes + gapBytes, Align(16));
  rewriter.info.localBytes += frame.bytes + frame.alignment;
  return builder.CreateCall(
      rewriter.hook("enter", rewriter.pointer,
                    {rewriter.pointer, rewriter.i32, rewriter.i32}),
      {thread, builder.getInt32(number), builder.getInt32(site)});
}

void FrameBuilder::leave(IRBuilder<> &builder, Value *thread) {
  builder.CreateCall(
      rewriter.hook("leave", rewriter.voidType, {rewriter.pointer}), {thread});
}

void moveVariables(Rewriter &rewriter, Function &function,
                   ArrayRef<AllocaInst *> variables) {
  if (variables.empty())
    return;
  Instruction *thread = cast<Instruction>(rewriter.thread(function));
  FrameBuilder frame(rewriter);
  SmallVector<uint64_t> offsets;
  for (AllocaInst *variable : variables)
    offsets.push_back(
        frame.add(variable->getName().str(),
                  variable->getAllocationSize(rewriter.module.getDataLayout())
                      ->getFixedValue(),
                  variable->getAlign()));
  IRBuilder<> builder(thread->getParent(), std::next(thread->getIterator()));
  Value *base =
      frame.enter(builder, thread, rewriter.addSite(*variables.front()));
  for (auto [variable, offset] : zip_equal(variables, offsets)) {
    Value *address = builder.CreateAddrSpaceCast(
        builder.CreatePtrAdd(base, builder.getInt64(offset)),
        variable->getType());
    variable->replaceAllUsesWith(address);
    variable->eraseFromParent();
  }
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<> atEnd(end);
      frame.leave(atEnd, thread);
    }
}

} // namespace labgen::emu
