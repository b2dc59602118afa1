// PoolTest.cpp - every unit once, whatever the threads, the cores and the load.
#include "runtime/cpu/Pool.h"
#include "lib/Host/CpuInfo.h"

#include <atomic>
#include <gtest/gtest.h>
#include <limits>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace labgen;

namespace {

/// Runs `units` counted units and expects each exactly once.
void expectEachUnitOnce(Pool &pool, int64_t units) {
  std::vector<std::atomic<int>> seen(units);
  pool.run(units, [&](int64_t begin, int64_t end) {
    ASSERT_LE(0, begin);
    ASSERT_LT(begin, end);
    ASSERT_LE(end, units);
    for (int64_t i = begin; i < end; ++i)
      seen[i].fetch_add(1);
  });
  for (int64_t i = 0; i < units; ++i)
    ASSERT_EQ(seen[i].load(), 1) << "unit " << i << " of " << units << " on "
                                 << pool.threads() << " threads";
}

TEST(Pool, CoversEveryUnitOnce) {
  int cores = int(hostCpu().cores.size());
  for (int threads : {1, 2, 3, cores, 4 * cores + 1}) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int64_t units : {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 64, 1009})
      expectEachUnitOnce(pool, units);
  }
}

TEST(Pool, NoThreadsMeansOne) {
  Pool pool(0);
  EXPECT_EQ(pool.threads(), 1);
  expectEachUnitOnce(pool, 10);
}

TEST(Pool, NoUnitsCallNothing) {
  Pool pool(2);
  pool.run(0, [](int64_t, int64_t) { FAIL(); });
  pool.run(-3, [](int64_t, int64_t) { FAIL(); });
}

TEST(Pool, HugeUnitCountsAreCutWithoutOverflow) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  Pool pool(3);
  std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> ranges;
  pool.run(huge, [&](int64_t begin, int64_t end) {
    std::lock_guard<std::mutex> lock(mutex);
    ranges.emplace_back(begin, end);
  });
  std::sort(ranges.begin(), ranges.end());
  EXPECT_EQ(ranges.size(), 24u);
  int64_t at = 0;
  for (auto [begin, end] : ranges) {
    EXPECT_EQ(begin, at);
    at = end;
  }
  EXPECT_EQ(at, huge);
}

TEST(Pool, DealsSeveralChunksPerThread) {
  Pool pool(2);
  std::atomic<int> calls{0};
  pool.run(1000, [&](int64_t, int64_t) { calls.fetch_add(1); });
  EXPECT_EQ(calls.load(), 16);
}

TEST(Pool, ManyShortLaunchesOnMoreThreadsThanCores) {
  Pool pool(4 * int(hostCpu().cores.size()));
  for (int launch = 0; launch < 2000; ++launch) {
    std::atomic<int64_t> sum{0};
    pool.run(37, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        sum.fetch_add(i);
    });
    ASSERT_EQ(sum.load(), 37 * 36 / 2);
  }
}

TEST(Pool, WakesWorkersThatWentToSleep) {
  Pool pool(2);
  for (int launch = 0; launch < 5; ++launch) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    // Each thread waits for the other: one that stays asleep would hang here.
    std::atomic<int> arrived{0};
    pool.run(2, [&](int64_t begin, int64_t end) {
      arrived.fetch_add(int(end - begin));
      while (arrived.load() < 2)
        std::this_thread::yield();
    });
  }
}

TEST(Pool, OthersTakeWhatABusyThreadLeaves) {
  Pool pool(2);
  // Unit 0 does not end before all others have: its thread's share is stolen.
  std::atomic<int> others{0};
  pool.run(16, [&](int64_t begin, int64_t end) {
    ASSERT_EQ(end, begin + 1);
    if (begin != 0)
      others.fetch_add(1);
    else
      while (others.load() < 15)
        std::this_thread::yield();
  });
  EXPECT_EQ(others.load(), 15);
}

TEST(Pool, NestedRunsFinishOnTheirThread) {
  Pool pool(2);
  std::atomic<int64_t> sum{0};
  pool.run(8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      pool.run(10, [&](int64_t b, int64_t e) {
        EXPECT_EQ(b, 0);
        sum.fetch_add(e - b);
      });
  });
  EXPECT_EQ(sum.load(), 80);
}

TEST(Pool, TwoCallersAtOnceBothFinish) {
  Pool pool(2);
  auto caller = [&] {
    for (int launch = 0; launch < 500; ++launch)
      expectEachUnitOnce(pool, 33);
  };
  std::thread other(caller);
  caller();
  other.join();
}

TEST(Pool, ManyPoolsStartAndStop) {
  for (int i = 0; i < 50; ++i) {
    Pool pool(3);
    if (i % 2)
      expectEachUnitOnce(pool, 9);
  }
}

TEST(Pool, WorksInAForkedChild) {
  Pool &pool = Pool::shared(2);
  expectEachUnitOnce(pool, 100);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    std::atomic<int> arrived{0};
    // Needs a second thread in the child, or it never ends.
    pool.run(2, [&](int64_t begin, int64_t end) {
      arrived.fetch_add(int(end - begin));
      while (arrived.load() < 2)
        std::this_thread::yield();
    });
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expectEachUnitOnce(pool, 100);
}

TEST(Pool, SharedPoolsAreOnePerThreadCount) {
  EXPECT_EQ(&Pool::shared(2), &Pool::shared(2));
  EXPECT_NE(&Pool::shared(2), &Pool::shared(1));
  EXPECT_EQ(&Pool::shared(0), &Pool::shared(1));
}

TEST(Pool, PinsNestAndPutAffinityBack) {
  std::vector<int> before = threadCores();
  {
    Pool::Pin outer;
    {
      Pool::Pin inner;
    }
    EXPECT_EQ(threadCores(), std::vector<int>{hostCpu().cores.front()});
  }
  EXPECT_EQ(threadCores(), before);
}

} // namespace
