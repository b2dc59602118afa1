// MemcheckTest.cpp - bounds, alignment, foreign pointers, and reads of what
// nobody wrote: each on a kernel with the fault and on one without it.
#include "Faults.h"

namespace labgen::emu {
namespace {

TEST(Memcheck, ReadPastTheEnd) {
  Trial run(kernel("  %i = add i32 %t, 1\n" + copyElement("%i", "%t")));
  expectFinding(run.report, Check::Memcheck, "read out of bounds, in+256");
  ASSERT_EQ(run.report.findings.size(), 1u);
  const Finding &finding = run.report.findings[0];
  EXPECT_EQ(finding.thread, (std::array<uint32_t, 3>{63, 0, 0}));
  EXPECT_EQ(finding.count, 1u);
  EXPECT_NE(finding.instruction.find("k: %v = load i32"), std::string::npos);
  // The rest ran on.
  EXPECT_TRUE(run.report.completed);
  EXPECT_EQ(run.device.read<uint32_t>(run.out)[62], 63u);
  expectClean(Trial(kernel(copyElement("%t", "%t"))).report);
}

TEST(Memcheck, WriteBeforeTheStart) {
  Trial run(kernel("  %i = sub i32 %t, 2\n" + copyElement("%t", "%i")));
  expectFinding(run.report, Check::Memcheck, "write out of bounds, out-8");
  EXPECT_EQ(run.report.findings[0].count, 2u);
}

TEST(Memcheck, WriteToAnInput) {
  Trial run(kernel("  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t\n"
                   "  store i32 7, ptr addrspace(1) %p, align 4"));
  expectFinding(run.report, Check::Memcheck, "write to an input buffer, in+0");
  EXPECT_EQ(run.device.read<uint32_t>(run.in)[3], 3u);
}

TEST(Memcheck, Misalignment) {
  auto text = [](int byte) {
    return kernel("  %i = mul i32 %t, 8\n  %j = add i32 %i, " +
                  std::to_string(byte) +
                  "\n  %k = and i32 %j, 127\n"
                  "  %p = getelementptr i8, ptr addrspace(1) %in, i32 %k\n"
                  "  %v = load <2 x i32>, ptr addrspace(1) %p, align 8\n"
                  "  %q = getelementptr <2 x i32>, ptr addrspace(1) %out, i32 "
                  "%t\n  store <2 x i32> %v, ptr addrspace(1) %q, align 8");
  };
  expectClean(Trial(text(8), {1, 1, 1}, {16, 1, 1}).report);
  expectFinding(Trial(text(4), {1, 1, 1}, {16, 1, 1}).report, Check::Memcheck,
                "misaligned access, in+4");
}

TEST(Memcheck, MisalignmentBehindAnAlignedAccess) {
  // 12 bytes a thread, one behind the other: every fourth is at 16.
  Trial run(kernel("  %i = mul i32 %t, 3\n"
                   "  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i\n"
                   "  %v = load <3 x i32>, ptr addrspace(1) %p, align 16\n"),
            {1, 1, 1}, {16, 1, 1});
  expectFinding(run.report, Check::Memcheck, "misaligned access, in+12");
  EXPECT_EQ(run.report.findings[0].count, 12u);
}

TEST(Memcheck, ForeignNullAndFreedPointers) {
  Device device(kernel(copyElement("%t", "%t")));
  std::vector<uint32_t> values(64);
  unsigned in = device.buffer("gone", values, Role::Input),
           out = device.output<uint32_t>("out", 64);
  Report report = device.run("k", {1, 1, 1}, {64, 1, 1},
                             {scalar(uint64_t(0)), pointer(out)});
  expectFinding(report, Check::Memcheck, "read through a pointer to no buffer");
  uint32_t own[64];
  report = device.run("k", {1, 1, 1}, {64, 1, 1},
                      {scalar<const void *>(own), pointer(out)});
  expectFinding(report, Check::Memcheck, "read through a pointer to no buffer");
  device.memory->free(in);
  report = device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(in), pointer(out)});
  expectFinding(report, Check::Memcheck, "read of a freed buffer, gone+0");
}

TEST(Memcheck, EmptyBuffer) {
  Device device(kernel(copyElement("%t", "%t")));
  unsigned in = device.buffer("empty", std::vector<uint32_t>(), Role::Input),
           out = device.output<uint32_t>("out", 64);
  Report report =
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(in), pointer(out)});
  expectFinding(report, Check::Memcheck, "read out of bounds, empty+0");
}

TEST(Memcheck, SharedArrays) {
  auto text = [](const std::string &index) {
    return kernel("  %i = add i32 %t, " + index +
                  "\n  %p = getelementptr [256 x i32], ptr addrspace(3) @s, "
                  "i32 0, i32 %i\n"
                  "  store i32 %t, ptr addrspace(3) %p, align 4\n"
                  "  %o = getelementptr [8 x i32], ptr addrspace(3) @other, "
                  "i32 0, i32 0\n  store i32 1, ptr addrspace(3) %o, align 4");
  };
  expectClean(Trial(text("192")).report);
  // Past the array, though inside the block's shared memory.
  expectFinding(Trial(text("193")).report, Check::Memcheck,
                "write out of bounds, shared 's'+1024");
  expectFinding(Trial(text("-1")).report, Check::Memcheck,
                "write out of bounds, shared 's'-4");
}

