// LowerCalls.cpp - device intrinsics by their rows of the table, and the rule
// that nothing without a model is passed over.
#include "lib/Emulator/Compile/Generic.h"
#include "lib/Emulator/Compile/Rewriter.h"
#include "lib/Emulator/Runtime/Intrinsic.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace labgen::emu {

namespace {
/// One call being lowered through memory slots.
class CallLowering {
public:
  CallLowering(Rewriter &rewriter, CallInst &call, const IntrinsicRow &row)
      : rewriter(rewriter), call(call), row(row), builder(&call),
        entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt()),
        thread(rewriter.thread(*call.getFunction())),
        number(rewriter.addSite(call)) {
    rewriter.site(number).intrinsic = &row;
  }

  void lowerField(bool ofBlock) {
    Value *value =
        rewriter.member(*call.getFunction(), ofBlock, row.offset, rewriter.i32);
    replace(builder.CreateZExtOrTrunc(value, call.getType()));
  }
  void lowerFunction() {
    emit("call", {thread, builder.getInt32(number), arguments(), result()});
  }
  void lowerCollective() {
    Value *mask = builder.getInt64(0);
    if (row.lanes == Lanes::Masked)
      mask = builder.CreateZExt(call.getArgOperand(row.maskArgument),
                                rewriter.i64);
    emit("collective",
         {thread, builder.getInt32(number), mask, arguments(), result()});
  }
  void lowerBarrier() {
    auto operand = [&](int index, Value *otherwise) {
      return index < 0 ? otherwise : call.getArgOperand(unsigned(index));
    };
    Value *zero = builder.getInt32(0);
    Value *predicate = operand(row.predicateArgument, builder.getFalse());
    emit("barrier",
         {thread, builder.getInt32(number), operand(row.idArgument, zero),
          operand(row.countArgument, zero),
          builder.CreateZExt(predicate, rewriter.i8), result()});
  }
  void lowerExit() { emit("exit", {thread}); }

private:
  /// Memory of `type`, and of the bytes that the row's function may touch,
  /// whatever type an overloaded intrinsic has been given. Calls follow one
  /// another, so those of a function share it: a kernel with a thousand
  /// shuffles would not fit its stack.
  Value *slot(Type *type) {
    const DataLayout &layout = rewriter.module.getDataLayout();
    Align align = layout.getPrefTypeAlign(type);
    if (layout.getTypeAllocSize(type) < row.operandBytes)
      type = ArrayType::get(rewriter.i64, row.operandBytes / 8);
    Value *&memory =
        rewriter.callSlots[{call.getFunction(), type, slotsTaken++}];
    if (!memory)
      memory = entry.CreateAlloca(type);
    auto *variable = cast<AllocaInst>(memory);
    variable->setAlignment(std::max(variable->getAlign(), align));
    return memory;
  }

  // An array of pointers to copies of the arguments.
  Value *arguments() {
    unsigned count = call.arg_size();
    Value *array = slot(ArrayType::get(rewriter.pointer, std::max(1u, count)));
    Site &site = rewriter.site(number);
    for (unsigned i = 0; i < count; ++i) {
      Value *value = call.getArgOperand(i);
      if (value->getType()->isMetadataTy())
        continue;
      if (value->getType()->isPointerTy())
        value = rewriter.flat(builder, value);
      Value *copy = slot(value->getType());
      // One byte a truth value, whatever its register held.
      if (value->getType()->isIntegerTy(1))
        value = builder.CreateZExt(value, rewriter.i8);
      builder.CreateStore(value, copy);
      builder.CreateStore(
          copy, builder.CreateConstGEP1_32(rewriter.pointer, array, i));
      site.argumentBytes.resize(count);
      site.argumentBytes[i] = uint32_t(
          rewriter.module.getDataLayout().getTypeStoreSize(value->getType()));
    }
    return array;
  }
  Value *result() {
    if (call.getType()->isVoidTy())
      return ConstantPointerNull::get(rewriter.pointer);
    rewriter.site(number).resultBytes = uint32_t(
        rewriter.module.getDataLayout().getTypeStoreSize(call.getType()));
    resultSlot = slot(call.getType());
    return resultSlot;
  }
  void emit(StringRef name, ArrayRef<Value *> operands) {
    SmallVector<Type *> types;
    for (Value *operand : operands)
      types.push_back(operand->getType());
    builder.CreateCall(rewriter.hook(name, rewriter.voidType, types), operands);
    if (!resultSlot) {
      call.eraseFromParent();
      return;
    }
    if (call.getType()->isIntegerTy(1))
      return replace(builder.CreateTrunc(
          builder.CreateLoad(rewriter.i8, resultSlot), rewriter.i1));
    replace(builder.CreateLoad(call.getType(), resultSlot));
  }
  void replace(Value *value) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  Rewriter &rewriter;
  CallInst &call;
  const IntrinsicRow &row;
  IRBuilder<> builder, entry;
  Value *thread;
  uint32_t number;
  Value *resultSlot = nullptr;
  unsigned slotsTaken = 0;
};
} // namespace

