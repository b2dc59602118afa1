// Intrinsic.h - a row of the table of device intrinsics: one per intrinsic, and
// the only place that has to change to add one.
//
// Names are base names, without the suffix of overloaded types. An intrinsic
// without a row is an error at load time.
#ifndef LABGEN_EMULATOR_RUNTIME_INTRINSIC_H
#define LABGEN_EMULATOR_RUNTIME_INTRINSIC_H

#include "lib/Emulator/Runtime/State.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <cstring>

namespace labgen::emu {

/// A call by one thread. Arguments and result lie in memory as the host's data
/// layout has them.
struct LocalCall {
  Thread &thread;
  const Site &site;
  int code;

  template <typename T> T argument(unsigned index) const {
    return thread.argument<T>(index);
  }
  template <typename T> void setResult(const T &value) const {
    thread.setResult(value);
  }
};

/// A call by the lanes `mask` of a warp, executed once for all of them.
struct WarpCall {
  Warp &warp;
  uint64_t mask;
  const Site &site;
  int code;
  unsigned warpSize;

  template <typename Visit> void forEach(Visit visit) const {
    for (unsigned lane = 0; lane < warp.count; ++lane)
      if (mask >> lane & 1)
        visit(lane, warp.threads[lane]);
  }
  /// The lowest lane that takes part.
  Thread &first() const { return warp.threads[__builtin_ctzll(mask)]; }
  bool has(unsigned lane) const { return lane < 64 && mask >> lane & 1; }
  Counters &counters() const { return warp.threads->worker->counters; }
};

/// Which lanes a collective waits for.
enum class Lanes {
  Masked,    ///< those an argument names
  All,       ///< a whole warp
  Converged, ///< those that get there together: AMD's EXEC
};

enum class BarrierKind { Sync, Arrive, CountTrue, And, Or };

struct IntrinsicRow {
  enum class Kind {
    Nothing,     ///< no effect a program can see; only without a result
    ThreadField, ///< 32-bit load from Thread
    BlockField,  ///< 32-bit load from Block
    Rewrite,     ///< other IR
    Local,       ///< a function per thread
    Warp,        ///< a function per warp
    Barrier,     ///< of the block
    Exit,        ///< ends the thread
  };
  using RewriteFunction = llvm::Value *(*)(llvm::IRBuilder<> &,
                                           llvm::CallInst &, int code);
  using LocalFunction = void (*)(const LocalCall &);
  using WarpFunction = void (*)(const WarpCall &);

  std::string name;
  Kind kind = Kind::Nothing;
  int code = 0; ///< given to the function: a mode, a format, ...
  uint32_t offset = 0;
  RewriteFunction rewrite = nullptr;
  LocalFunction local = nullptr;
  WarpFunction warp = nullptr;
  Lanes lanes = Lanes::Converged;
  unsigned maskArgument = 0;
  BarrierKind barrier = BarrierKind::Sync;
  bool aligned = false;   ///< whole warps at one barrier instruction
  int idArgument = -1;    ///< barrier number
  int countArgument = -1; ///< threads of a barrier
  int predicateArgument = -1;
  unsigned flops = 0; ///< per element of the result
  /// From this argument on, only constant zeros are modelled.
  int zerosFrom = -1;
  /// What the function may read or write of each operand and of the result: a
  /// multiple of 8. Overloaded intrinsics may be given smaller types.
  unsigned operandBytes = 8;
  /// The lanes a warp must have for it; 0: any number.
  unsigned warpSize = 0;
  /// Sizes of an overloaded result that the function knows, in bytes, each a
  /// bit (4 | 8); 0: any.
  unsigned sizes = 0;

  bool needsFibers() const {
    return kind == Kind::Warp || kind == Kind::Barrier || kind == Kind::Exit;
  }

  static IntrinsicRow nothing(std::string name);
  static IntrinsicRow threadField(std::string name, size_t offset);
  static IntrinsicRow blockField(std::string name, size_t offset);
  static IntrinsicRow rewritten(std::string name, RewriteFunction function,
                                int code = 0);
  static IntrinsicRow rewrittenFlops(std::string name, RewriteFunction function,
                                     int code, unsigned flops);
  static IntrinsicRow perThread(std::string name, LocalFunction function,
                                int code = 0);
  static IntrinsicRow masked(std::string name, WarpFunction function,
                             unsigned maskArgument, int code = 0);
  static IntrinsicRow wholeWarp(std::string name, WarpFunction function,
                                int code = 0);
  static IntrinsicRow converged(std::string name, WarpFunction function,
                                int code = 0);
};

/// Appends the rows of one file to the table.
using Table = std::vector<IntrinsicRow>;
void addIds(Table &table);
void addBarriers(Table &table);
void addIgnored(Table &table);
void addMath(Table &table);
void addRoundedMath(Table &table);
void addIntegers(Table &table);
void addNvidiaLanes(Table &table);
void addAmdLanes(Table &table);
void addDpp(Table &table);
void addNvidiaConversions(Table &table);
void addAmdConversions(Table &table);
void addAmdBuffers(Table &table);
void addNvidiaMatrix(Table &table);
void addAmdMatrix(Table &table);

/// The row of an intrinsic, or null.
const IntrinsicRow *findIntrinsic(llvm::StringRef name);

/// Bits of one type read as another of the same size.
template <typename To, typename From> To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From), "a cast of bits keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_INTRINSIC_H
