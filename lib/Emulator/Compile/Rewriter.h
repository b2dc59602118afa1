// Rewriter.h - what the steps of the retargeting share: the hooks, the current
// thread's value, and the list of sites.
#ifndef LABGEN_EMULATOR_COMPILE_REWRITER_H
#define LABGEN_EMULATOR_COMPILE_REWRITER_H

#include "lib/Emulator/Checks/SharedShadow.h"
#include "lib/Emulator/Compile/Retarget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ModuleSlotTracker.h"

#include <map>
#include <tuple>

namespace labgen::emu {

class Rewriter {
public:
  Rewriter(llvm::Module &module, ModuleInfo &info);

  llvm::Module &module;
  ModuleInfo &info;
  llvm::Type *voidType, *i1, *i8, *i32, *i64;
  llvm::PointerType *pointer;

  /// Lists an instruction, in the order of calls, and returns its number.
  uint32_t addSite(const llvm::Instruction &instruction);
  Site &site(uint32_t number) { return info.sites[number]; }
  /// Text of an instruction, without metadata: as it was when remembered.
  std::string text(const llvm::Instruction &instruction);
  void remember(const llvm::Instruction &instruction);

  llvm::FunctionCallee hook(llvm::StringRef name, llvm::Type *result,
                            llvm::ArrayRef<llvm::Type *> parameters);
  /// The running thread, and a member of it or of its block; loaded where the
  /// function starts, behind its variables.
  llvm::Value *thread(llvm::Function &function);
  llvm::Value *block(llvm::Function &function);
  llvm::Value *member(llvm::Function &function, bool ofBlock, uint32_t offset,
                      llvm::Type *type);
  llvm::Value *flat(llvm::IRBuilder<> &builder, llvm::Value *pointer);

  /// Where calls of a function pass values, by type and number within a call.
  std::map<std::tuple<llvm::Function *, llvm::Type *, unsigned>, llvm::Value *>
      callSlots;

  /// Loads of the function that is being rewritten.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> polls;

private:
  llvm::ModuleSlotTracker slots;
  const llvm::Function *slotsOf = nullptr;
  llvm::DenseMap<const llvm::Instruction *, std::string> remembered;
  llvm::DenseMap<llvm::Function *, llvm::Value *> threads, blocks;
};

/// Gives shared arrays offsets and replaces them by addresses in the arena.
Status layOutShared(Rewriter &rewriter);
/// The shared array an access certainly means, or -1. Before layOutShared
/// replaces them.
int sharedArrayOf(const Rewriter &rewriter, const llvm::Value *pointer);
Status listShared(Rewriter &rewriter);

/// The function the launcher calls for a kernel, and what it must be given.
Kernel makeEntry(Rewriter &rewriter, llvm::Function &function, size_t number);

/// Whether pointers may mean a variable: whether it must leave the host's
/// stack.
bool isAddressTaken(const llvm::AllocaInst &variable);
/// Puts such variables of a function into its frame. After the function is
/// instrumented.
void moveVariables(Rewriter &rewriter, llvm::Function &function,
                   llvm::ArrayRef<llvm::AllocaInst *> variables);

/// The frame of a function in the thread's arena.
class FrameBuilder {
public:
  explicit FrameBuilder(Rewriter &rewriter);
  /// A variable's offset from what enter() gives. All come before that.
  uint64_t add(std::string name, uint64_t bytes, llvm::Align align);
  llvm::Value *enter(llvm::IRBuilder<> &builder, llvm::Value *thread,
                     uint32_t site);
  void leave(llvm::IRBuilder<> &builder, llvm::Value *thread);

private:
  Rewriter &rewriter;
  unsigned number;
};

/// Memory accesses, calls and control flow of one function. `fibers` is set
/// when it has collectives.
Status instrumentMemory(Rewriter &rewriter, llvm::Instruction &instruction);
Status lowerCall(Rewriter &rewriter, llvm::CallInst &call, bool &fibers);
void instrumentFlow(Rewriter &rewriter, llvm::Function &function,
                    const llvm::SmallPtrSetImpl<llvm::Value *> &divergent);

/// Values that may differ between the lanes of a warp.
void findDivergent(llvm::Function &function, bool isKernel,
                   llvm::SmallPtrSetImpl<llvm::Value *> &divergent);

/// Loads whose value decides whether their own loop goes on.
void findPolls(llvm::Function &function,
               llvm::SmallPtrSetImpl<const llvm::Instruction *> &polls);

/// Floating-point operations of one instruction: per element one, two for a
/// fused multiply-add.
uint64_t flopsOf(const llvm::Instruction &instruction);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_REWRITER_H