TEST(Memcheck, LocalVariables) {
  auto text = [](const std::string &limit) {
    return kernel("  %a = alloca [8 x i32], align 4\n"
                  "  %i = and i32 %t, " +
                  limit +
                  "\n  %p = getelementptr i32, ptr %a, i32 %i\n"
                  "  store i32 %t, ptr %p, align 4\n"
                  "  %v = load i32, ptr %p, align 4\n"
                  "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                  "  store i32 %v, ptr addrspace(1) %q, align 4");
  };
  expectClean(Trial(text("7")).report);
  expectFinding(Trial(text("15")).report, Check::Memcheck,
                "access outside a local variable");
}

TEST(Memcheck, TrapEndsTheLaunch) {
  Trial run(kernel("  call void @llvm.trap()"));
  expectFinding(run.report, Check::Memcheck, "trap executed");
  EXPECT_FALSE(run.report.completed);
}

TEST(Initcheck, SharedMemory) {
  auto text = [](const std::string &index) {
    return kernel(
        "  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %t\n"
        "  store i32 %t, ptr addrspace(3) %p, align 4\n" +
        barrier + "  %i = add i32 %t, " + index +
        "\n  %g = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 "
        "%i\n  %v = load i32, ptr addrspace(3) %g, align 4\n"
        "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
        "  store i32 %v, ptr addrspace(1) %q, align 4");
  };
  expectClean(Trial(text("0")).report);
  expectFinding(Trial(text("1")).report, Check::Initcheck,
                "read before the block wrote it, shared 's'+256, thread "
                "(63,0,0)");
}

TEST(Initcheck, SharedMemoryOfAnotherBlock) {
  // What block 0 left behind is nothing that block 1 wrote.
  std::string text = kernel(
      "  %p = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %t\n"
      "  %c = icmp eq i32 %b, 0\n  br i1 %c, label %w, label %e\nw:\n"
      "  store i32 %t, ptr addrspace(3) %p, align 4\n  br label %e\ne:\n"
      "  %v = load i32, ptr addrspace(3) %p, align 4\n");
  expectClean(Trial(text).report);
  expectFinding(Trial(text, {2, 1, 1}).report, Check::Initcheck,
                "thread (0,0,0) of block (1,0,0)");
}

TEST(Initcheck, OutputReadBeforeWritten) {
  std::string body =
      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n";
  std::string store = "  store i32 %t, ptr addrspace(1) %p, align 4\n",
              load = "  %v = load i32, ptr addrspace(1) %p, align 4\n"
                     "  %w = add i32 %v, 1\n"
                     "  store i32 %w, ptr addrspace(1) %p, align 4\n";
  expectClean(Trial(kernel(body + store + load)).report);
  expectFinding(Trial(kernel(body + load)).report, Check::Initcheck,
                "read before anything was written, out+0");
  // Switched off, nothing is said.
  Device device(kernel(body + load));
  device.options.initcheck = false;
  unsigned in = device.output<uint32_t>("in", 64),
           out = device.output<uint32_t>("out", 64);
  expectClean(
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(in), pointer(out)}));
}

TEST(Initcheck, EarlierLaunchesCount) {
  Device device(kernel(copyElement("%t", "%t")));
  std::vector<uint32_t> values(64, 3);
  unsigned in = device.buffer("in", values, Role::Input),
           middle = *device.memory->allocate("middle", 256, Role::Workspace),
           out = device.output<uint32_t>("out", 64);
  expectFinding(
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(middle), pointer(out)}),
      Check::Initcheck, "middle+0");
  expectClean(
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(in), pointer(middle)}));
  expectClean(
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(middle), pointer(out)}));
  EXPECT_EQ(device.read<uint32_t>(out), values);
  EXPECT_EQ(device.memory->usage(middle).bytesWritten, 256u);
}

TEST(Findings, NameTheSourceLine) {
  std::string text = kernel("  %i = add i32 %t, 1\n" + copyElement("%i", "%t"));
  text.replace(text.find(", align 4\n", text.find("load i32")), 9,
               ", align 4, !dbg !4");
  text.replace(text.find("%out) {"), 7, "%out) !dbg !3 {");
  text += R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "axpy.mlir", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 17, column: 5, scope: !3)
)";
  Trial run(text);
  ASSERT_EQ(run.report.findings.size(), 1u);
  EXPECT_EQ(run.report.findings[0].source, "axpy.mlir:17:5");
}

TEST(Findings, LimitCountsTheRest) {
  std::string body;
  for (int i = 0; i < 5; ++i) {
    std::string n = std::to_string(i);
    body += "  %p" + n + " = getelementptr i32, ptr addrspace(1) %out, i32 " +
            std::to_string(100 + i) + "\n  store i32 1, ptr addrspace(1) %p" +
            n + ", align 4\n";
  }
  Device device(kernel(body));
  device.options.maxFindings = 2;
  unsigned out = device.output<uint32_t>("out", 64);
  Report report =
      device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(out), pointer(out)});
  ASSERT_EQ(report.findings.size(), 3u);
  EXPECT_NE(report.findings[2].message.find("3 more findings"),
            std::string::npos);
}

} // namespace
} // namespace labgen::emu
