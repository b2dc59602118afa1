// AdmitValues.cpp - the types and constants of the list.
#include "lib/Emulator/Compile/Admit.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace labgen::emu {

static constexpr unsigned mostIntegerBits = 512;
static constexpr uint64_t mostBytes = uint64_t(1) << 40;

template <typename T> static std::string textOf(const T &thing) {
  std::string text;
  raw_string_ostream(text) << thing;
  return text;
}

// Flat, global, (cluster) shared, constant, local, AMD's buffers, and NVIDIA's
// parameters. The host gives others a meaning of its own.
static bool isAddressSpace(unsigned space) {
  return space <= 5 || space == 7 || space == 8 || space == 101;
}

std::optional<uint64_t> boundedBytes(Type *type) {
  auto times = [](std::optional<uint64_t> bytes,
                  uint64_t count) -> std::optional<uint64_t> {
    // Elements of no size are elements to walk over, too.
    if (!bytes || count > mostBytes / std::max<uint64_t>(1, *bytes))
      return std::nullopt;
    return *bytes * count;
  };
  if (auto *array = dyn_cast<ArrayType>(type))
    return times(boundedBytes(array->getElementType()),
                 array->getNumElements());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return times(boundedBytes(vector->getElementType()),
                 vector->getNumElements());
  if (auto *record = dyn_cast<StructType>(type)) {
    uint64_t sum = 0;
    for (Type *element : record->elements()) {
      std::optional<uint64_t> bytes = boundedBytes(element);
      if (!bytes || (sum += *bytes + 1) > mostBytes)
        return std::nullopt;
    }
    return sum;
  }
  if (type->isPointerTy())
    return 8;
  return (type->getPrimitiveSizeInBits().getKnownMinValue() + 7) / 8;
}

static bool isOrHoldsOddIntegers(Type *type) {
  if (type->isIntOrIntVectorTy())
    return type->getPrimitiveSizeInBits().getFixedValue() % 8;
  if (auto *array = dyn_cast<ArrayType>(type))
    return isOrHoldsOddIntegers(array->getElementType());
  auto *record = dyn_cast<StructType>(type);
  return record && llvm::any_of(record->elements(), isOrHoldsOddIntegers);
}

bool holdsOddIntegers(Type *type) {
  return type->isAggregateType() && isOrHoldsOddIntegers(type);
}

std::string AdmittedValues::refuseElement(Type *type) {
  switch (type->getTypeID()) {
  case Type::HalfTyID:
  case Type::BFloatTyID:
  case Type::FloatTyID:
  case Type::DoubleTyID:
    return "";
  case Type::IntegerTyID:
    return type->getIntegerBitWidth() <= mostIntegerBits
               ? ""
               : "type " + textOf(*type);
  case Type::PointerTyID:
    return isAddressSpace(type->getPointerAddressSpace())
               ? ""
               : "address space " +
                     std::to_string(type->getPointerAddressSpace());
  case Type::ArrayTyID:
    return refuseElement(type->getArrayElementType());
  case Type::FixedVectorTyID:
    return refuseElement(cast<FixedVectorType>(type)->getElementType());
  case Type::StructTyID:
    if (cast<StructType>(type)->isOpaque())
      return "type " + textOf(*type);
    for (Type *element : cast<StructType>(type)->elements())
      if (std::string why = refuseElement(element); !why.empty())
        return why;
    return "";
  default:
    return "type " + textOf(*type);
  }
}

std::string AdmittedValues::refuseInMemory(Type *type) {
  std::string why = refuseElement(type);
  if (why.empty() && !boundedBytes(type))
    return "type of this size: " + textOf(*type);
  return why;
}

std::string AdmittedValues::refuse(Type *type) {
  if (type->isVoidTy() || type->isLabelTy() || !types.insert(type).second)
    return "";
  std::string why = refuseInMemory(type);
  if (why.empty() && *boundedBytes(type) > mostValueBytes)
    return "value of more than " + std::to_string(mostValueBytes) +
           " bytes: " + textOf(*type);
  return why;
}

// Expressions that stand for an address or are computed in the kernel.
static bool isExpression(unsigned opcode, bool initializer) {
  switch (opcode) {
  case Instruction::GetElementPtr:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
    return true;
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::Trunc:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Xor:
    return !initializer;
  default:
    return false;
  }
}

std::string AdmittedValues::refuseConstant(const Constant &constant,
                                           bool initializer) {
  if (!(initializer ? initializers : operands).insert(&constant).second)
    return "";
  if (auto *variable = dyn_cast<GlobalVariable>(&constant)) {
    if (initializer && variable->isDeclaration())
      return "address of '" + variable->getName().str() +
             "', which the module does not define";
    return "";
  }
  if (isa<GlobalValue>(constant))
    return "address of '" + constant.getName().str() + "'";
  std::string why = initializer ? refuseInMemory(constant.getType())
                                : refuse(constant.getType());
  if (!why.empty())
    return why;
  if (isa<ConstantTokenNone, ConstantTargetNone>(constant))
    return "constant " + textOf(constant);
  if (isa<ConstantData>(constant))
    return "";
  if (auto *expression = dyn_cast<ConstantExpr>(&constant)) {
    // The linker adds an offset to an address and no more.
    bool ofNumber = expression->getOpcode() == Instruction::IntToPtr &&
                    isa<ConstantInt>(expression->getOperand(0));
    if (!ofNumber && !isExpression(expression->getOpcode(), initializer))
      return "constant expression " + textOf(constant);
  } else if (!isa<ConstantAggregate>(constant)) {
    return "constant " + textOf(constant);
  }
  for (const Use &operand : constant.operands())
    if (std::string inner =
            refuseConstant(*cast<Constant>(operand.get()), initializer);
        !inner.empty())
      return inner;
  return "";
}

std::string AdmittedValues::refuse(const Constant &constant) {
  return refuseConstant(constant, /*initializer=*/false);
}

std::string AdmittedValues::refuseInitializer(const Constant &constant) {
  return refuseConstant(constant, /*initializer=*/true);
}

} // namespace labgen::emu
