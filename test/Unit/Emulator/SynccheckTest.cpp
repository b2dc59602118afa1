// SynccheckTest.cpp - barriers and collectives that threads miss, and what ends
// a launch.
#include "Faults.h"

namespace labgen::emu {
namespace {

std::string inBranch(const std::string &limit, const std::string &what) {
  return kernel("  %c = icmp ult i32 %t, " + limit +
                "\n  br i1 %c, label %then, label %end\nthen:\n" + what +
                "  br label %end\nend:");
}

TEST(Synccheck, BarrierInABranch) {
  expectClean(Trial(inBranch("64", barrier)).report);
  expectFinding(Trial(inBranch("40", barrier)).report, Check::Synccheck,
                "barrier after some threads of the block have exited: 40 of 64 "
                "wait");
}

TEST(Synccheck, ThreadsAtDifferentBarriers) {
  Report report = Trial(kernel("  %c = icmp ult i32 %t, 16\n"
                               "  br i1 %c, label %a, label %b1\na:\n" +
                               barrier + "  br label %end\nb1:\n" + barrier +
                               "  br label %end\nend:"))
                      .report;
  expectFinding(report, Check::Synccheck,
                "threads of a warp wait at different barriers");
}

/// Threads that miss a barrier read shared memory too early, which is found as
/// well; what they miss is the cause and stands first.
TEST(Synccheck, CauseBeforeEffects) {
  Report report =
      Trial(kernel("  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 "
                   "0, i32 %t\n"
                   "  %c = icmp ult i32 %t, 40\n"
                   "  br i1 %c, label %then, label %end\nthen:\n"
                   "  store i32 %t, ptr addrspace(3) %p, align 4\n" +
                   barrier +
                   "  br label %end\nend:\n"
                   "  %m = sub i32 63, %t\n"
                   "  %o = getelementptr [256 x i32], ptr addrspace(3) @s, i32 "
                   "0, i32 %m\n"
                   "  %v = load i32, ptr addrspace(3) %o, align 4\n"
                   "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                   "  store i32 %v, ptr addrspace(1) %q, align 4\n"))
          .report;
  ASSERT_GE(report.findings.size(), 2u) << allText(report);
  EXPECT_EQ(report.findings.front().check, Check::Synccheck) << allText(report);
}

TEST(Synccheck, MissingLanes) {
  std::string shuffle = "  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, "
                        "i32 %t, i32 1, i32 31)\n";
  expectClean(Trial(inBranch("32", shuffle)).report);
  expectFinding(Trial(inBranch("24", shuffle)).report, Check::Synccheck,
                "collective without all lanes it names: lanes 0xffffffff "
                "named, 0xffffff came");
}

TEST(Synccheck, LaneOutsideItsMask) {
  expectFinding(
      Trial(kernel("  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 255, i32 "
                   "%t, i32 1, i32 31)"),
            {1, 1, 1}, {32, 1, 1})
          .report,
      Check::Synccheck, "lane");
}

TEST(Synccheck, Deadlock) {
  // Half the block waits at barrier 1, half at 2, each for all.
  Report report =
      Trial(
          kernel("  %c = icmp ult i32 %t, 32\n"
                 "  br i1 %c, label %a, label %b1\na:\n"
                 "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)\n"
                 "  br label %end\nb1:\n"
                 "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)\n"
                 "  br label %end\nend:"))
          .report;
  expectFinding(report, Check::Synccheck,
                "deadlock at a barrier: 32 of 64 threads wait here");
  EXPECT_FALSE(report.completed);
}

TEST(Synccheck, NamedBarriersWithCounts) {
  // The same, each for 32.
  Report report =
      Trial(kernel("  %c = icmp ult i32 %t, 32\n"
                   "  br i1 %c, label %a, label %b1\na:\n  call void "
                   "@llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 32)\n"
                   "  br label %end\nb1:\n  call void "
                   "@llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 32)\n"
                   "  br label %end\nend:"))
          .report;
  expectClean(report);
  EXPECT_EQ(report.counters.barriers, 2u);
}

TEST(Synccheck, EndlessLoop) {
  Device device(kernel("  br label %l\nl:\n  %i = phi i32 [ 0, %0 ], [ %j, %l ]"
                       "\n  %j = add i32 %i, 1\n  %k = icmp ne i32 %t, 99\n"
                       "  br i1 %k, label %l, label %e\ne:"));
  device.options.maxIterations = 1000;
  device.options.leastSeconds = 0;
  unsigned out = device.output<uint32_t>("out", 64);
  Report report =
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(out), pointer(out)});
  expectFinding(report, Check::Synccheck, "loop without an end in sight");
  EXPECT_FALSE(report.completed);
}

} // namespace
} // namespace labgen::emu
