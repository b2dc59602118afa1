// Admit.h - which modules may be compiled for the host at all.
//
// A module from a file may come from anywhere, so everything in it must be of a
// kind that is known to do no more than a kernel may. What is not on a list
// here is refused by name, whether it would be executed or not.
#ifndef LABGEN_EMULATOR_COMPILE_ADMIT_H
#define LABGEN_EMULATOR_COMPILE_ADMIT_H

#include "lib/Support/Status.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace labgen::emu {

/// What the runtime and the code made for it are called; no module has such.
constexpr llvm::StringLiteral runtimePrefix = "labgen_emu";

/// The first thing in `module` that has no model, on one line.
Status admit(const llvm::Module &module);

/// Bounds of what a module may hold.
constexpr uint64_t mostValueBytes = 4096;      ///< of one value, one access
constexpr uint64_t mostLocalBytes = 512 << 10; ///< of a function's variables
constexpr uint64_t mostStaticBytes = 1 << 30;  ///< of the module's variables
constexpr uint64_t mostAlignment = 4096;

/// Types and constants; each is looked at once.
class AdmittedValues {
public:
  /// Why a value cannot have this type, or empty.
  std::string refuse(llvm::Type *type);
  /// Why memory cannot, which may be larger.
  std::string refuseInMemory(llvm::Type *type);
  /// Why a constant cannot be an operand, or empty.
  std::string refuse(const llvm::Constant &constant);
  /// Why a variable cannot start with it: what no linker can compute, too.
  std::string refuseInitializer(const llvm::Constant &constant);

private:
  std::string refuseElement(llvm::Type *type);
  std::string refuseConstant(const llvm::Constant &constant, bool initializer);
  llvm::SmallPtrSet<llvm::Type *, 32> types;
  llvm::SmallPtrSet<const llvm::Constant *, 32> operands, initializers;
};

/// Whether a type is an array or a record with integers of no whole number of
/// bytes. The host trusts in the bits beyond where it loads one.
bool holdsOddIntegers(llvm::Type *type);

/// Bytes of a type in memory, paddings aside; none when beyond 2^40.
std::optional<uint64_t> boundedBytes(llvm::Type *type);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_COMPILE_ADMIT_H
