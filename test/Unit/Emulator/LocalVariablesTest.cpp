// LocalVariablesTest.cpp - a thread reaches its own variables, to the byte, as
// long as their functions have not returned; nothing else of any stack.
#include "Faults.h"

namespace labgen::emu {
namespace {

TEST(LocalVariables, AndNoMore) {
  const std::string two =
      "  %x = alloca [4 x i32], align 4\n  %y = alloca [4 x i32], align 4\n"
      "  call void @keep(ptr %x, ptr %y)\n"
      "  %n = ptrtoint ptr %x to i64\n";
  const std::string keep = "define void @keep(ptr %x, ptr %y) {\n"
                           "  store i32 1, ptr %x, align 4\n"
                           "  store i32 2, ptr %y, align 4\n  ret void\n}\n";
  auto at = [&](const std::string &offset, const std::string &access) {
    return Trial(kernel(two + "  %m = add i64 %n, " + offset +
                        "\n  %p = inttoptr i64 %m to ptr\n  " + access +
                        "\n  %q = getelementptr i32, ptr addrspace(1) %out, "
                        "i32 %t\n  %v = load i32, ptr %x, align 4\n"
                        "  store i32 %v, ptr addrspace(1) %q, align 4") +
                 keep);
  };
  // Through integers, inside its bounds and not by one byte more.
  Trial right = at("0", "store i32 7, ptr %p, align 4");
  expectClean(right.report);
  EXPECT_EQ(right.device.read<uint32_t>(right.out)[9], 7u);
  // Upwards, where return addresses would be, and downwards.
  for (int offset = 13; offset < 4096; offset += offset < 200 ? 1 : 61) {
    Report report =
        at(std::to_string(offset), "store i32 7, ptr %p, align 1").report;
    bool inY = offset >= 48 && offset <= 60;
    if (inY)
      expectClean(report);
    else
      expectFinding(report, Check::Memcheck, "local variable");
    if (report.findings.size() != !inY)
      break;
  }
  expectFinding(at("-4", "store i32 7, ptr %p, align 4").report,
                Check::Memcheck, "access outside a local variable");
  // As the whole of a copy.
  expectFinding(at("0",
                   "call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 17, i1 "
                   "false)")
                    .report,
                Check::Memcheck, "local variable 'x'");
  // Claims of an alignment that it does not have.
  expectFinding(at("0", "%w = getelementptr i8, ptr %x, i64 4\n"
                        "  store <2 x i32> <i32 1, i32 1>, ptr %w, align 64")
                    .report,
                Check::Memcheck, "misaligned access");
}

TEST(LocalVariables, OfOthers) {
  // Of a function that has returned.
  expectFinding(Trial(kernel("  %p = call ptr @f()\n"
                             "  store i32 1, ptr %p, align 4") +
                      "define ptr @f() {\n  %a = alloca i32\n  ret ptr %a\n}\n")
                    .report,
                Check::Memcheck, "local variable");
  // Of another thread, with a warp barrier between the two.
  std::string text = kernel(
      "  %a = alloca i32\n  store i32 3, ptr %a, align 4\n"
      "  %z = icmp eq i32 %t, 0\n  br i1 %z, label %w, label %m\nw:\n"
      "  store ptr %a, ptr addrspace(3) @s, align 8\n  br label %m\nm:\n" +
      barrier +
      "  %p = load ptr, ptr addrspace(3) @s, align 8\n"
      "  %v = load i32, ptr %p, align 4\n");
  Report report = Trial(text).report;
  expectFinding(report, Check::Memcheck, "read through a pointer to no buffer");
  EXPECT_EQ(report.findings[0].count, 63u);
}

TEST(LocalVariables, OfEachCallOfARecursion) {
  // f(n) = n + f(n - 1), through the addresses of variables of its callers.
  std::string text =
      kernel("  %a = alloca i32\n  call void @f(ptr %a, i32 %t)\n"
             "  %v = load i32, ptr %a, align 4\n"
             "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
             "  store i32 %v, ptr addrspace(1) %q, align 4") +
      R"(
define void @f(ptr %to, i32 %n) {
  %own = alloca i32
  %z = icmp eq i32 %n, 0
  br i1 %z, label %zero, label %more
zero:
  store i32 0, ptr %to, align 4
  ret void
more:
  %m = sub i32 %n, 1
  call void @f(ptr %own, i32 %m)
  %r = load i32, ptr %own, align 4
  %s = add i32 %r, %n
  store i32 %s, ptr %to, align 4
  ret void
})";
  for (const std::string &more : {std::string(), barrier}) {
    std::string whole = text;
    whole.insert(whole.find("  %v = load"), more); // on fibers, too
    Trial run(whole);
    expectClean(run.report);
    EXPECT_EQ(run.device.read<uint32_t>(run.out)[63], 63u * 64 / 2);
  }
}

} // namespace
} // namespace labgen::emu
