// Pool.h - the threads that run CPU kernels.
//
// A launch deals each thread its own share of the units in a few chunks; who
// is done early steals chunks from the others, and the caller works too, so a
// launch ends even when no worker gets a core. Shares are the same from launch
// to launch (a kernel finds its data in the same core's cache), and a busy core
// delays the join by one chunk at most.
//
// Workers are pinned, spin for 200 us after a launch and then sleep. The
// calling thread is pinned only while a Pool::Pin is alive: left free, the
// scheduler puts two spinning threads on one core now and then.
#ifndef LABGEN_RUNTIME_CPU_POOL_H
#define LABGEN_RUNTIME_CPU_POOL_H

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace labgen {

class Pool {
public:
  using Function = void (*)(void *context, int64_t begin, int64_t end);

  /// `threads` counts the caller; 1 starts none. Threads go to hostCpu().cores
  /// in order, round and round when there are more threads than cores.
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// One pool per thread count, shared by the process and never destroyed.
  static Pool &shared(int threads);

  int threads() const { return count; }

  /// Calls `fn(context, begin, end)` until 0..units is covered, once each, and
  /// waits for the end. Called from inside a running body, or while another
  /// thread is in run, it does the whole range on the calling thread.
  void run(int64_t units, Function fn, void *context);

  /// The same for a callable taking (int64_t begin, int64_t end).
  template <typename Body> void run(int64_t units, Body &&body) {
    using Callable = std::remove_reference_t<Body>;
    run(
        units,
        [](void *context, int64_t begin, int64_t end) {
          (*static_cast<Callable *>(context))(begin, end);
        },
        const_cast<void *>(static_cast<const void *>(&body)));
  }

  /// Keeps the calling thread on the first core while it lives, then puts its
  /// affinity back. Nests; must be destroyed on the thread that made it.
  class Pin {
  public:
    Pin();
    ~Pin();
    Pin(const Pin &) = delete;
    Pin &operator=(const Pin &) = delete;
  };

private:
  struct State;
  void start();
  void stop();

  int count;
  std::unique_ptr<State> state;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_CPU_POOL_H
