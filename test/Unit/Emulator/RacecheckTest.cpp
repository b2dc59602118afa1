// RacecheckTest.cpp - races in shared memory and between blocks, and the orders
// and equal values that make none.
#include "Faults.h"

namespace labgen::emu {
namespace {

/// Reverses 64 elements through shared memory.
std::string reverse(const std::string &between) {
  return kernel(
      "  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %t\n"
      "  store i32 %t, ptr addrspace(3) %p, align 4\n" +
      between +
      "  %i = sub i32 63, %t\n"
      "  %g = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %i\n"
      "  %v = load i32, ptr addrspace(3) %g, align 4\n"
      "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
      "  store i32 %v, ptr addrspace(1) %q, align 4");
}

TEST(Racecheck, MissingBarrier) {
  expectClean(Trial(reverse(barrier)).report);
  Report report = Trial(reverse("")).report;
  std::string text = allText(report);
  EXPECT_NE(text.find("racecheck: read without a barrier after a write by "
                      "thread ("),
            std::string::npos)
      << text;
}

TEST(Racecheck, WriteAfterRead) {
  std::string again = "\n  store i32 5, ptr addrspace(3) %p, align 4\n";
  expectClean(
      Trial(reverse(barrier).replace(reverse(barrier).find("\n  ret void"), 0,
                                     "\n" + barrier + again))
          .report);
  std::string text = reverse(barrier);
  text.insert(text.find("\n  ret void"), again);
  expectFinding(Trial(text).report, Check::Racecheck,
                "write without a barrier after a read by");
}

TEST(Racecheck, OneValueByAllIsBenign) {
  auto text = [](const std::string &value) {
    return kernel("  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 "
                  "0, i32 0\n  store i32 " +
                  value + ", ptr addrspace(3) %p, align 4\n" + barrier +
                  "  %v = load i32, ptr addrspace(3) %p, align 4\n"
                  "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                  "  store i32 %v, ptr addrspace(1) %q, align 4");
  };
  expectClean(Trial(text("7")).report);
  expectFinding(Trial(text("%t")).report, Check::Racecheck,
                "write without a barrier after a write by");
}

TEST(Racecheck, AtomicsInSharedMemory) {
  // All threads add to one element; with a plain store in between, or not.
  auto text = [](const std::string &between) {
    return kernel("  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 "
                  "0, i32 0\n"
                  "  %x = atomicrmw xchg ptr addrspace(3) %p, i32 0 "
                  "monotonic, align 4\n" +
                  between +
                  "  %y = atomicrmw add ptr addrspace(3) %p, i32 1 "
                  "monotonic, align 4\n" +
                  barrier + "  %v = load i32, ptr addrspace(3) %p, align 4\n");
  };
  expectClean(Trial(text("")).report);
  expectFinding(
      Trial(text("  store i32 %t, ptr addrspace(3) %p, align 4\n")).report,
      Check::Racecheck, "without a barrier after a write by");
}

TEST(Racecheck, WarpBarrierOrdersAWarp) {
  // Neighbours of one warp exchange, all 32 at once.
  auto text = [](const std::string &between) {
    return kernel(
        "  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %t\n"
        "  store i32 %t, ptr addrspace(3) %p, align 4\n" +
        between +
        "  %i = xor i32 %t, 1\n"
        "  %g = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %i\n"
        "  %v = load i32, ptr addrspace(3) %g, align 4\n" +
        between + "  store i32 %v, ptr addrspace(3) %p, align 4\n");
  };
  expectClean(
      Trial(text("  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n")).report);
  EXPECT_FALSE(Trial(text("")).report.findings.empty());
}

TEST(Racecheck, BlocksOfGlobalMemory) {
  // Two blocks write the same 64 elements: all different, all the same value,
  // or their own halves.
  auto text = [](const std::string &value, const std::string &index) {
    return kernel("  %x = add i32 %b, 1\n  %h = mul i32 %b, 32\n"
                  "  %own = add i32 %h, %t\n"
                  "  %q = getelementptr i32, ptr addrspace(1) %out, i32 " +
                  index + "\n  store i32 " + value +
                  ", ptr addrspace(1) %q, align 4");
  };
  for (unsigned workers : {1u, 2u}) {
    Report report =
        Trial(text("%x", "%t"), {2, 1, 1}, {32, 1, 1}, workers).report;
    expectFinding(report, Check::Racecheck,
                  "write of what another block writes");
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].count, 32u);
    EXPECT_EQ(report.findings[0].buffer, "out");
    EXPECT_EQ(report.findings[0].block, (std::array<uint32_t, 3>{1, 0, 0}));
    expectClean(Trial(text("7", "%t"), {2, 1, 1}, {32, 1, 1}, workers).report);
    expectClean(
        Trial(text("%x", "%own"), {2, 1, 1}, {32, 1, 1}, workers).report);
  }
}

TEST(Racecheck, NeighbouringBytesAreNoRace) {
  std::string text =
      kernel("  %h = mul i32 %b, 3\n  %own = add i32 %h, %t\n"
             "  %q = getelementptr i8, ptr addrspace(1) %out, i32 %own\n"
             "  store i8 7, ptr addrspace(1) %q, align 1");
  for (unsigned workers : {1u, 2u})
    expectClean(Trial(text, {8, 1, 1}, {3, 1, 1}, workers).report);
}

TEST(Racecheck, AtomicsBetweenBlocks) {
  auto text = [](const std::string &operation) {
    return kernel("  %q = getelementptr i32, ptr addrspace(1) %in, i32 0\n" +
                  operation);
  };
  for (unsigned workers : {1u, 2u}) {
    Device device(
        text("  %v = atomicrmw add ptr addrspace(1) %q, i32 1 syncscope("
             "\"device\") monotonic, align 4"));
    device.options.workers = workers;
    std::vector<uint32_t> zero(1);
    unsigned sum = device.buffer("sum", zero);
    Report report =
        device.run("k", {64, 1, 1}, {32, 1, 1}, {pointer(sum), pointer(sum)});
    expectClean(report);
    EXPECT_EQ(device.read<uint32_t>(sum)[0], 64u * 32);
    EXPECT_EQ(report.counters.atomics, 64u * 32);
  }
  Device device(text("  %v = load i32, ptr addrspace(1) %q, align 4\n"
                     "  %w = add i32 %v, 1\n"
                     "  store i32 %w, ptr addrspace(1) %q, align 4"));
  std::vector<uint32_t> zero(1);
  unsigned sum = device.buffer("sum", zero);
  Report report =
      device.run("k", {4, 1, 1}, {1, 1, 1}, {pointer(sum), pointer(sum)});
  EXPECT_FALSE(report.findings.empty());
}

TEST(Racecheck, PlainWriteAndAtomicOfTwoBlocks) {
  std::string text =
      kernel("  %q = getelementptr i32, ptr addrspace(1) %out, i32 0\n"
             "  %c = icmp eq i32 %b, 0\n"
             "  br i1 %c, label %plain, label %atomic\nplain:\n"
             "  store i32 5, ptr addrspace(1) %q, align 4\n"
             "  br label %end\natomic:\n"
             "  %v = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic, "
             "align 4\n  br label %end\nend:");
  for (unsigned workers : {1u, 2u})
    expectFinding(Trial(text, {2, 1, 1}, {1, 1, 1}, workers).report,
                  Check::Racecheck, "write of what another block writes");
}

TEST(Racecheck, VolatileLoadsOnlyRead) {
  // Some blocks read the input by volatile loads, others by plain ones.
  std::string text =
      kernel("  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t\n"
             "  %o = and i32 %b, 1\n  %c = icmp eq i32 %o, 0\n"
             "  br i1 %c, label %plain, label %poll\nplain:\n"
             "  %v = load i32, ptr addrspace(1) %p, align 4\n"
             "  br label %end\npoll:\n"
             "  %w = load volatile i32, ptr addrspace(1) %p, align 4\n"
             "  br label %end\nend:");
  for (unsigned workers : {1u, 2u}) {
    Trial trial(text, {4, 1, 1}, {64, 1, 1}, workers);
    expectClean(trial.report);
    EXPECT_EQ(trial.report.counters.uniqueBytesRead, 256u);
    EXPECT_EQ(trial.report.counters.uniqueBytesWritten, 0u);
    EXPECT_EQ(trial.report.counters.atomics, 0u);
  }
}

TEST(Racecheck, VolatileAccessesAreNoSynchronisation) {
  const std::string first =
      "  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 0\n";
  // All write different values; one writes what the others read, and the other
  // way round; a plain and an atomic access on the other side.
  auto byOne = [](const std::string &one, const std::string &others) {
    return "  %c = icmp eq i32 %t, 33\n  br i1 %c, label %a, label %b1\na:\n" +
           one + "  br label %e\nb1:\n" + others + "  br label %e\ne:\n";
  };
  const std::string write = "  store volatile i32 %t, ptr addrspace(3) %p\n",
                    read = "  %v = load volatile i32, ptr addrspace(3) %p\n",
                    add = "  %w = atomicrmw add ptr addrspace(3) %p, i32 1 "
                          "monotonic\n";
  const std::string start = "  store i32 1, ptr addrspace(3) %p\n" + barrier;
  for (const std::string &body :
       {write, start + byOne(write, read), start + byOne(read, write),
        start + byOne(add, write), start + byOne(add, read)}) {
    Trial run(kernel(first + body));
    EXPECT_FALSE(run.report.findings.empty()) << body;
    for (const Finding &finding : run.report.findings)
      EXPECT_EQ(finding.check, Check::Racecheck) << finding.text();
  }
  // With barriers between them there is none.
  expectClean(Trial(kernel(first + byOne(write, "") + barrier + read)).report);
}

TEST(Racecheck, PollsMeetWrites) {
  // Thread 32 waits for a value of thread 0, by a volatile or an atomic load.
  auto text = [](const std::string &load, const std::string &after) {
    return kernel(
        "  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 0\n"
        "  store i32 0, ptr addrspace(3) %p, align 4\n" +
        barrier +
        "  %z = icmp eq i32 %t, 0\n  br i1 %z, label %w, label %m\nw:\n"
        "  store volatile i32 5, ptr addrspace(3) %p, align 4\n"
        "  br label %e\nm:\n  %l32 = icmp eq i32 %t, 32\n"
        "  br i1 %l32, label %l, label %e\nl:\n  %v = load " +
        load +
        " i32, ptr addrspace(3) %p monotonic, align 4\n"
        "  %d = icmp eq i32 %v, 5\n  br i1 %d, label %o, label %l\no:\n" +
        after + "  br label %e\ne:");
  };
  auto volatileText = [&](const std::string &after) {
    std::string whole = text("volatile", after);
    whole.erase(whole.find(" monotonic"), 10);
    return whole;
  };
  expectClean(Trial(text("atomic", "")).report);
  expectClean(Trial(volatileText("")).report);
  // A load behind the loop is no poll.
  expectFinding(Trial(volatileText("  %r = load volatile i32, ptr addrspace(3) "
                                   "%p, align 4\n"))
                    .report,
                Check::Racecheck, "read without a barrier after a write by");
}

TEST(Racecheck, VolatileWritesOfTwoBlocks) {
  std::string text =
      kernel("  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
             "  store volatile i32 %b, ptr addrspace(1) %q, align 4");
  for (unsigned workers : {1u, 2u})
    expectFinding(Trial(text, {3, 1, 1}, {32, 1, 1}, workers).report,
                  Check::Racecheck, "write of what another block writes");
}

TEST(Memcheck, VolatileAccessesAreNoAtomics) {
  for (const char *access :
       {"%v = load volatile i32, ptr %p", "store volatile i32 1, ptr %p"}) {
    Report report = Trial(kernel("  %p = inttoptr i64 4096 to ptr\n  " +
                                 std::string(access) + ", align 4"))
                        .report;
    EXPECT_EQ(allText(report).find("atomic"), std::string::npos)
        << allText(report);
    expectFinding(report, Check::Memcheck, "through a pointer to no buffer");
  }
}

TEST(Racecheck, LastBlockAfterACounterIsNoRace) {
  // Each block writes its part, then counts itself; the last reads all parts.
  std::string text = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %count, ptr addrspace(1) %parts, ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %p = getelementptr i32, ptr addrspace(1) %parts, i32 %b
  store i32 %b, ptr addrspace(1) %p, align 4
  call void @llvm.nvvm.membar.gl()
  %c = atomicrmw add ptr addrspace(1) %count, i32 1 acq_rel, align 4
  %l = sub i32 %n, 1
  %last = icmp eq i32 %c, %l
  br i1 %last, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %s = phi i32 [ 0, %0 ], [ %u, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %parts, i32 %i
  %v = load i32, ptr addrspace(1) %q, align 4
  %u = add i32 %s, %v
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %store
store:
  store i32 %u, ptr addrspace(1) %out, align 4
  br label %done
done:
  ret void
})";
  for (unsigned workers : {1u, 2u}) {
    Device device(text);
    device.options.workers = workers;
    unsigned count = device.buffer("count", std::vector<uint32_t>(1)),
             parts = *device.memory->allocate("parts", 400, Role::Workspace),
             out = device.output<uint32_t>("out", 1);
    expectClean(device.run("k", {100, 1, 1}, {1, 1, 1},
                           {pointer(count), pointer(parts), pointer(out)}));
    EXPECT_EQ(device.read<uint32_t>(out)[0], 4950u);
  }
}

} // namespace
} // namespace labgen::emu
