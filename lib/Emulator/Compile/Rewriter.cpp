// Rewriter.cpp - hooks, sites and the values every function starts with.
#include "lib/Emulator/Compile/Rewriter.h"

#include "lib/Emulator/Runtime/State.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>

using namespace llvm;

namespace labgen::emu {

Rewriter::Rewriter(Module &module, ModuleInfo &info)
    : module(module), info(info), slots(&module) {
  LLVMContext &context = module.getContext();
  voidType = Type::getVoidTy(context);
  i1 = Type::getInt1Ty(context);
  i8 = Type::getInt8Ty(context);
  i32 = Type::getInt32Ty(context);
  i64 = Type::getInt64Ty(context);
  pointer = PointerType::get(context, 0);
  info.sites.resize(1); // 0 is none
}

std::string Rewriter::text(const Instruction &instruction) {
  if (auto it = remembered.find(&instruction); it != remembered.end())
    return it->second;
  const Function *function = instruction.getFunction();
  if (slotsOf != function) {
    slots.incorporateFunction(*function);
    slotsOf = function;
  }
  std::string text;
  raw_string_ostream stream(text);
  instruction.print(stream, slots);
  StringRef shown = StringRef(text).ltrim();
  return (function->getName() + ": " +
          shown.take_until([](char c) { return c == '\n'; }).split(", !").first)
      .str();
}

void Rewriter::remember(const Instruction &instruction) {
  remembered[&instruction] = text(instruction);
}

uint32_t Rewriter::addSite(const Instruction &instruction) {
  Site site;
  site.instruction = text(instruction);
  if (const DILocation *where = instruction.getDebugLoc().get())
    site.source = (where->getFilename() + ":" + Twine(where->getLine()) + ":" +
                   Twine(where->getColumn()))
                      .str();
  info.sites.push_back(std::move(site));
  return uint32_t(info.sites.size() - 1);
}

FunctionCallee Rewriter::hook(StringRef name, Type *result,
                              ArrayRef<Type *> parameters) {
  FunctionCallee callee =
      module.getOrInsertFunction(("labgen_emu_" + name).str(),
                                 FunctionType::get(result, parameters, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setConvergent();
  return callee;
}

Value *Rewriter::thread(Function &function) {
  Value *&value = threads[&function];
  if (!value) {
    IRBuilder<> builder(
        &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    FunctionCallee callee = hook("thread", pointer, {});
    cast<Function>(callee.getCallee())->setDoesNotAccessMemory();
    value = builder.CreateCall(callee);
    value->setName("emu.thread");
  }
  return value;
}

static Value *loadInvariant(IRBuilder<> &builder, Type *type, Value *base,
                            uint32_t offset) {
  LoadInst *load = builder.CreateLoad(
      type, builder.CreatePtrAdd(base, builder.getInt32(offset)));
  load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(builder.getContext(), {}));
  return load;
}

// Behind the definition of the thread, so that it dominates all uses.
static IRBuilder<> afterDefinition(Value *value) {
  auto *instruction = cast<Instruction>(value);
  return IRBuilder<>(instruction->getParent(),
                     std::next(instruction->getIterator()));
}

Value *Rewriter::block(Function &function) {
  Value *current = thread(function);
  Value *&value = blocks[&function];
  if (!value) {
    IRBuilder<> builder = afterDefinition(current);
    value = loadInvariant(builder, pointer, current, offsetof(Thread, block));
    value->setName("emu.block");
  }
  return value;
}

Value *Rewriter::member(Function &function, bool ofBlock, uint32_t offset,
                        Type *type) {
  Value *base = ofBlock ? block(function) : thread(function);
  IRBuilder<> builder = afterDefinition(base);
  return loadInvariant(builder, type, base, offset);
}

Value *Rewriter::flat(IRBuilder<> &builder, Value *value) {
  return value->getType() == pointer
             ? value
             : builder.CreateAddrSpaceCast(value, pointer);
}

} // namespace labgen::emu
