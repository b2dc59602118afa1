// Shared.cpp - shared arrays: static ones one after the other, dynamic ones all
// behind them, as on a GPU.
#include "lib/Emulator/Compile/Rewriter.h"
#include "lib/Emulator/Runtime/State.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

#include <cstddef>

using namespace llvm;

namespace labgen::emu {

static constexpr unsigned sharedSpace = 3;

static std::vector<GlobalVariable *> sharedVariables(Module &module) {
  std::vector<GlobalVariable *> result;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace)
      result.push_back(&variable);
  return result;
}

Status listShared(Rewriter &rewriter) {
  const DataLayout &layout = rewriter.module.getDataLayout();
  uint64_t end = 0;
  std::vector<SharedArray> &arrays = rewriter.info.sharedArrays;
  for (GlobalVariable *variable : sharedVariables(rewriter.module)) {
    uint64_t bytes = layout.getTypeAllocSize(variable->getValueType());
    SharedArray array{variable->getName().str(), 0, uint32_t(bytes)};
    if (bytes) {
      Align align = std::max(variable->getAlign().valueOrOne(),
                             layout.getABITypeAlign(variable->getValueType()));
      end = alignTo(end, align);
      array.offset = uint32_t(end);
      end += bytes;
    }
    if (end > Worker::sharedCapacity)
      return Status::badInput(
          "shared memory of the module has more than " +
          std::to_string(Worker::sharedCapacity) +
          " bytes, which no GPU has; make the tiles smaller");
    arrays.push_back(std::move(array));
  }
  // Dynamic arrays start where the most demanding alignment allows.
  end = alignTo(end, 16);
  for (SharedArray &array : arrays)
    if (!array.bytes)
      array.offset = uint32_t(end);
  rewriter.info.sharedBytes = uint32_t(end);
  return {};
}

int sharedArrayOf(const Rewriter &rewriter, const Value *pointer) {
  auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer, 0));
  if (!variable || variable->getAddressSpace() != sharedSpace)
    return -1;
  const std::vector<SharedArray> &arrays = rewriter.info.sharedArrays;
  for (size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].name == variable->getName())
      return int(i);
  return -1;
}

Status layOutShared(Rewriter &rewriter) {
  std::vector<GlobalVariable *> variables = sharedVariables(rewriter.module);
  SmallVector<Constant *> constants(variables.begin(), variables.end());
  convertUsersOfConstantsToInstructions(constants);
  for (auto [index, variable] : enumerate(variables)) {
    DenseMap<Function *, Value *> addresses;
    for (Use &use : make_early_inc_range(variable->uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        return Status::badInput("the address of shared array '" +
                                variable->getName().str() +
                                "' is in another variable; compute it in the "
                                "kernel");
      Function &function = *user->getFunction();
      Value *&address = addresses[&function];
      if (!address) {
        Value *base = rewriter.member(function, true, offsetof(Block, shared),
                                      rewriter.pointer);
        auto *load = cast<Instruction>(base);
        IRBuilder<> builder(load->getParent(), std::next(load->getIterator()));
        address = builder.CreateAddrSpaceCast(
            builder.CreatePtrAdd(
                base,
                builder.getInt32(rewriter.info.sharedArrays[index].offset)),
            variable->getType());
      }
      use.set(address);
    }
    variable->eraseFromParent();
  }
  return {};
}

} // namespace labgen::emu
