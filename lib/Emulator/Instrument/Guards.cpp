// Guards.cpp - a defined result for what has none.
#include "lib/Emulator/Compile/Promises.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace labgen::emu {

static void reportIf(Rewriter &rewriter, Value *condition,
                     Instruction &instruction, StringRef hook) {
  MDNode *unlikely =
      MDBuilder(instruction.getContext()).createUnlikelyBranchWeights();
  uint32_t number = rewriter.addSite(instruction);
  Value *thread = rewriter.thread(*instruction.getFunction());
  Instruction *then = SplitBlockAndInsertIfThen(
      condition, instruction.getIterator(), /*Unreachable=*/false, unlikely);
  IRBuilder<>(then).CreateCall(
      rewriter.hook(hook, rewriter.voidType, {rewriter.pointer, rewriter.i32}),
      {thread, ConstantInt::get(rewriter.i32, number)});
}

// Whatever an undefined condition is, it is one thing. LLVM's
// isGuaranteedNotToBeUndefOrPoison is no help: it takes a branch on a value for
// a proof that the value is defined.
static void freezeCondition(Instruction &terminator) {
  bool conditional = isa<SwitchInst>(terminator) ||
                     (isa<BranchInst>(terminator) &&
                      cast<BranchInst>(terminator).isConditional());
  if (!conditional)
    return;
  Value *condition = terminator.getOperand(0);
  if (isa<ConstantInt>(condition))
    return;
  terminator.setOperand(
      0, IRBuilder<>(&terminator).CreateFreeze(condition, "emu.condition"));
}

static bool isHarmlessDivisor(const Value *divisor, bool isSigned) {
  using namespace PatternMatch;
  const APInt *number;
  return match(divisor, m_APInt(number)) && !number->isZero() &&
         !(isSigned && number->isAllOnes());
}

// GPUs don't stop at a division by zero and wrap the one that overflows, where
// the host would raise a signal.
static void guardDivision(Rewriter &rewriter, BinaryOperator &division) {
  bool isSigned = division.getOpcode() == Instruction::SDiv ||
                  division.getOpcode() == Instruction::SRem;
  if (isHarmlessDivisor(division.getOperand(1), isSigned))
    return;
  rewriter.remember(division);
  IRBuilder<> builder(&division);
  Value *divisor = builder.CreateFreeze(division.getOperand(1));
  Type *type = divisor->getType();
  Value *isZero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value *bad = isZero;
  if (isSigned) {
    Value *dividend = builder.CreateFreeze(division.getOperand(0));
    division.setOperand(0, dividend);
    APInt least = APInt::getSignedMinValue(type->getScalarSizeInBits());
    Value *overflows = builder.CreateAnd(
        builder.CreateICmpEQ(dividend, ConstantInt::get(type, least)),
        builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
    bad = builder.CreateOr(bad, overflows);
  }
  division.setOperand(
      1, builder.CreateSelect(bad, ConstantInt::get(type, 1), divisor));
  Value *any = type->isVectorTy() ? builder.CreateOrReduce(isZero) : isZero;
  reportIf(rewriter, any, division, "division");
}

// The host's code generator takes the bits above an odd integer for zero, which
// its own instructions don't keep to beyond the range. Hardware saturates.
static void saturate(CastInst &conversion) {
  bool isSigned = conversion.getOpcode() == Instruction::FPToSI;
  IRBuilder<> builder(&conversion);
  Value *number = builder.CreateIntrinsic(
      isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
      {conversion.getType(), conversion.getSrcTy()},
      {conversion.getOperand(0)});
  conversion.replaceAllUsesWith(number);
  conversion.eraseFromParent();
}

// No exception that makes the result undefined: zero, the least integer.
static void defineExceptions(IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::abs:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    call.setArgOperand(1, ConstantInt::getFalse(call.getContext()));
    return;
  default:
    return;
  }
}

// An element is an address on the host's stack, or right in a buffer. The hook
// gives one of the vector's, and the optimiser knows nothing of what it gives.
static void guardElement(Rewriter &rewriter, Instruction &instruction,
                         Use &index, Type *vector) {
  if (isa<ConstantInt>(index.get()))
    return;
  rewriter.remember(instruction);
  IRBuilder<> builder(&instruction);
  Type *type = index->getType();
  uint64_t count = cast<FixedVectorType>(vector)->getNumElements();
  // What 64 bits cut off is beyond the vector as well.
  Value *wide =
      type->getIntegerBitWidth() <= 64
          ? builder.CreateZExt(index, rewriter.i64)
          : builder.CreateTrunc(builder.CreateBinaryIntrinsic(
                                    Intrinsic::umin, index,
                                    ConstantInt::get(type, ~uint64_t(0))),
                                rewriter.i64);
  Value *inside =
      builder.CreateCall(rewriter.hook("element", rewriter.i64,
                                       {rewriter.pointer, rewriter.i64,
                                        rewriter.i64, rewriter.i32}),
                         {rewriter.thread(*instruction.getFunction()), wide,
                          builder.getInt64(count),
                          builder.getInt32(rewriter.addSite(instruction))});
  index.set(inside);
}

static bool hasOddBits(Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getElementType()->isIntegerTy() &&
           vector->getPrimitiveSizeInBits() % 8;
  return type->isIntegerTy() && type->getIntegerBitWidth() % 8;
}

// Memory holds whole bytes, and the host would trust in the bits beyond.
static void loadWholeBytes(LoadInst &load) {
  Type *type = load.getType();
  if (!hasOddBits(type) || load.isAtomic())
    return;
  unsigned bits = unsigned(type->getPrimitiveSizeInBits().getFixedValue());
  IRBuilder<> builder(&load);
  Value *bytes =
      builder.CreateAlignedLoad(builder.getIntNTy((bits + 7) / 8 * 8),
                                load.getPointerOperand(), load.getAlign());
  Value *number = builder.CreateTrunc(bytes, builder.getIntNTy(bits));
  load.replaceAllUsesWith(builder.CreateBitCast(number, type));
  load.eraseFromParent();
}

void defineBehaviour(Rewriter &rewriter, Function &function) {
  std::vector<Instruction *> work;
  for (Instruction &instruction : instructions(function))
    work.push_back(&instruction);
  for (Instruction *instruction : work) {
    if (auto *load = dyn_cast<LoadInst>(instruction))
      loadWholeBytes(*load);
    else if (instruction->isTerminator())
      freezeCondition(*instruction);
    else if (instruction->isIntDivRem())
      guardDivision(rewriter, *cast<BinaryOperator>(instruction));
    else if (auto *call = dyn_cast<IntrinsicInst>(instruction))
      defineExceptions(*call);
    else if (isa<FPToSIInst, FPToUIInst>(instruction))
      saturate(*cast<CastInst>(instruction));
    else if (auto *extract = dyn_cast<ExtractElementInst>(instruction))
      guardElement(rewriter, *extract, extract->getOperandUse(1),
                   extract->getVectorOperandType());
    else if (auto *insert = dyn_cast<InsertElementInst>(instruction))
      guardElement(rewriter, *insert, insert->getOperandUse(2),
                   insert->getType());
  }
}

} // namespace labgen::emu
