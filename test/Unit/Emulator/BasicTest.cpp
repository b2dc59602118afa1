// BasicTest.cpp - right results, exact counters and no finding in kernels that
// are right, on any number of workers and in any order.
#include "Device.h"

#include <cmath>
#include <random>

namespace labgen::emu {
namespace {

std::vector<float> numbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> small(-8, 8);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(small(random)) / 4;
  return values;
}

TEST(Basic, AxpyIsExactAndCounted) {
  Device device(kernelText("basic.nvptx.ll"));
  const size_t n = 10003;
  std::vector<float> x = numbers(n, 1), y = numbers(n, 2);
  unsigned bx = device.buffer("x", x, Role::Input), by = device.buffer("y", y);
  uint32_t grid = (n + 1023) / 1024;
  Report report =
      device.run("axpy", {grid, 1, 1}, {256, 1, 1},
                 {scalar(int64_t(n)), scalar(1.5f), pointer(bx), pointer(by)});
  expectClean(report);
  std::vector<float> result = device.read<float>(by);
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(result[i], std::fma(1.5f, x[i], y[i])) << i;
  const Counters &counters = report.counters;
  EXPECT_EQ(counters.threads, grid * 256);
  EXPECT_EQ(counters.bytesRead, 8 * n);
  EXPECT_EQ(counters.bytesWritten, 4 * n);
  EXPECT_EQ(counters.uniqueBytesRead, 8 * n);
  EXPECT_EQ(counters.uniqueBytesWritten, 4 * n);
  EXPECT_EQ(counters.flops, 2 * n);
  // 10000 elements in whole vectors: 1250 sectors an operand; the last three
  // elements one sector an access, of one thread.
  EXPECT_EQ(counters.sectorsRead, 2 * (1250 + 3));
  EXPECT_EQ(counters.sectorsWritten, 1250 + 3);
  EXPECT_EQ(counters.idealSectorsRead, 2 * (1250 + 3));
  EXPECT_EQ(device.memory->usage(bx).bytesRead, 4 * n);
  EXPECT_EQ(device.memory->usage(by).bytesWritten, 4 * n);
}

TEST(Basic, ReduceInAnyOrder) {
  const size_t n = 20000;
  std::vector<float> x = numbers(n, 3);
  uint32_t blocks = (n + 255) / 256;
  for (unsigned workers : {1, 2})
    for (std::optional<uint64_t> seed :
         {std::optional<uint64_t>(), std::optional<uint64_t>(7)}) {
      Device device(kernelText("basic.nvptx.ll"));
      device.options.workers = workers;
      device.options.orderSeed = seed;
      unsigned bx = device.buffer("x", x, Role::Input),
               out = device.output<float>("out", blocks);
      Report report =
          device.run("reduce", {blocks, 1, 1}, {256, 1, 1},
                     {scalar(int64_t(n)), pointer(bx), pointer(out)});
      expectClean(report);
      std::vector<float> sums = device.read<float>(out);
      for (uint32_t b = 0; b < blocks; ++b) {
        float sum = 0;
        for (size_t i = b * 256; i < std::min<size_t>(n, b * 256 + 256); ++i)
          sum += x[i];
        ASSERT_EQ(sums[b], sum) << b;
      }
      const Counters &counters = report.counters;
      EXPECT_EQ(counters.barriers, blocks);
      EXPECT_EQ(counters.warpCollectives, blocks * (8 * 5 + 5));
      EXPECT_EQ(counters.bytesRead, 4 * n);
      EXPECT_EQ(counters.sectorsRead, n / 8);
      EXPECT_EQ(counters.sharedBytesWritten, blocks * 32);
      EXPECT_EQ(counters.sharedBytesRead, blocks * 32);
      EXPECT_EQ(counters.bankConflicts, 0u);
      EXPECT_EQ(counters.flops, blocks * (256 * 5 + 32 * 5));
      // Each warp splits where its first lane leads; the first also where 8
      // lanes read, and where one writes.
      EXPECT_EQ(counters.divergentBranches, blocks * (8 + 2));
    }
}

} // namespace
} // namespace labgen::emu
