// Inserter.cpp - new instructions, variables and functions.
#include "test/Fuzz/Emulator/Mutator.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace labgen::fuzz {

bool Mutator::insertAccess() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  Value *pointer = anyPointer(*place);
  Type *type = anyType();
  bool isVolatile = chance(20);
  if (chance(50)) {
    LoadInst *load =
        builder.CreateAlignedLoad(type, pointer, anyAlign(), isVolatile);
    if (chance(50))
      builder.CreateAlignedStore(load, anyPointer(*place), Align(1));
  } else {
    builder.CreateAlignedStore(anyValue(*place, type), pointer, anyAlign(),
                               isVolatile);
  }
  return true;
}

bool Mutator::insertAtomic() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  Value *pointer = anyPointer(*place);
  Type *type = anyType();
  AtomicOrdering order = AtomicOrdering(2 + below(6));
  switch (below(4)) {
  case 0: {
    LoadInst *load = builder.CreateAlignedLoad(type, pointer, anyAlign());
    load->setAtomic(AtomicOrdering::Monotonic);
    break;
  }
  case 1:
    builder.CreateAlignedStore(anyValue(*place, type), pointer, anyAlign())
        ->setAtomic(AtomicOrdering::Release);
    break;
  case 2:
    builder.CreateAtomicCmpXchg(
        pointer, anyValue(*place, type), anyValue(*place, type), anyAlign(),
        AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
    break;
  default:
    builder.CreateAtomicRMW(
        AtomicRMWInst::BinOp(below(AtomicRMWInst::LAST_BINOP + 1)), pointer,
        anyValue(*place, type), anyAlign(), order);
  }
  return true;
}

// Addresses by way of integers, from a variable, a buffer or nowhere.
bool Mutator::insertAddressArithmetic() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  Value *start = anyPointer(*place);
  Value *address = builder.CreatePtrToInt(start, builder.getInt64Ty());
  Value *offset = chance(30) ? anyValue(*place, builder.getInt64Ty())
                             : builder.getInt64(anyNumber());
  switch (below(3)) {
  case 0:
    address = builder.CreateAdd(address, offset);
    break;
  case 1:
    address = builder.CreateXor(address, offset);
    break;
  default:
    address = offset;
  }
  Value *pointer = builder.CreateIntToPtr(
      address, PointerType::get(context, unsigned(below(6))));
  Type *type = anyType();
  if (chance(50))
    builder.CreateAlignedStore(anyValue(*place, type), pointer, Align(1));
  else
    builder.CreateAlignedStore(
        builder.CreateAlignedLoad(type, pointer, Align(1)), start, Align(1));
  return true;
}

bool Mutator::insertVariable() {
  Function *function = anyFunction();
  if (!function)
    return false;
  IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
  Value *count = chance(70) ? nullptr : builder.getInt32(uint32_t(anyNumber()));
  AllocaInst *variable = builder.CreateAlloca(
      anyType(), chance(80) ? module.getDataLayout().getAllocaAddrSpace() : 0,
      count);
  if (chance(20))
    variable->setAlignment(anyAlign());
  // Out of it, upwards and downwards.
  Value *pointer = builder.CreatePtrAdd(
      variable, chance(50) ? builder.getInt64(anyNumber())
                           : anyValue(*variable, builder.getInt64Ty()));
  Type *type = anyType();
  builder.CreateAlignedStore(anyConstant(type), pointer,
                             chance(50) ? Align(1) : anyAlign());
  if (chance(50)) { // the address escapes
    Instruction *place = function->getEntryBlock().getTerminator();
    builder.SetInsertPoint(place);
    builder.CreateStore(variable, anyPointer(*place));
  }
  return true;
}

// The types an overloaded intrinsic wants, of the kinds it takes.
static unsigned overloads(Intrinsic::ID id) {
  SmallVector<Intrinsic::IITDescriptor> table;
  Intrinsic::getIntrinsicInfoTableEntries(id, table);
  unsigned count = 0;
  for (const Intrinsic::IITDescriptor &entry : table)
    if (entry.Kind == Intrinsic::IITDescriptor::Argument)
      count = std::max(count, entry.getArgumentNumber() + 1);
  return count;
}

