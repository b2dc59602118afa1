// Pool.cpp - dealing, stealing, spinning and sleeping.
//
// Each thread has a lane: one 64-bit word {generation, chunks, next} that is
// both the signal of a launch and the counter chunks are taken from. A taken
// chunk keeps its launch from ending, so whoever holds one may read the job.
#include "runtime/cpu/Pool.h"
#include "lib/Host/CpuInfo.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <linux/futex.h>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace labgen;

namespace {

constexpr int64_t chunksPerThread = 8;
constexpr std::chrono::microseconds workerSpin(200);
constexpr std::chrono::microseconds callerSpin(50);

/// First index of part `i` when `total` is cut into `parts` equal parts.
int64_t cut(int64_t total, int64_t parts, int64_t i) {
  return total / parts * i + std::min(total % parts, i);
}

// A lane's word.
constexpr uint64_t word(uint32_t generation, int64_t chunks) {
  return uint64_t(generation) << 32 | uint64_t(chunks) << 16;
}
constexpr uint32_t generationOf(uint64_t w) { return uint32_t(w >> 32); }
constexpr int64_t chunksOf(uint64_t w) { return w >> 16 & 0xffff; }
constexpr int64_t nextOf(uint64_t w) { return w & 0xffff; }

// 128: the prefetcher pulls lines in pairs.
struct alignas(128) Lane {
  std::atomic<uint64_t> deal{0};
  std::atomic<uint32_t> asleep{0};
};

void futexWait(std::atomic<uint32_t> &flag, uint32_t value) {
  syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void futexWake(std::atomic<uint32_t> &flag) {
  syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

/// Spins until `done()` or the time is over; returns whether it is done.
template <typename Done>
bool spin(std::chrono::microseconds limit, const Done &done) {
  // The first looks read no clock: most launches end within them.
  constexpr int looksPerClockRead = 64;
  std::chrono::steady_clock::time_point end;
  for (bool started = false;; started = true) {
    for (int i = 0; i < looksPerClockRead; ++i) {
      if (done())
        return true;
      __builtin_ia32_pause();
    }
    auto now = std::chrono::steady_clock::now();
    if (!started)
      end = now + limit;
    else if (now >= end)
      return false;
  }
}

/// Counts forks: a child has none of its parent's threads.
std::atomic<int> forks{0};
void watchForks() {
  static const int once =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
  (void)once;
}

} // namespace

struct Pool::State {
  explicit State(int threads) : lanes(threads) {}

  std::vector<Lane> lanes;
  alignas(128) std::atomic<int64_t> unfinished{0}; ///< chunks of this launch
  alignas(128) std::atomic<bool> busy{false};
  std::atomic<bool> stopping{false};
  std::chrono::microseconds idleSpin{0};
  uint32_t generation = 0;
  int bornInFork = 0;
  std::vector<pthread_t> workers;

  // The job of this launch.
  Function fn = nullptr;
  void *context = nullptr;
  int64_t units = 0;

  int64_t take(Lane &lane) {
    // A look first, so that an empty lane's line stays shared.
    uint64_t seen = lane.deal.load(std::memory_order_acquire);
    if (nextOf(seen) >= chunksOf(seen))
      return -1;
    uint64_t taken = lane.deal.fetch_add(1, std::memory_order_acq_rel);
    return nextOf(taken) < chunksOf(taken) ? nextOf(taken) : -1;
  }

  /// Own chunks first, then the others'; returns how many it did.
  int64_t work(size_t self) {
    int64_t done = 0;
    for (size_t i = 0; i < lanes.size(); ++i) {
      size_t lane = (self + i) % lanes.size();
      for (int64_t c; (c = take(lanes[lane])) >= 0; ++done) {
        int64_t parts = int64_t(lanes.size());
        int64_t first = cut(units, parts, int64_t(lane));
        int64_t size = cut(units, parts, int64_t(lane) + 1) - first;
        int64_t chunks = std::min(size, chunksPerThread);
        fn(context, first + cut(size, chunks, c),
           first + cut(size, chunks, c + 1));
      }
    }
    return done;
  }

  void publish(Lane &lane, int64_t chunks) {
    lane.deal.store(word(generation, chunks), std::memory_order_seq_cst);
    if (lane.asleep.load(std::memory_order_seq_cst)) {
      lane.asleep.store(0, std::memory_order_relaxed);
      futexWake(lane.asleep);
    }
  }

  uint32_t awaitDeal(Lane &lane, uint32_t seen) {
    uint32_t now = seen;
    auto dealt = [&] {
      now = generationOf(lane.deal.load(std::memory_order_seq_cst));
      return now != seen;
    };
    if (spin(idleSpin, dealt))
      return now;
    while (true) {
      lane.asleep.store(1, std::memory_order_seq_cst);
      if (dealt()) {
        lane.asleep.store(0, std::memory_order_relaxed);
        return now;
      }
      futexWait(lane.asleep, 1);
      if (dealt())
        return now;
    }
  }

  void workerLoop(size_t self) {
    const std::vector<int> &cores = hostCpu().cores;
    setThreadCores({cores[self % cores.size()]});
    for (uint32_t seen = 0;;) {
      seen = awaitDeal(lanes[self], seen);
      if (stopping.load(std::memory_order_acquire))
        return;
      if (int64_t done = work(self))
        unfinished.fetch_sub(done, std::memory_order_release);
    }
  }
};

Pool::Pool(int threads) : count(std::max(1, threads)) { start(); }

Pool::~Pool() { stop(); }

void Pool::start() {
  watchForks();
  const CpuInfo &cpu = hostCpu();
  state = std::make_unique<State>(count);
  state->bornInFork = forks.load();
  // Spinning pays only where each thread has a core.
  if (size_t(count) <= cpu.cores.size())
    state->idleSpin = workerSpin;
  struct Start {
    State *state;
    size_t self;
  };
  for (int i = 1; i < count; ++i) {
    auto *arg = new Start{state.get(), size_t(i)};
    pthread_t thread;
    int failed = pthread_create(
        &thread, nullptr,
        [](void *p) -> void * {
          std::unique_ptr<Start> arg(static_cast<Start *>(p));
          arg->state->workerLoop(arg->self);
          return nullptr;
        },
        arg);
    if (failed) {
      // Out of threads: what a missing worker leaves, the others steal.
      delete arg;
      break;
    }
    state->workers.push_back(thread);
  }
}

void Pool::stop() {
  if (state->bornInFork != forks.load()) {
    // The threads stayed with the parent; so does, in effect, their state.
    state.release();
    return;
  }
  state->stopping.store(true, std::memory_order_release);
  ++state->generation;
  for (size_t i = 1; i <= state->workers.size(); ++i)
    state->publish(state->lanes[i], 0);
  for (pthread_t worker : state->workers)
    pthread_join(worker, nullptr);
}

Pool &Pool::shared(int threads) {
  static std::mutex mutex;
  static auto &pools = *new std::map<int, std::unique_ptr<Pool>>();
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Pool> &pool = pools[std::max(1, threads)];
  if (!pool)
    pool = std::make_unique<Pool>(threads);
  return *pool;
}

void Pool::run(int64_t units, Function fn, void *context) {
  if (units <= 0)
    return;
  if (count == 1 || units == 1) {
    fn(context, 0, units);
    return;
  }
  if (state->bornInFork != forks.load(std::memory_order_relaxed)) {
    stop();
    start();
  }
  State &s = *state;
  if (s.busy.exchange(true, std::memory_order_acquire)) {
    fn(context, 0, units);
    return;
  }
  s.fn = fn;
  s.context = context;
  s.units = units;
  auto chunksOfLane = [&](int64_t lane) {
    return std::min(cut(units, count, lane + 1) - cut(units, count, lane),
                    chunksPerThread);
  };
  int64_t chunks = 0;
  for (int i = 0; i < count; ++i)
    chunks += chunksOfLane(i);
  s.unfinished.store(chunks, std::memory_order_relaxed);
  ++s.generation;
  for (int i = 1; i < count; ++i)
    if (int64_t own = chunksOfLane(i))
      s.publish(s.lanes[i], own);
  s.lanes[0].deal.store(word(s.generation, chunksOfLane(0)),
                        std::memory_order_release);

  s.unfinished.fetch_sub(s.work(0), std::memory_order_acq_rel);
  auto joined = [&] {
    return s.unfinished.load(std::memory_order_acquire) == 0;
  };
  // The holder of a chunk may be waiting for this very core.
  if (!spin(callerSpin, joined))
    while (!joined())
      sched_yield();
  s.busy.store(false, std::memory_order_release);
}

namespace {
thread_local int pinDepth = 0;
thread_local std::vector<int> coresBeforePin;
} // namespace

Pool::Pin::Pin() {
  if (pinDepth++ > 0)
    return;
  const std::vector<int> &cores = hostCpu().cores;
  coresBeforePin = threadCores();
  setThreadCores({cores.front()});
}

Pool::Pin::~Pin() {
  if (--pinDepth == 0)
    setThreadCores(coresBeforePin);
}
