// HostParallel.cpp - the shared pool, with progress drawn by the calling
// thread between two of its own chunks.
#include "runtime/cpu/HostParallel.h"

#include "lib/Host/CpuInfo.h"
#include "runtime/cpu/Pool.h"
#include "runtime/report/Progress.h"

#include <atomic>
#include <chrono>
#include <pthread.h>

using namespace labgen;

ParallelFor labgen::hostParallel(const std::string &what,
                                 const std::string &current,
                                 double afterSeconds) {
  Pool &pool = Pool::shared(int(hostCpu().cores.size()));
  return [&pool, what, current, afterSeconds](
             int64_t n, const std::function<void(int64_t, int64_t)> &body) {
    using Clock = std::chrono::steady_clock;
    Progress progress(what);
    Clock::time_point start = Clock::now();
    pthread_t caller = pthread_self();
    std::atomic<int64_t> done{0};
    pool.run(n, [&](int64_t begin, int64_t end) {
      body(begin, end);
      int64_t sofar = done += end - begin;
      std::chrono::duration<double> taken = Clock::now() - start;
      if (pthread_equal(caller, pthread_self()) && taken.count() > afterSeconds)
        progress.show(size_t(sofar), size_t(n), current);
    });
  };
}
