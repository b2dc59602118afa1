// Emulator.h - runs final device LLVM IR (what llc would get) of NVPTX and
// AMDGCN kernels on the host, checked and counted.
//
//   auto memory = Memory::create();             // one per sequence of launches
//   unsigned x = *(*memory)->allocate("x", bytes, Role::Input);
//   auto program = Program::load(buffer);       // retarget, instrument, JIT
//   auto report = program->run(launch, {Argument::pointer(x)}, **memory, {});
//
// Every host thread that runs a block holds one fiber per device thread; warp
// collectives are executed once per warp with every lane's arguments. Blocks
// may not wait for one another. docs/emulator.md tells what is checked.
#ifndef LABGEN_EMULATOR_EMULATOR_H
#define LABGEN_EMULATOR_EMULATOR_H

#include "lib/Emulator/Memory.h"
#include "lib/Emulator/Report.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace labgen::emu {

using Dim3 = std::array<uint32_t, 3>;

struct Launch {
  std::string entry;
  Dim3 grid{1, 1, 1}, block{1, 1, 1};
  uint32_t dynamicShared = 0; ///< bytes behind the static ones
};

/// One kernel parameter: a device pointer, or the bytes of a scalar or struct.
struct Argument {
  /// `offset` bytes into buffer `buffer` of the launch's Memory.
  static Argument pointer(unsigned buffer, int64_t offset = 0);
  template <typename T> static Argument scalar(const T &value) {
    const char *bytes = reinterpret_cast<const char *>(&value);
    Argument argument;
    argument.bytes.assign(bytes, bytes + sizeof(T));
    return argument;
  }

  std::optional<unsigned> buffer; ///< set for pointers
  int64_t offset = 0;
  std::vector<char> bytes; ///< of scalars
};

struct Options {
  unsigned workers = 1; ///< host threads; blocks run in parallel
  /// Shuffles the order of lanes, warps and blocks. Empty: ascending.
  std::optional<uint64_t> orderSeed;
  // Out-of-bounds accesses are never performed and a divergent barrier never
  // passed over: memcheck and synccheck can't be switched off.
  bool initcheck = true, racecheck = true;
  bool counters = true;      ///< sectors, conflicts, divergence, unique bytes
  unsigned maxFindings = 32; ///< distinct ones; the rest is only counted
  /// Loop iterations and calls of a thread in one block, and seconds, from
  /// which on it counts as endless: when it has had both.
  uint64_t maxIterations = uint64_t(1) << 32;
  double leastSeconds = 2;
  /// Threads of a launch that are refused as too many.
  uint64_t maxThreads = uint64_t(1) << 32;
};

/// One device module, compiled for the host. Immovable state is behind a
/// pointer; a Program is run by one host thread at a time.
class Program {
public:
  /// `warpSize` 0: 32 for NVPTX; for AMDGCN by the kernels' target-cpu and
  /// target-features. Errors name what can't run: broken IR, another
  /// architecture, and whatever is not on the list of what a module may hold
  /// (Compile/Admit.h). All code is made here: a launch reads no file.
  static Result<Program> load(llvm::MemoryBufferRef ir, unsigned warpSize = 0);
  static Result<Program> load(std::unique_ptr<llvm::Module> module,
                              std::unique_ptr<llvm::LLVMContext> context,
                              unsigned warpSize = 0);
  Program(Program &&) noexcept;
  Program &operator=(Program &&) noexcept;
  ~Program();

  std::vector<std::string> kernels() const;
  unsigned warpSize() const;
  /// Static shared memory of the module in bytes.
  uint64_t sharedBytes() const;

  /// Runs one launch to its end or to the first event it cannot go on after
  /// (deadlock, trap, endless loop). Findings are no error; a Status is for
  /// what could not be started: no such kernel, wrong arguments or sizes.
  Result<Report> run(const Launch &launch, llvm::ArrayRef<Argument> arguments,
                     Memory &memory, const Options &options = {});

private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_EMULATOR_H
