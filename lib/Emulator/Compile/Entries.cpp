// Entries.cpp - what the launcher calls: void labgen_emu_entry.N(Thread *, void
// **parameters) loads what kernel N takes, as the drivers' launch calls pass
// it.
#include "lib/Emulator/Compile/Promises.h"
#include "lib/Emulator/Compile/Rewriter.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace labgen::emu {

namespace {
/// The arguments of one kernel.
class EntryBuilder {
public:
  EntryBuilder(Rewriter &rewriter, Function &kernel, Function &entry)
      : rewriter(rewriter), layout(rewriter.module.getDataLayout()),
        kernel(kernel), entry(entry),
        builder(BasicBlock::Create(entry.getContext(), "entry", &entry)) {}

  std::vector<Parameter> build() {
    std::vector<Parameter> parameters;
    for (Argument &argument : kernel.args())
      parameters.push_back(load(argument));
    copyMemory();
    builder.CreateCall(&kernel, values);
    if (frame)
      frame->leave(builder, entry.getArg(0));
    builder.CreateRetVoid();
    return parameters;
  }

private:
  struct Copy {
    Argument *argument;
    Value *from;
    uint64_t offset, bytes;
  };

  Parameter load(Argument &argument) {
    Value *from = builder.CreateLoad(
        rewriter.pointer,
        builder.CreateConstGEP1_32(rewriter.pointer, entry.getArg(1),
                                   argument.getArgNo()));
    Type *inMemory = argument.hasByValAttr() ? argument.getParamByValType()
                                             : argument.getParamByRefType();
    if (inMemory) {
      uint64_t bytes = layout.getTypeAllocSize(inMemory);
      if (!frame)
        frame.emplace(rewriter);
      copies.push_back({&argument, from,
                        frame->add(argument.getName().str(), bytes, Align(64)),
                        bytes});
      values.push_back(nullptr);
      argument.removeAttr(Attribute::ByVal);
      argument.removeAttr(Attribute::ByRef);
      return {false, bytes};
    }
    values.push_back(
        builder.CreateAlignedLoad(argument.getType(), from, Align(1)));
    return {argument.getType()->isPointerTy(),
            layout.getTypeStoreSize(argument.getType())};
  }

  // Parameters in memory are the thread's own copies.
  void copyMemory() {
    if (!frame)
      return;
    Value *base = frame->enter(builder, entry.getArg(0), /*site=*/0);
    for (const Copy &copy : copies) {
      Value *to = builder.CreatePtrAdd(base, builder.getInt64(copy.offset));
      builder.CreateMemCpy(to, Align(1), copy.from, Align(1), copy.bytes);
      values[copy.argument->getArgNo()] =
          builder.CreateAddrSpaceCast(to, copy.argument->getType());
    }
  }

  Rewriter &rewriter;
  const DataLayout &layout;
  Function &kernel, &entry;
  IRBuilder<> builder;
  std::optional<FrameBuilder> frame;
  SmallVector<Copy> copies;
  SmallVector<Value *> values;
};
} // namespace

Kernel makeEntry(Rewriter &rewriter, Function &function, size_t number) {
  Kernel kernel;
  kernel.name = function.getName().str();
  kernel.symbol = "labgen_emu_entry." + std::to_string(number);
  Function *entry = Function::Create(
      FunctionType::get(rewriter.voidType, {rewriter.pointer, rewriter.pointer},
                        false),
      GlobalValue::ExternalLinkage, kernel.symbol, rewriter.module);
  kernel.parameters = EntryBuilder(rewriter, function, *entry).build();
  defineBehaviour(rewriter, *entry);
  function.setCallingConv(CallingConv::C);
  function.addFnAttr(Attribute::AlwaysInline);
  return kernel;
}

} // namespace labgen::emu
