// WorkersTest.cpp - launches that are large enough to be put together and
// undone on several host threads: workers change nothing that is told.
#include "Faults.h"

namespace labgen::emu {
namespace {

constexpr uint32_t threads = 256, blocks = 2304, size = blocks * threads;

/// out[i] += in[i] + in[size - 1 - i] for 2.25 MiB, then `more`: all workers
/// read all of `in`.
std::string addition(const std::string &more) {
  return kernel("  %h = mul i32 %b, 256\n  %g = add i32 %h, %t\n"
                "  %p = getelementptr i32, ptr addrspace(1) %in, i32 %g\n"
                "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %g\n"
                "  %x = load i32, ptr addrspace(1) %p, align 4\n"
                "  %y = load i32, ptr addrspace(1) %q, align 4\n"
                "  %m = sub i32 " +
                std::to_string(size - 1) +
                ", %g\n"
                "  %r = getelementptr i32, ptr addrspace(1) %in, i32 %m\n"
                "  %v = load i32, ptr addrspace(1) %r, align 4\n"
                "  %w = add i32 %v, %x\n"
                "  %z = add i32 %w, %y\n"
                "  store i32 %z, ptr addrspace(1) %q, align 4\n" +
                more);
}

struct Sum {
  Sum(const std::string &text, unsigned workers) : device(text) {
    device.options.workers = workers;
    std::vector<uint32_t> ones(size, 1), values(size + 5);
    for (uint32_t i = 0; i < size; ++i)
      values[i] = i;
    in = device.buffer("in", ones, Role::Input);
    out = device.buffer("out", values);
  }
  Report run(uint32_t grid = blocks) {
    return device.run("k", {grid, 1, 1}, {threads, 1, 1},
                      {pointer(in), pointer(out)});
  }
  Device device;
  unsigned in, out;
};

TEST(Workers, CountEachLaunchByItself) {
  for (unsigned workers : {1u, 2u, 3u}) {
    Sum sum(addition(""), workers);
    Report report = sum.run();
    expectClean(report);
    EXPECT_EQ(report.counters.uniqueBytesRead, 8u * size);
    EXPECT_EQ(report.counters.uniqueBytesWritten, 4u * size);
    // A part of it again, and an odd one: what the last launch touched is not
    // counted anew.
    report = sum.run(blocks / 2 + 1);
    expectClean(report);
    EXPECT_EQ(report.counters.uniqueBytesRead,
              4u * (size + size / 2 + threads));
    EXPECT_EQ(report.counters.uniqueBytesWritten, 4u * (size / 2 + threads));
    EXPECT_EQ(sum.device.memory->usage(sum.out).bytesWritten, 4u * size);
    EXPECT_EQ(sum.device.memory->usage(sum.in).bytesRead, 4u * size);
    std::vector<uint32_t> values = sum.device.read<uint32_t>(sum.out);
    for (uint32_t i = 0; i < size; ++i)
      ASSERT_EQ(values[i], i + 2 + 2 * (i < size / 2 + threads)) << i;
  }
}

TEST(Workers, UndoWhatMayBeARace) {
  // Every block writes its number behind the last element.
  std::string text =
      addition("  %e = getelementptr i32, ptr addrspace(1) %out, i32 " +
               std::to_string(size + 4) +
               "\n  store i32 %b, ptr addrspace(1) %e, align 4\n");
  Sum one(text, 1);
  Report expected = one.run();
  expectFinding(expected, Check::Racecheck,
                "write of what another block writes");
  for (unsigned workers : {2u, 3u}) {
    Sum sum(text, workers);
    Report report = sum.run();
    EXPECT_EQ(allText(report), allText(expected));
    EXPECT_EQ(report.counters.entries(), expected.counters.entries());
    // Added once, though the launch ran twice.
    EXPECT_EQ(sum.device.read<uint32_t>(sum.out),
              one.device.read<uint32_t>(one.out));
  }
}

} // namespace
} // namespace labgen::emu
