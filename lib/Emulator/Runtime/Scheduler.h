// Scheduler.h - runs the threads of one block on one worker.
//
// Kernels without collectives run thread after thread on one fiber. Others have
// a fiber per thread: a warp's lanes run until each waits or has exited, then
// one collective is executed for the lanes it needs, and so on; when no warp
// can go on, a barrier opens.
#ifndef LABGEN_EMULATOR_RUNTIME_SCHEDULER_H
#define LABGEN_EMULATOR_RUNTIME_SCHEDULER_H

#include "lib/Emulator/Emulator.h"
#include "lib/Emulator/Runtime/State.h"

#include <random>

namespace labgen::emu {

class Scheduler {
public:
  Scheduler(Worker &worker, const Launch &launch, bool fibers,
            std::optional<uint64_t> orderSeed);
  /// Stacks and threads of the launch; false when there is no memory.
  bool prepare();
  /// Runs a block; worker.stopped tells that the launch ends with it.
  void runBlock(uint64_t linear);

private:
  void runPlain();
  void runFibers();
  bool runWarp(Warp &warp);
  void resumeReady(Warp &warp);
  bool runCollective(Warp &warp, bool force);
  void execute(Warp &warp, const Thread &first, uint64_t mask);
  bool openBarrier();
  void release(uint32_t id);
  bool breakDeadlock();
  void report(const Thread &thread, const char *message, std::string detail);

  Worker &worker;
  const Launch &launch;
  bool fibers;
  std::optional<std::mt19937_64> random;
  uint64_t seed = 0;
  std::vector<unsigned> laneOrder, warpOrder;
  std::array<uint32_t, 16> arrived{}; ///< by barrier: arrivals without waiting
};

} // namespace labgen::emu

#endif // LABGEN_EMULATOR_RUNTIME_SCHEDULER_H
