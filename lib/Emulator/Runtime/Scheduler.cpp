// Scheduler.cpp - blocks, warps and lanes; barriers and collectives are in
// Synchronize.cpp.
#include "lib/Emulator/Runtime/Scheduler.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace labgen::emu {

Scheduler::Scheduler(Worker &worker, const Launch &launch, bool fibers,
                     std::optional<uint64_t> orderSeed)
    : worker(worker), launch(launch), fibers(fibers) {
  if (orderSeed) {
    seed = *orderSeed;
    random.emplace(seed);
  }
}

// The first thing on a fiber of a thread.
static void threadMain() {
  Thread &thread = *currentThread;
  thread.worker->entry(&thread, thread.worker->parameters);
  yieldTo(thread, State::Exited);
}

// The first thing on the fiber that runs all threads of a block, a warp at a
// time, whenever the scheduler has set one.
static void plainMain() {
  Worker &worker = *currentThread->worker;
  for (;;) {
    Warp &warp = *worker.runningWarp;
    for (unsigned i = 0; i < worker.module.warpSize; ++i) {
      unsigned lane = worker.laneOrder[i];
      if (lane >= warp.count)
        continue;
      Thread &thread = warp.threads[lane];
      currentThread = &thread;
      worker.startLane(thread);
      worker.entry(&thread, worker.parameters);
    }
    yieldTo(*currentThread, State::Exited);
  }
}

// Stacks start in pages, and what lies at the same place in its page shares few
// sets of the caches. So each thread starts some lines of 64 bytes further down
// than the one before; 21 has no divisor in common with a page's 64 lines.
constexpr size_t mostUnused = 4096;
static size_t unusedOf(uint32_t thread) {
  return thread * (21 * 64) % mostUnused;
}

/// What the runtime's own functions take.
constexpr size_t stackReserve = 16 << 10;

bool Scheduler::prepare() {
  Block &block = worker.block;
  std::copy_n(launch.block.begin(), 3, block.ntid);
  std::copy_n(launch.grid.begin(), 3, block.nctaid);
  block.threads = launch.block[0] * launch.block[1] * launch.block[2];
  unsigned warpSize = worker.module.warpSize;
  block.warps = (block.threads + warpSize - 1) / warpSize;
  block.dynamicShared = launch.dynamicShared;
  block.totalShared = worker.module.sharedBytes + launch.dynamicShared;
  block.shared = worker.shared;

  worker.implicit = {};
  worker.dispatch = {};
  for (unsigned i = 0; i < 3; ++i) {
    worker.implicit.blockCount[i] = launch.grid[i];
    worker.implicit.groupSize[i] = uint16_t(launch.block[i]);
    worker.dispatch.groupSize[i] = uint16_t(launch.block[i]);
    worker.dispatch.gridSize[i] = launch.grid[i] * launch.block[i];
  }
  worker.dispatch.groupSegment = block.totalShared;
  block.implicit = &worker.implicit;
  block.dispatch = &worker.dispatch;

  worker.sharedShadow.resize(block.totalShared, worker.module.logSharedCell);
  size_t stacks = fibers ? block.threads : 1;
  if (worker.stacks.size() < stacks) {
    worker.stacks.resize(stacks);
    worker.locals.resize(stacks);
  }
  // Recursion needs more than each frame once.
  size_t localBytes = worker.module.localBytes;
  localBytes += localBytes ? 16 << 10 : 0;
  for (size_t i = 0; i < stacks; ++i)
    if (!worker.stacks[i].ensure(worker.module.stackBytes + stackReserve +
                                 (32 << 10) + mostUnused) ||
        !worker.locals[i].ensure(localBytes))
      return false;

  worker.threads.assign(block.threads, Thread());
  worker.loops.assign(block.threads, LoopCount());
  for (uint32_t i = 0; i < block.threads; ++i) {
    Thread &thread = worker.threads[i];
    thread.tid[0] = i % launch.block[0];
    thread.tid[1] = i / launch.block[0] % launch.block[1];
    thread.tid[2] = i / launch.block[0] / launch.block[1];
    thread.linear = i;
    thread.lane = i % warpSize;
    thread.warp = i / warpSize;
    thread.block = &block;
    thread.worker = &worker;
    const FiberStack &stack = worker.stacks[fibers ? i : 0];
    // Whoever is called above it may enter its frame and one of the runtime's.
    thread.stackLimit =
        stack.low() + stackReserve + 2 * worker.module.largestFrame;
    thread.locals = &worker.locals[fibers ? i : 0];
    thread.locals->reset();
  }
  worker.warps.assign(block.warps, Warp());
  for (uint32_t i = 0; i < block.warps; ++i) {
    worker.warps[i].threads = &worker.threads[i * warpSize];
    worker.warps[i].count = std::min(warpSize, block.threads - i * warpSize);
  }
  laneOrder.resize(warpSize);
  std::iota(laneOrder.begin(), laneOrder.end(), 0);
  warpOrder.resize(block.warps);
  std::iota(warpOrder.begin(), warpOrder.end(), 0);
  return true;
}

