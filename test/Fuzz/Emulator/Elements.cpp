// Elements.cpp - elements of vectors by an index known only at run time, which
// something promises to be one of the vector's.
#include "test/Fuzz/Emulator/Mutator.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace labgen::fuzz {

// Below 2^bits, were the promise kept.
Value *Mutator::promisedIndex(IRBuilder<> &builder, Instruction &place,
                              unsigned bits) {
  Type *i32 = builder.getInt32Ty();
  Type *few = Type::getIntNTy(context, bits);
  Value *any = anyValue(place, i32);
  Value *most = builder.getInt32((1u << bits) - 1);
  switch (below(8)) {
  case 0:
    return builder.CreateNUWSub(most, any);
  case 1:
    return builder.CreateLShr(any, builder.getInt32(32 - bits), "", true);
  case 2:
    return builder.CreateZExt(builder.CreateTrunc(any, few, "", true), i32);
  case 3: {
    Value *number = builder.CreateUIToFP(any, builder.getFloatTy());
    return builder.CreateZExt(chance(50) ? builder.CreateFPToUI(number, few)
                                         : builder.CreateFPToSI(number, few),
                              i32);
  }
  case 4:
    return builder.CreateZExt(
        builder.CreateAlignedLoad(few, anyPointer(place), Align(1)), i32);
  case 5: { // in an array or a record
    Type *whole = chance(50)
                      ? static_cast<Type *>(ArrayType::get(few, 4))
                      : StructType::get(context, {few, builder.getInt16Ty()});
    Value *fields =
        builder.CreateAlignedLoad(whole, anyPointer(place), Align(1), true);
    return builder.CreateZExt(builder.CreateExtractValue(fields, 0), i32);
  }
  case 6:
    return builder.CreateBinaryIntrinsic(Intrinsic::cttz, any,
                                         builder.getTrue());
  default:
    return any;
  }
}

bool Mutator::insertElement() {
  Instruction *place = anyPlace();
  if (!place)
    return false;
  IRBuilder<> builder(place);
  unsigned bits = 1 + unsigned(below(6));
  auto *type = FixedVectorType::get(builder.getInt32Ty(), 1u << bits);
  Value *vector = builder.CreateAlignedLoad(type, anyPointer(*place), Align(1));
  if (chance(60)) // no longer in memory
    vector = builder.CreateMul(vector, vector);
  Value *index = promisedIndex(builder, *place, bits);
  Value *result = chance(50)
                      ? builder.CreateExtractElement(vector, index)
                      : builder.CreateXorReduce(builder.CreateInsertElement(
                            vector, builder.getInt32(0x41414141), index));
  builder.CreateAlignedStore(result, anyPointer(*place), Align(1));
  return true;
}

} // namespace labgen::fuzz
