// InstrumentMemory.cpp - a hook before every load, store, atomic, copy and
// fill; the access then uses the address the hook returns.
#include "lib/Emulator/Compile/Rewriter.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace labgen::emu {

enum AddressSpace {
  Generic = 0,
  Global = 1,
  Shared = 3,
  Constant = 4,
  Private = 5,
  FatPointer = 7,
  Resource = 8
};

static Status unsupported(Rewriter &rewriter, const Instruction &instruction,
                          const char *what) {
  return Status::badInput(std::string("the emulated device has no ") + what +
                          ": " + rewriter.text(instruction) +
                          "; use another form");
}

// The variable of the thread an access certainly means, and its size.
static AllocaInst *localVariable(Value *pointer, uint64_t &bytes,
                                 const DataLayout &layout) {
  auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, 0));
  if (!variable)
    return nullptr;
  std::optional<TypeSize> size = variable->getAllocationSize(layout);
  bytes = size ? size->getFixedValue() : 0;
  return variable;
}

// In bounds, and as well aligned as the access says.
static bool certainlyInside(Value *pointer, AllocaInst *variable,
                            uint64_t bytes, uint64_t size, Align align,
                            const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  return base == variable && offset.isNonNegative() &&
         offset.getZExtValue() <= bytes &&
         size <= bytes - offset.getZExtValue() &&
         align <= commonAlignment(variable->getAlign(), offset.getZExtValue());
}

namespace {
/// One access: what is accessed and how.
struct Operand {
  Use *pointer;
  Type *type;
  Align align;
  Effects effects;
};
} // namespace

// A volatile access is a plain one to the checks: it orders nothing.
static std::optional<Operand> operandOf(const Rewriter &rewriter,
                                        Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return Operand{
        &load->getOperandUse(0),
        load->getType(),
        load->getAlign(),
        {true, false, load->isAtomic(), rewriter.polls.contains(load)}};
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return Operand{&store->getOperandUse(1),
                   store->getValueOperand()->getType(),
                   store->getAlign(),
                   {false, true, store->isAtomic()}};
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction))
    return Operand{&rmw->getOperandUse(0),
                   rmw->getType(),
                   rmw->getAlign(),
                   {rmw->getOperation() != AtomicRMWInst::Xchg, true, true}};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return Operand{&exchange->getOperandUse(0),
                   exchange->getNewValOperand()->getType(),
                   exchange->getAlign(),
                   {true, true, true}};
  return std::nullopt;
}

// What the host must not take over: scopes it doesn't know, alignments that the
// hook checks (a misaligned access has gone to the sink by then), constancy.
static void relax(Instruction &instruction) {
  instruction.setMetadata(LLVMContext::MD_invariant_load, nullptr);
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (load->isAtomic())
      load->setSyncScopeID(SyncScope::System);
    load->setVolatile(false);
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    if (store->isAtomic())
      store->setSyncScopeID(SyncScope::System);
    store->setVolatile(false);
  } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction)) {
    rmw->setSyncScopeID(SyncScope::System);
    rmw->setVolatile(false);
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    exchange->setSyncScopeID(SyncScope::System);
    exchange->setVolatile(false);
  }
}

static Status instrument(Rewriter &rewriter, Instruction &instruction,
                         const Operand &operand) {
  const DataLayout &layout = rewriter.module.getDataLayout();
  Value *address = operand.pointer->get();
  unsigned space = address->getType()->getPointerAddressSpace();
  uint64_t bytes = layout.getTypeStoreSize(operand.type).getFixedValue();
  if (space == FatPointer || space == Resource)
    return unsupported(rewriter, instruction, "access through buffer pointers");
  if (bytes == 0)
    return {}; // touches nothing
  if (bytes > 4096)
    return unsupported(rewriter, instruction, "access this wide");

  uint64_t variableBytes = 0;
  AllocaInst *variable = localVariable(address, variableBytes, layout);
  if (variable && certainlyInside(address, variable, variableBytes, bytes,
                                  operand.align, layout)) {
    relax(instruction);
    return {};
  }
  uint32_t number = rewriter.addSite(instruction);
  Site &site = rewriter.site(number);
  site.sharedArray = sharedArrayOf(rewriter, address);
  site.effects = operand.effects;
  if (space == Shared || space == Generic)
    rewriter.info.logSharedCell =
        std::min({rewriter.info.logSharedCell, Log2(operand.align),
                  unsigned(countr_zero(bytes))});

  IRBuilder<> builder(&instruction);
  Value *thread = rewriter.thread(*instruction.getFunction());
  Value *access = builder.getInt64(
      Access::pack(number, uint32_t(bytes), Log2(operand.align)));
  Value *flat = rewriter.flat(builder, address);
  Type *pointer = rewriter.pointer, *i64 = rewriter.i64;
  Value *checked;
  if (variable) {
    checked = builder.CreateCall(
        rewriter.hook("local", pointer, {pointer, pointer, pointer, i64, i64}),
        {thread, flat, rewriter.flat(builder, variable),
         builder.getInt64(variableBytes), access});
  } else {
    bool inSite = operand.effects.atomic || operand.effects.poll;
    std::string name = inSite                  ? "access"
                       : operand.effects.write ? "store"
                                               : "load";
    if (!inSite)
      name += space == Global || space == Constant ? "_global"
              : space == Shared                    ? "_shared"
                                                   : "";
    checked = builder.CreateCall(
        rewriter.hook(name, pointer, {pointer, pointer, i64}),
        {thread, flat, access});
  }
  operand.pointer->set(checked);
  relax(instruction);
  return {};
}

// Copies and fills become hooks as a whole.
static Status instrumentRange(Rewriter &rewriter, MemIntrinsic &range) {
  IRBuilder<> builder(&range);
  Value *thread = rewriter.thread(*range.getFunction());
  uint32_t number = rewriter.addSite(range);
  rewriter.info.logSharedCell = 0;
  Value *length = builder.CreateZExtOrTrunc(range.getLength(), rewriter.i64);
  Value *to = rewriter.flat(builder, range.getRawDest());
  Type *pointer = rewriter.pointer, *i64 = rewriter.i64, *i32 = rewriter.i32;
  if (auto *copy = dyn_cast<MemTransferInst>(&range)) {
    rewriter.addSite(range); // the write's, the next one
    builder.CreateCall(rewriter.hook("copy", rewriter.voidType,
                                     {pointer, pointer, pointer, i64, i32}),
                       {thread, to,
                        rewriter.flat(builder, copy->getRawSource()), length,
                        builder.getInt32(number)});
  } else {
    builder.CreateCall(rewriter.hook("fill", rewriter.voidType,
                                     {pointer, pointer, rewriter.i8, i64, i32}),
                       {thread, to, cast<MemSetInst>(range).getValue(), length,
                        builder.getInt32(number)});
  }
  range.eraseFromParent();
  return {};
}

Status instrumentMemory(Rewriter &rewriter, Instruction &instruction) {
  if (auto *range = dyn_cast<MemIntrinsic>(&instruction))
    return instrumentRange(rewriter, *range);
  if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
    fence->setSyncScopeID(SyncScope::SingleThread);
    return {};
  }
  if (std::optional<Operand> operand = operandOf(rewriter, instruction))
    return instrument(rewriter, instruction, *operand);
  return {};
}

} // namespace labgen::emu
