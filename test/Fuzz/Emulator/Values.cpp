// Values.cpp - types, constants, addresses and values, with a taste for the
// ends of ranges.
#include "test/Fuzz/Emulator/Mutator.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace labgen::fuzz {

Function *Mutator::anyFunction() {
  std::vector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  return functions.empty() ? nullptr : oneOf(functions);
}

Instruction *Mutator::anyInstruction() {
  Function *function = anyFunction();
  if (!function)
    return nullptr;
  std::vector<Instruction *> all;
  for (Instruction &instruction : instructions(*function))
    all.push_back(&instruction);
  return oneOf(all);
}

Instruction *Mutator::anyPlace() {
  Instruction *place = anyInstruction();
  return place && isa<PHINode>(place) ? place->getParent()->getTerminator()
                                      : place;
}

Type *Mutator::anyType(unsigned depth) {
  auto number = [&](unsigned bits) -> Type * {
    return Type::getIntNTy(context, bits);
  };
  switch (below(depth > 1 ? 12 : 16)) {
  case 0:
    return number(1);
  case 1:
    return number(8);
  case 2:
    return number(16);
  case 3:
  case 4:
    return number(32);
  case 5:
    return number(64);
  case 6:
    return number(128);
  case 7:
    return number(1 + unsigned(below(chance(10) ? 2000 : 70)));
  case 8:
    return Type::getFloatTy(context);
  case 9:
    return chance(50) ? Type::getHalfTy(context) : Type::getBFloatTy(context);
  case 10:
    return chance(90) ? Type::getDoubleTy(context)
                      : Type::getX86_FP80Ty(context);
  case 11:
    return PointerType::get(context, chance(90) ? unsigned(below(6))
                                                : unsigned(below(300)));
  case 12:
  case 13: {
    Type *element = anyType(2);
    return VectorType::get(element, unsigned(1 + below(chance(5) ? 600 : 9)),
                           chance(3));
  }
  case 14:
    return ArrayType::get(anyType(depth + 1),
                          chance(5) ? anyNumber() : below(70));
  default:
    return StructType::get(context, {anyType(depth + 1), anyType(depth + 1)},
                           chance(20));
  }
}

uint64_t Mutator::anyNumber() {
  switch (below(6)) {
  case 0:
    return below(5);
  case 1:
    return uint64_t(0) - below(5);
  case 2:
    return uint64_t(1) << below(64);
  case 3:
    return (uint64_t(1) << below(64)) - 1;
  case 4:
    return random();
  default:
    return below(5000);
  }
}

Constant *Mutator::anyConstant(Type *type) {
  if (chance(5))
    return chance(50) ? UndefValue::get(type)
                      : static_cast<Constant *>(PoisonValue::get(type));
  if (type->isIntegerTy())
    return ConstantInt::get(
        type, APInt(64, anyNumber()).sextOrTrunc(type->getIntegerBitWidth()));
  if (type->isFloatingPointTy()) {
    const double numbers[] = {0.0, -0.0, 1.0, 1e300, -1e-300, 65504, 0.3};
    return chance(10) ? ConstantFP::getNaN(type)
                      : ConstantFP::get(type, oneOf(numbers));
  }
  if (type->isPointerTy()) {
    uint64_t address =
        chance(50) ? oneOf(canaries.addresses) + below(64) : anyNumber();
    return ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(context), address), type);
  }
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    std::vector<Constant *> elements;
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      elements.push_back(anyConstant(vector->getElementType()));
    return ConstantVector::get(elements);
  }
  return Constant::getNullValue(type);
}

Align Mutator::anyAlign() {
  return Align(uint64_t(1) << below(chance(10) ? 33 : 7));
}

Value *Mutator::anyPointer(Instruction &place) {
  std::vector<Value *> pointers;
  for (Argument &argument : place.getFunction()->args())
    if (argument.getType()->isPointerTy())
      pointers.push_back(&argument);
  for (GlobalVariable &variable : module.globals())
    if (!variable.getName().starts_with("llvm."))
      pointers.push_back(&variable);
  for (Instruction &before : instructions(*place.getFunction())) {
    if (&before == &place)
      break;
    if (before.getType()->isPointerTy())
      pointers.push_back(&before);
  }
  if (pointers.empty() || chance(10))
    return anyConstant(PointerType::get(context, unsigned(below(6))));
  return oneOf(pointers);
}

Value *Mutator::anyValue(Instruction &place, Type *type) {
  if (type->isPointerTy() && chance(50)) {
    Value *pointer = anyPointer(place);
    return pointer->getType() == type
               ? pointer
               : IRBuilder<>(&place).CreateAddrSpaceCast(pointer, type);
  }
  std::vector<Value *> values;
  for (Argument &argument : place.getFunction()->args())
    if (argument.getType() == type)
      values.push_back(&argument);
  for (Instruction &before : instructions(*place.getFunction())) {
    if (&before == &place)
      break;
    if (before.getType() == type)
      values.push_back(&before);
  }
  return values.empty() || chance(25) ? anyConstant(type) : oneOf(values);
}

FunctionCallee Mutator::hostFunction(FunctionType *type) {
  const char *names[] = {canaries.function,
                         canaries.function,
                         "system",
                         "abort",
                         "puts",
                         "exit",
                         "getenv",
                         "mmap",
                         "dlsym",
                         "malloc",
                         "memcpy",
                         "expf",
                         "labgen_emu_exit",
                         "labgen_emu_thread",
                         "__nv_expf",
                         "labgen_emu_store_global"};
  return module.getOrInsertFunction(oneOf(names), type);
}

Attribute Mutator::anyAttribute() {
  Attribute::AttrKind kind =
      Attribute::AttrKind(1 + below(Attribute::EndAttrKinds - 1));
  if (Attribute::isTypeAttrKind(kind))
    return Attribute::get(context, kind, anyType());
  if (kind == Attribute::Alignment || kind == Attribute::StackAlignment)
    return Attribute::get(context, kind, anyAlign().value());
  if (kind == Attribute::Dereferenceable ||
      kind == Attribute::DereferenceableOrNull)
    return Attribute::get(context, kind, anyNumber());
  if (kind == Attribute::Memory)
    return Attribute::getWithMemoryEffects(context, MemoryEffects::none());
  if (Attribute::isEnumAttrKind(kind))
    return Attribute::get(context, kind);
  const std::pair<const char *, const char *> texts[] = {
      {"probe-stack", "system"},
      {"fentry-call", "true"},
      {"split-stack", ""},
      {"thunk", ""},
      {"use-soft-float", "true"},
      {"target-cpu", "i386"},
      {"patchable-function", "prologue-short-redirect"},
      {"target-features", "-sse2"},
      {"frame-pointer", "none"},
      {"stack-probe-size", "0"},
      {"warn-stack-size", "9999999"}};
  auto [key, value] = oneOf(texts);
  return Attribute::get(context, key, value);
}

} // namespace labgen::fuzz