bool Mutator::insertIntrinsic() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  Intrinsic::ID id = Intrinsic::ID(1 + below(Intrinsic::num_intrinsics - 1));
  // Of those that matter here, more than of the rest of the world's.
  for (int i = 0; i < 40; ++i) {
    StringRef name = Intrinsic::getBaseName(id);
    if (name.starts_with("llvm.nvvm.") || name.starts_with("llvm.amdgcn.") ||
        name.count('.') == 1)
      break;
    id = Intrinsic::ID(1 + below(Intrinsic::num_intrinsics - 1));
  }
  std::vector<Type *> types;
  for (unsigned i = overloads(id); i > 0; --i)
    types.push_back(anyType());
  Function *callee = Intrinsic::getOrInsertDeclaration(&module, id, types);
  std::vector<Value *> arguments;
  for (Type *type : callee->getFunctionType()->params()) {
    if (type->isMetadataTy() || type->isTokenTy())
      return false;
    arguments.push_back(chance(50) ? anyConstant(type)
                                   : anyValue(*place, type));
  }
  CallInst *call = IRBuilder<>(place).CreateCall(callee, arguments);
  if (!call->getType()->isVoidTy() && call->getType()->isSized() && chance(70))
    IRBuilder<>(place).CreateAlignedStore(call, anyPointer(*place), Align(1));
  return true;
}

// Host code by name, or by address.
bool Mutator::insertCall() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  FunctionType *type =
      FunctionType::get(chance(50) ? builder.getVoidTy() : builder.getInt64Ty(),
                        {builder.getPtrTy(), builder.getInt64Ty()}, false);
  Value *values[] = {anyValue(*place, builder.getPtrTy()),
                     anyValue(*place, builder.getInt64Ty())};
  FunctionCallee callee = hostFunction(type);
  switch (below(4)) {
  case 0:
    builder.CreateCall(type, callee.getCallee(), values);
    break;
  case 1: // a pointer that memory holds
    builder.CreateCall(
        type, builder.CreateLoad(builder.getPtrTy(), anyPointer(*place)),
        values);
    break;
  case 2:
    builder.CreateCall(
        type,
        builder.CreateIntToPtr(builder.getInt64(oneOf(canaries.addresses)),
                               builder.getPtrTy()),
        values);
    break;
  default: // its address only
    builder.CreateStore(callee.getCallee(), anyPointer(*place));
  }
  return true;
}

bool Mutator::insertAssembly() {
  Instruction *place = anyPlace();
  std::string call = std::string("call ") + canaries.function;
  if (!place || chance(40)) {
    module.appendModuleInlineAsm(chance(50) ? ".section .init_array\n" + call
                                            : ".text");
    return true;
  }
  IRBuilder<> builder(place);
  FunctionType *type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(
      type, InlineAsm::get(type, chance(70) ? call : "", "~{memory}", true));
  return true;
}

bool Mutator::insertDivision() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  Type *type = chance(60) ? Type::getInt32Ty(context) : anyType();
  if (!type->isIntOrIntVectorTy())
    return false;
  IRBuilder<> builder(place);
  const Instruction::BinaryOps operations[] = {
      Instruction::UDiv, Instruction::SDiv, Instruction::URem,
      Instruction::SRem, Instruction::Shl};
  Value *quotient = builder.CreateBinOp(
      oneOf(operations), anyValue(*place, type), anyValue(*place, type));
  builder.CreateAlignedStore(quotient, anyPointer(*place), Align(1));
  return true;
}

bool Mutator::insertCopy() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  Value *length = chance(30) ? anyValue(*place, builder.getInt64Ty())
                             : builder.getInt64(anyNumber());
  if (chance(50))
    builder.CreateMemSet(anyPointer(*place), builder.getInt8(7), length,
                         anyAlign(), chance(20));
  else
    builder.CreateMemMove(anyPointer(*place), anyAlign(), anyPointer(*place),
                          anyAlign(), length);
  return true;
}

bool Mutator::insertSwitch() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  const unsigned widths[] = {1, 2, 3, 8, 32, 64};
  Type *type = Type::getIntNTy(context, oneOf(widths));
  Value *condition = anyValue(*place, type);
  BasicBlock *head = place->getParent();
  BasicBlock *tail = SplitBlock(head, place);
  Function *function = head->getParent();
  BasicBlock *nowhere = BasicBlock::Create(context, "nowhere", function);
  IRBuilder<>(nowhere).CreateUnreachable();
  head->getTerminator()->eraseFromParent();
  SwitchInst *choice =
      IRBuilder<>(head).CreateSwitch(condition, chance(60) ? nowhere : tail, 8);
  for (uint64_t i = 0; i < 8; ++i) {
    ConstantInt *value = ConstantInt::get(
        context, APInt(64, i).trunc(type->getIntegerBitWidth()));
    if (choice->findCaseValue(value) == choice->case_default()) {
      BasicBlock *way = BasicBlock::Create(context, "way", function);
      IRBuilder<> builder(way);
      if (chance(40))
        builder.CreateAlignedStore(anyConstant(builder.getInt32Ty()),
                                   anyConstant(builder.getPtrTy()), Align(1));
      builder.CreateBr(tail);
      choice->addCase(value, way);
    }
  }
  return true;
}

