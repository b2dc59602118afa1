// State.h - the emulated machine while it runs: threads in warps in a block, on
// a worker (one host thread with its own shared memory, stacks and shadows).
//
// Compiled kernels read the first members of Thread and Block directly.
#ifndef LABGEN_EMULATOR_RUNTIME_STATE_H
#define LABGEN_EMULATOR_RUNTIME_STATE_H

#include "lib/Emulator/Checks/GlobalAccess.h"
#include "lib/Emulator/Checks/Groups.h"
#include "lib/Emulator/Checks/SharedShadow.h"
#include "lib/Emulator/Runtime/Fiber.h"
#include "lib/Emulator/Runtime/Findings.h"
#include "lib/Emulator/Runtime/Locals.h"
#include "lib/Emulator/Runtime/Patience.h"
#include "lib/Emulator/Runtime/Site.h"

namespace labgen::emu {

class Worker;

/// AMD's implicit kernel arguments (code object 5, "Code Object V5 Kernel
/// Argument Metadata"), as far as kernels read them.
struct ImplicitArguments {
  uint32_t blockCount[3];
  uint16_t groupSize[3];
  uint16_t remainder[3];
  uint8_t reserved[256 - 24];
};
/// AMD's dispatch packet (HSA runtime specification 2.9.6).
struct DispatchPacket {
  uint16_t header, setup;
  uint16_t groupSize[3], reserved;
  uint32_t gridSize[3]; ///< in threads
  uint32_t privateSegment, groupSegment;
  uint64_t kernelObject, kernarg, reserved2, completion;
};

struct Block {
  uint32_t ctaid[3], ntid[3], nctaid[3];
  uint32_t dynamicShared, totalShared; ///< bytes
  char *shared;                        ///< base of the arena
  int64_t iterations;                  ///< of loops, until the next look
  uint64_t flops;
  ImplicitArguments *implicit;
  DispatchPacket *dispatch;
  uint64_t linear;
  uint32_t threads, warps;
};

enum class State : uint8_t { Ready, Barrier, Collective, Exited };

struct Thread {
  uint32_t tid[3];
  uint32_t lane, warp, linear;
  Block *block;
  const char *stackLimit; ///< functions entered below it overflow
  Worker *worker;
  LocalStack *locals = nullptr;

  State state = State::Exited;
  uint32_t sync = 0; ///< warp's count when it last took part in a collective
  void *stackPointer = nullptr;
  // The collective or barrier it waits at.
  uint32_t site = 0;
  uint64_t mask = 0; ///< lanes it named, or what the scheduler makes of them
  uint32_t barrier = 0, barrierCount = 0; ///< its number, threads (0: all)
  void **arguments = nullptr;
  void *result = nullptr;

  template <typename T> T argument(unsigned index) const {
    return *static_cast<const T *>(arguments[index]);
  }
  template <typename T> void setResult(const T &value) {
    *static_cast<T *>(result) = value;
  }
};

struct Warp {
  Thread *threads;
  uint32_t count = 0; ///< lanes that exist
  uint32_t sync = 0;  ///< collectives so far
  uint64_t lanes() const {
    return count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
  }
};

/// A write that meets another thread's: a race unless it changes nothing,
/// which the next event tells.
struct PendingWrite {
  const char *address;
  std::vector<char> before;
  Thread *thread;
  Event event;
};

/// Static storage of the module in host memory.
struct GlobalVariableRange {
  std::string name;
  char *address;
  uint64_t bytes;
  bool constant;
};

class Worker {
public:
  Worker(const ModuleInfo &module, std::vector<GlobalVariableRange> &globals)
      : module(module), globals(globals) {}
  ~Worker();
  /// Low memory for shared arrays; false when there is none left.
  bool prepare();

  const ModuleInfo &module;
  std::vector<GlobalVariableRange> &globals;
  std::vector<std::string> bufferNames; ///< of the launch's Memory
  char *shared = nullptr;
  static constexpr uint64_t sharedCapacity = 256 << 10;

  // Set by Options.
  bool initcheck = true, racecheck = true, counting = true;
  Patience patience;

  Findings findings;
  Counters counters;
  GlobalShadow global;
  SharedShadow sharedShadow;
  Clock clock;
  Groups<GlobalAccess> globalGroups{clock};
  Groups<WarpAccess> sharedGroups{clock};
  Groups<uint8_t> branches{clock};
  std::vector<PendingWrite> pending;

  Block block;
  alignas(64) ImplicitArguments implicit;
  alignas(64) DispatchPacket dispatch;
  std::vector<Thread> threads;
  std::vector<LoopCount> loops; ///< of each thread
  std::vector<Warp> warps;
  std::vector<FiberStack> stacks;
  std::vector<LocalStack> locals; ///< one to each stack
  Thread *running = nullptr;
  Warp *runningWarp = nullptr; ///< of a kernel without collectives
  const unsigned *laneOrder = nullptr;
  void *schedulerStack = nullptr;
  bool stopped = false; ///< the launch can't go on
  // The kernel of the launch.
  void (*entry)(Thread *, void **) = nullptr;
  void **parameters = nullptr;
  /// Where accesses that must not happen go; filled with 0xCD.
  alignas(64) char sink[4096];
  std::vector<std::pair<uint64_t, int64_t>> resources; ///< buffer descriptors

  void startRound() { ++clock.round; }
  void endRound();
  /// The next lane, or the same one resumed.
  void startLane(Thread &thread) {
    running = &thread;
    ++clock.lane;
  }
  /// Reports pending writes that changed something.
  void settle();
};

/// The thread the calling host thread runs.
extern thread_local Thread *currentThread;

/// Leaves the fiber of `thread` until the scheduler resumes it.
void yieldTo(Thread &thread, State state);
/// Ends the launch; does not return.
[[noreturn]] void stop(Thread &thread);

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_STATE_H
