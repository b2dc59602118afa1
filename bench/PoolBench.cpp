// PoolBench.cpp - what a launch costs.
//
// Prints launch and join of an empty body beside the least two cores can do
// (one atomic there and back) and the usual alternative (a new std::thread),
// all in one run, since each of them moves with the machine. "every thread"
// makes each thread wait inside the body until all have arrived: a join no
// thread could skip.
#include "lib/Host/CpuInfo.h"
#include "runtime/cpu/Pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

using namespace labgen;

namespace {

constexpr double allowedPingPongs = 3;

/// Median over rounds of the seconds one of `repeats` calls takes.
template <typename Body>
double secondsPerCall(int rounds, int repeats, const Body &body) {
  std::vector<double> seconds;
  for (int r = 0; r < rounds; ++r) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i)
      body();
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    seconds.push_back(taken.count() / repeats);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// One cache line to the second core and back.
double pingPong() {
  alignas(128) std::atomic<int64_t> ping{0};
  alignas(128) std::atomic<int64_t> pong{0};
  std::thread partner([&] {
    setThreadCores({hostCpu().cores[1]});
    for (int64_t seen = 0; seen >= 0;) {
      int64_t now = ping.load(std::memory_order_acquire);
      if (now == seen)
        continue;
      seen = now;
      pong.store(now, std::memory_order_release);
    }
  });
  int64_t turn = 0;
  auto exchange = [&] {
    ping.store(++turn, std::memory_order_release);
    while (pong.load(std::memory_order_acquire) != turn) {
    }
  };
  exchange();
  double seconds = secondsPerCall(21, 5000, exchange);
  ping.store(-1, std::memory_order_release);
  partner.join();
  return seconds;
}

double emptyLaunch(Pool &pool) {
  return secondsPerCall(
      21, 5000, [&] { pool.run(pool.threads(), [](int64_t, int64_t) {}); });
}

double fullLaunch(Pool &pool) {
  alignas(128) std::atomic<int> arrived{0};
  return secondsPerCall(21, 2000, [&] {
    arrived.store(0, std::memory_order_relaxed);
    pool.run(pool.threads(), [&](int64_t begin, int64_t end) {
      arrived.fetch_add(int(end - begin), std::memory_order_acq_rel);
      while (arrived.load(std::memory_order_acquire) < pool.threads())
        __builtin_ia32_pause();
    });
  });
}

void print(const char *what, double seconds, double roundTrip) {
  std::printf("%-44s %9.2f us", what, seconds * 1e6);
  if (roundTrip > 0)
    std::printf("   %6.2f ping-pongs", seconds / roundTrip);
  std::printf("\n");
}

} // namespace

int main() {
  int cores = int(hostCpu().cores.size());
  std::printf("%s, %d cores\n", hostCpu().model.c_str(), cores);
  Pool::Pin pin;
  if (cores < 2) {
    std::printf("one core: a launch is a call, nothing to join\n");
    return 0;
  }
  Pool &pair = Pool::shared(2);
  double roundTrip = pingPong();
  print("atomic ping-pong, core 0 to core 1 and back", roundTrip, 0);
  double launch = emptyLaunch(pair);
  print("launch + join, empty body, 2 threads", launch, roundTrip);
  print("launch + join, every thread, 2 threads", fullLaunch(pair), roundTrip);
  if (cores > 2) {
    Pool &all = Pool::shared(cores);
    print("launch + join, empty body, all cores", emptyLaunch(all), roundTrip);
    print("launch + join, every thread, all cores", fullLaunch(all), roundTrip);
  }
  print("std::thread start + join",
        secondsPerCall(21, 20,
                       [] {
                         std::thread([] {
                           setThreadCores({hostCpu().cores[1]});
                         }).join();
                       }),
        roundTrip);
  std::printf("launch + join of an empty body: %s (limit %.0f ping-pongs)\n",
              launch <= allowedPingPongs * roundTrip ? "within" : "ABOVE",
              allowedPingPongs);
  return 0;
}
