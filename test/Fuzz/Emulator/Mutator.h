// Mutator.h - makes near-valid device IR of valid IR: a few changes at random
// places, of the kinds that break out of a sandbox or break a compiler.
//
// Changes don't ask whether the result is valid: the verifier does afterwards.
#ifndef LABGEN_TEST_FUZZ_EMULATOR_MUTATOR_H
#define LABGEN_TEST_FUZZ_EMULATOR_MUTATOR_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <random>

namespace labgen::fuzz {

/// What a kernel must not reach: a function of this process by name, and memory
/// of it by address.
struct Canaries {
  const char *function;
  std::vector<uint64_t> addresses;
};

class Mutator {
public:
  Mutator(llvm::Module &module, uint64_t seed, const Canaries &canaries)
      : module(module), context(module.getContext()), random(seed),
        canaries(canaries) {}

  /// One change; false when there was nothing to change.
  bool mutate();

private:
  using Change = bool (Mutator::*)();

  // Mutator.cpp: what is there.
  bool replaceOperand();
  bool dropInstruction();
  bool moveInstruction();
  bool copyInstruction();
  bool changeFlags();
  bool changeTerminator();
  bool changeConstantIndex();
  bool changePhi();
  bool changeAlignment();
  bool changeMetadata();
  bool changeAttributes();
  // Inserter.cpp: what was not.
  bool insertAccess();
  bool insertAtomic();
  bool insertAddressArithmetic();
  bool insertVariable();
  bool insertIntrinsic();
  bool insertCall();
  bool insertAssembly();
  bool insertDivision();
  bool insertCopy();
  bool insertSwitch();
  bool insertGlobal();
  bool insertRecursion();
  bool insertLoop();
  // Elements.cpp: elements by a variable index.
  bool insertElement();
  llvm::Value *promisedIndex(llvm::IRBuilder<> &builder,
                             llvm::Instruction &place, unsigned bits);

  // Values.cpp: what changes are made with.
  uint64_t below(uint64_t bound) { return bound ? random() % bound : 0; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename List> auto &oneOf(List &&list) {
    return list[below(std::size(list))];
  }
  llvm::Function *anyFunction();
  llvm::Instruction *anyInstruction();
  /// Where something can be inserted.
  llvm::Instruction *anyPlace();
  llvm::Type *anyType(unsigned depth = 0);
  uint64_t anyNumber();
  llvm::Constant *anyConstant(llvm::Type *type);
  /// A value of the type that reaches `place`, a constant, or one made of what
  /// reaches it.
  llvm::Value *anyValue(llvm::Instruction &place, llvm::Type *type);
  llvm::Value *anyPointer(llvm::Instruction &place);
  llvm::Align anyAlign();
  llvm::FunctionCallee hostFunction(llvm::FunctionType *type);
  llvm::Attribute anyAttribute();

  llvm::Module &module;
  llvm::LLVMContext &context;
  std::mt19937_64 random;
  const Canaries &canaries;
};

} // namespace labgen::fuzz

#endif // LABGEN_TEST_FUZZ_EMULATOR_MUTATOR_H