void Scheduler::runBlock(uint64_t linear) {
  Block &block = worker.block;
  block.linear = linear;
  block.ctaid[0] = uint32_t(linear % launch.grid[0]);
  block.ctaid[1] = uint32_t(linear / launch.grid[0] % launch.grid[1]);
  block.ctaid[2] = uint32_t(linear / launch.grid[0] / launch.grid[1]);
  worker.global.startBlock();
  worker.sharedShadow.startBlock();
  worker.resources.clear();
  std::memset(worker.shared, 0xCD, block.totalShared);
  if (random) {
    random->seed(seed * 0x9E3779B97F4A7C15 + linear);
    std::shuffle(warpOrder.begin(), warpOrder.end(), *random);
    std::shuffle(laneOrder.begin(), laneOrder.end(), *random);
  }
  fibers ? runFibers() : runPlain();
  worker.counters.threads += block.threads;
}

void Scheduler::runPlain() {
  currentThread = worker.threads.data();
  worker.laneOrder = laneOrder.data();
  void *stack = worker.stacks[0].start(plainMain);
  for (unsigned w : warpOrder) {
    worker.runningWarp = &worker.warps[w];
    worker.startRound();
    switchFiber(&worker.schedulerStack, stack);
    stack = currentThread->stackPointer;
    if (worker.stopped)
      return;
    worker.endRound();
  }
}

void Scheduler::runFibers() {
  arrived.fill(0);
  for (uint32_t i = 0; i < worker.block.threads; ++i) {
    Thread &thread = worker.threads[i];
    thread.state = State::Ready;
    thread.sync = 0;
    thread.locals->reset();
    thread.stackPointer = worker.stacks[i].start(threadMain, unusedOf(i));
  }
  for (Warp &warp : worker.warps)
    warp.sync = 0;
  for (;;) {
    bool progress = false;
    for (unsigned w : warpOrder) {
      progress |= runWarp(worker.warps[w]);
      if (worker.stopped)
        return;
    }
    bool done = true;
    for (const Thread &thread : worker.threads)
      done &= thread.state == State::Exited;
    if (done)
      return;
    if (openBarrier() || progress)
      continue;
    if (!breakDeadlock()) {
      worker.stopped = true;
      return;
    }
  }
}

void Scheduler::resumeReady(Warp &warp) {
  worker.startRound();
  for (unsigned lane : laneOrder) {
    if (lane >= warp.count || warp.threads[lane].state != State::Ready)
      continue;
    Thread &thread = warp.threads[lane];
    currentThread = &thread;
    worker.startLane(thread);
    switchFiber(&worker.schedulerStack, thread.stackPointer);
    if (worker.stopped)
      return;
  }
  worker.endRound();
}

bool Scheduler::runWarp(Warp &warp) {
  bool progress = false;
  for (;;) {
    bool ready = false;
    for (unsigned i = 0; i < warp.count; ++i)
      ready |= warp.threads[i].state == State::Ready;
    if (ready) {
      progress = true;
      resumeReady(warp);
      if (worker.stopped)
        return true;
    }
    if (!runCollective(warp, /*force=*/false))
      return progress;
  }
}

} // namespace labgen::emu