bool Mutator::insertGlobal() {
  Type *type = anyType();
  Constant *start = anyConstant(type);
  unsigned space = chance(80) ? unsigned(below(5)) : unsigned(below(300));
  FunctionType *plain = FunctionType::get(Type::getVoidTy(context), false);
  switch (below(6)) {
  case 0: { // the host's addresses in data
    auto *address = cast<Constant>(hostFunction(plain).getCallee());
    start =
        chance(50)
            ? address
            : ConstantExpr::getPtrToInt(address, Type::getIntNTy(context, 64));
    type = start->getType();
    break;
  }
  case 1: // a variable of the host
    start = nullptr;
    break;
  default:
    break;
  }
  auto *variable = new GlobalVariable(
      module, type, chance(30), GlobalValue::LinkageTypes(below(11)), start,
      chance(20) ? "environ" : "fuzz", nullptr,
      chance(5) ? GlobalValue::GeneralDynamicTLSModel
                : GlobalValue::NotThreadLocal,
      space);
  if (chance(10))
    variable->setAlignment(anyAlign());
  if (chance(5))
    variable->setSection(".init_array");
  if (chance(5))
    GlobalAlias::create("fuzz.alias", variable);
  if (chance(60))
    if (Instruction *place = anyPlace()) {
      IRBuilder<> builder(place);
      builder.CreateAlignedStore(
          builder.CreateAlignedLoad(builder.getInt32Ty(), variable, anyAlign()),
          variable, Align(1));
    }
  return true;
}

bool Mutator::insertRecursion() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  FunctionType *type = FunctionType::get(
      builder.getInt64Ty(), {builder.getPtrTy(), builder.getInt64Ty()}, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage,
                                        "fuzz.recursion", module);
  IRBuilder<> body(BasicBlock::Create(context, "", function));
  AllocaInst *variable = body.CreateAlloca(anyType());
  body.CreateAlignedStore(anyConstant(body.getInt64Ty()),
                          chance(50) ? static_cast<Value *>(variable)
                                     : function->getArg(0),
                          Align(1));
  Value *next = body.CreateSub(function->getArg(1), body.getInt64(1));
  BasicBlock *again = BasicBlock::Create(context, "", function),
             *end = BasicBlock::Create(context, "", function);
  body.CreateCondBr(body.CreateICmpSGT(next, body.getInt64(0)), again, end);
  body.SetInsertPoint(again);
  Value *result = body.CreateCall(type, function, {variable, next});
  if (chance(40))
    result = body.CreateCall(type, function, {variable, next});
  body.CreateRet(chance(50) ? body.CreateMul(result, next) : result);
  body.SetInsertPoint(end);
  body.CreateRet(body.CreatePtrToInt(variable, body.getInt64Ty()));
  CallInst *call = builder.CreateCall(
      type, function,
      {anyConstant(builder.getPtrTy()),
       builder.getInt64(chance(50) ? below(40) : anyNumber())});
  call->setTailCallKind(CallInst::TailCallKind(below(2)));
  return true;
}

bool Mutator::insertLoop() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  Value *condition = anyValue(*place, Type::getInt1Ty(context));
  BasicBlock *head = place->getParent();
  BasicBlock *tail = SplitBlock(head, place);
  BasicBlock *loop = BasicBlock::Create(context, "", head->getParent());
  head->getTerminator()->setSuccessor(0, loop);
  IRBuilder<> builder(loop);
  if (chance(40))
    builder.CreateLoad(builder.getInt32Ty(), anyConstant(builder.getPtrTy()));
  chance(70) ? builder.CreateCondBr(condition, loop, tail)
             : builder.CreateBr(loop);
  if (pred_empty(tail))
    for (PHINode &phi : make_early_inc_range(tail->phis()))
      phi.eraseFromParent();
  return true;
}

} // namespace labgen::fuzz