static Status lowerDeviceIntrinsic(Rewriter &rewriter, CallInst &call,
                                   StringRef name, bool &fibers) {
  const IntrinsicRow *row = findIntrinsic(name);
  if (!row)
    return Status::badInput("the emulated device has no model of intrinsic '" +
                            name.str() + "' (in " +
                            call.getFunction()->getName().str() +
                            "); use another form or run on a GPU");
  if (row->zerosFrom >= 0)
    for (unsigned i = unsigned(row->zerosFrom); i < call.arg_size(); ++i)
      if (auto *constant = dyn_cast<Constant>(call.getArgOperand(i));
          !constant || !constant->isNullValue())
        return Status::badInput("the emulated device models '" + name.str() +
                                "' only with zero from argument " +
                                std::to_string(row->zerosFrom) +
                                " on; leave its modifiers out");
  if (row->warpSize && row->warpSize != rewriter.info.warpSize)
    return Status::badInput("the emulated device models '" + name.str() +
                            "' only in warps of " +
                            std::to_string(row->warpSize) + " lanes (in " +
                            call.getFunction()->getName().str() +
                            "); choose such in the target's features");
  if (row->sizes && !call.getType()->isVoidTy()) {
    uint64_t bytes =
        rewriter.module.getDataLayout().getTypeStoreSize(call.getType());
    if (bytes > 8 || !(row->sizes & bytes))
      return Status::badInput(
          "the emulated device has no model of '" + name.str() + "' of " +
          std::to_string(bytes) + " bytes (in " +
          call.getFunction()->getName().str() + "); use 32 or 64 bits");
  }
  fibers |= row->needsFibers();
  switch (row->kind) {
  case IntrinsicRow::Kind::Nothing:
    call.eraseFromParent();
    return {};
  case IntrinsicRow::Kind::Rewrite: {
    IRBuilder<> builder(&call);
    Value *value = row->rewrite(builder, call, row->code);
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return {};
  }
  case IntrinsicRow::Kind::ThreadField:
    CallLowering(rewriter, call, *row).lowerField(/*ofBlock=*/false);
    return {};
  case IntrinsicRow::Kind::BlockField:
    CallLowering(rewriter, call, *row).lowerField(/*ofBlock=*/true);
    return {};
  case IntrinsicRow::Kind::Local:
    CallLowering(rewriter, call, *row).lowerFunction();
    return {};
  case IntrinsicRow::Kind::Warp:
    CallLowering(rewriter, call, *row).lowerCollective();
    return {};
  case IntrinsicRow::Kind::Barrier:
    CallLowering(rewriter, call, *row).lowerBarrier();
    return {};
  case IntrinsicRow::Kind::Exit:
    CallLowering(rewriter, call, *row).lowerExit();
    return {};
  }
  return {};
}

// What canonicalize does where nothing is flushed: quiet NaNs. Not every host's
// code generator has it for vectors of f16 and bf16.
static Value *quieten(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  unsigned mantissa = unsigned(type->getScalarType()->getFPMantissaWidth()) - 1;
  Type *bits =
      type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  Value *quiet =
      builder.CreateOr(builder.CreateBitCast(value, bits),
                       ConstantInt::get(bits, uint64_t(1) << (mantissa - 1)));
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                              builder.CreateBitCast(quiet, type), value);
}

static Status lowerGenericIntrinsic(Rewriter &rewriter, CallInst &call,
                                    Intrinsic::ID id) {
  IRBuilder<> builder(&call);
  switch (genericIntrinsic(id)) {
  case Generic::Host:
    if (id != Intrinsic::canonicalize)
      return {};
    call.replaceAllUsesWith(quieten(builder, call.getArgOperand(0)));
    break;
  case Generic::Trap:
    builder.CreateCall(rewriter.hook("trap", rewriter.voidType,
                                     {rewriter.pointer, rewriter.i32}),
                       {rewriter.thread(*call.getFunction()),
                        builder.getInt32(rewriter.addSite(call))});
    break;
  case Generic::Forward:
    call.replaceAllUsesWith(call.getArgOperand(0));
    break;
  case Generic::Drop:
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(Constant::getNullValue(call.getType()));
    break;
  case Generic::Memory: // instrumented as an access
  case Generic::None:
    return Status::badInput("the emulated device has no model of intrinsic '" +
                            call.getCalledFunction()->getName().str() +
                            "' (in " + call.getFunction()->getName().str() +
                            "); use another form");
  }
  call.eraseFromParent();
  return {};
}

Status lowerCall(Rewriter &rewriter, CallInst &call, bool &fibers) {
  if (call.isInlineAsm()) { // empty, or it would not be admitted
    call.eraseFromParent();
    return {};
  }
  Function *callee = call.getCalledFunction();
  StringRef name = callee->getName();
  if (name.starts_with("llvm.nvvm.") || name.starts_with("llvm.amdgcn.")) {
    Intrinsic::ID id = callee->getIntrinsicID();
    return lowerDeviceIntrinsic(
        rewriter, call,
        id == Intrinsic::not_intrinsic ? name : Intrinsic::getBaseName(id),
        fibers);
  }
  if (callee->isIntrinsic()) {
    Intrinsic::ID id = callee->getIntrinsicID();
    // The host would round twice.
    const Type *element = call.getType()->getScalarType();
    if (id == Intrinsic::fma || id == Intrinsic::fmuladd) {
      if (element->isHalfTy())
        return lowerDeviceIntrinsic(rewriter, call, "llvm.fma.f16", fibers);
      if (element->isBFloatTy())
        return lowerDeviceIntrinsic(rewriter, call, "llvm.fma.bf16", fibers);
    }
    return lowerGenericIntrinsic(rewriter, call, id);
  }
  return {};
}

} // namespace labgen::emu
