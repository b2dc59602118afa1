// CountersTest.cpp - sectors, bank conflicts, flops and usage against numbers
// counted by hand; no number depends on order or workers.
#include "Faults.h"

#include "lib/Emulator/Checks/Banks.h"

namespace labgen::emu {
namespace {

/// Loads element `index` (of type i32) of a large buffer, one warp.
Counters loadAt(const std::string &index) {
  Device device(kernel("  %i = " + index +
                       "\n  %p = getelementptr i32, ptr addrspace(1) %in, i32 "
                       "%i\n  %v = load i32, ptr addrspace(1) %p, align 4\n"
                       "  %q = getelementptr i32, ptr addrspace(1) %out, i32 "
                       "%t\n  store i32 %v, ptr addrspace(1) %q, align 4"));
  unsigned in = device.buffer("in", std::vector<uint32_t>(1 << 16)),
           out = device.output<uint32_t>("out", 32);
  Report report =
      device.run("k", {1, 1, 1}, {32, 1, 1}, {pointer(in), pointer(out)});
  expectClean(report);
  EXPECT_EQ(report.counters.bytesRead, 128u);
  EXPECT_EQ(report.counters.sectorsWritten, 4u);
  return report.counters;
}

TEST(Counters, SectorsOfAWarp) {
  // Consecutive; shifted by one; every second; one sector each, near and far
  // apart; all the same; backwards.
  EXPECT_EQ(loadAt("add i32 %t, 0").sectorsRead, 4u);
  EXPECT_EQ(loadAt("add i32 %t, 1").sectorsRead, 5u);
  EXPECT_EQ(loadAt("mul i32 %t, 2").sectorsRead, 8u);
  EXPECT_EQ(loadAt("mul i32 %t, 8").sectorsRead, 32u);
  EXPECT_EQ(loadAt("mul i32 %t, 2048").sectorsRead, 32u);
  EXPECT_EQ(loadAt("mul i32 %t, 0").sectorsRead, 1u);
  EXPECT_EQ(loadAt("sub i32 31, %t").sectorsRead, 4u);
  EXPECT_EQ(loadAt("mul i32 %t, 2048").idealSectorsRead, 4u);
  EXPECT_EQ(loadAt("mul i32 %t, 0").idealSectorsRead, 1u);
  EXPECT_EQ(loadAt("mul i32 %t, 0").uniqueBytesRead, 4u);
}

TEST(Counters, LoopsGroupByIteration) {
  // 32 lanes walk 8 rows of 32 elements: 4 sectors an iteration. In a second
  // kernel lane t walks t iterations.
  auto text = [](const std::string &limit) {
    return kernel("  br label %l\nl:\n  %r = phi i32 [ 0, %0 ], [ %n, %l ]\n"
                  "  %o = mul i32 %r, 32\n  %i = add i32 %o, %t\n"
                  "  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i\n"
                  "  %v = load i32, ptr addrspace(1) %p, align 4\n"
                  "  %n = add i32 %r, 1\n  %c = icmp ult i32 %n, " +
                  limit + "\n  br i1 %c, label %l, label %e\ne:");
  };
  Device device(text("8")), ragged(text("%t"));
  std::vector<uint32_t> values(32 * 32);
  unsigned in = device.buffer("in", values);
  Counters even =
      device.run("k", {1, 1, 1}, {32, 1, 1}, {pointer(in), pointer(in)})
          .counters;
  EXPECT_EQ(even.sectorsRead, 32u);
  EXPECT_EQ(even.divergentBranches, 0u);
  in = ragged.buffer("in", values);
  Counters uneven =
      ragged.run("k", {1, 1, 1}, {32, 1, 1}, {pointer(in), pointer(in)})
          .counters;
  // Lanes 0 and 1 read one row, lane t reads t; row r has lanes from r + 1 on.
  unsigned sectors = 4;
  for (unsigned row = 1; row < 31; ++row)
    sectors += 4 - (row + 1) / 8;
  EXPECT_EQ(uneven.sectorsRead, sectors);
  EXPECT_EQ(uneven.divergentBranches, 30u);
}

WarpAccess access(unsigned lanes, unsigned bytes, unsigned stride,
                  bool write = false) {
  WarpAccess result;
  result.mask = lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
  result.bytes = bytes;
  result.write = write;
  for (unsigned lane = 0; lane < lanes; ++lane)
    result.offsets[lane] = lane * stride;
  return result;
}

TEST(Counters, BankConflictsOfStrides) {
  BankRule nvidia;
  EXPECT_EQ(bankConflicts(nvidia, access(32, 4, 4)), 0u);
  EXPECT_EQ(bankConflicts(nvidia, access(32, 4, 0)), 0u); // one word
  EXPECT_EQ(bankConflicts(nvidia, access(32, 2, 2)), 0u); // two share a word
  EXPECT_EQ(bankConflicts(nvidia, access(32, 4, 8)), 1u);
  EXPECT_EQ(bankConflicts(nvidia, access(32, 4, 128)), 31u);
  EXPECT_EQ(bankConflicts(nvidia, access(32, 4, 132)), 0u);
  EXPECT_EQ(bankConflicts(nvidia, access(32, 8, 8)), 0u);
  EXPECT_EQ(bankConflicts(nvidia, access(32, 16, 16)), 0u);
  EXPECT_EQ(bankConflicts(nvidia, access(32, 16, 32)), 4u);
}

TEST(Counters, BankConflictsOfAmdReads) {
  // Rows of 64 bytes, 16 each: eight consecutive lanes hit the same 16 banks
  // four times. Reads pair lanes 0-3 with 20-23 and 4-7 with 16-19.
  BankRule amd;
  amd.pairsReads = true;
  EXPECT_EQ(bankConflicts(amd, access(64, 16, 16)), 0u);
  EXPECT_EQ(bankConflicts(amd, access(64, 16, 64, true)), 8u * 3);
  WarpAccess swizzled = access(64, 16, 16);
  // Move the second fours of each half wave to where the reads' pairing
  // collides, and the writes' order doesn't.
  for (unsigned lane = 20; lane < 24; ++lane)
    swizzled.offsets[lane] = 128 * 8 + (lane - 20) * 16;
  EXPECT_EQ(bankConflicts(amd, swizzled), 1u);
  swizzled.write = true;
  for (unsigned lane = 16; lane < 20; ++lane)
    swizzled.offsets[lane] = 128 * 8 + 64 + (lane - 16) * 16;
  EXPECT_EQ(bankConflicts(amd, swizzled), 0u);
}

TEST(Counters, BankConflictsInAKernel) {
  auto conflicts = [](const std::string &scale) {
    return Trial(kernel("  %a = and i32 %t, 31\n  %i = mul i32 %a, " + scale +
                        "\n  %p = getelementptr [256 x i32], ptr "
                        "addrspace(3) @s, i32 0, i32 %i\n"
                        "  store i32 %i, ptr addrspace(3) %p, align 4"))
        .report.counters;
  };
  EXPECT_EQ(conflicts("1").bankConflicts, 0u);
  EXPECT_EQ(conflicts("8").bankConflicts, 2u * 7); // two warps
  EXPECT_EQ(conflicts("1").sharedAccesses, 2u);
  EXPECT_EQ(conflicts("1").sharedBytesWritten, 256u);
}

TEST(Counters, FlopsOfVectorsAndIntrinsics) {
  Trial trial(kernel(
      "  %f = uitofp i32 %t to float\n"
      "  %i = insertelement <4 x float> zeroinitializer, float %f, i32 0\n"
      "  %a = fadd <4 x float> %i, %i\n" // 4
      "  %m = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %i, "
      "<4 x float> %i)\n" // 8
      "  %e = extractelement <4 x float> %m, i32 0\n"
      "  %x = call float @llvm.nvvm.ex2.approx.f32(float %e)\n" // 1
      "  %y = call float @llvm.nvvm.fma.rz.f(float %x, float %x, float %x)\n"
      "  %n = fneg float %y\n  %u = bitcast float %n to i32\n"
      "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
      "  store i32 %u, ptr addrspace(1) %q, align 4"));
  expectClean(trial.report);
  EXPECT_EQ(trial.report.counters.flops, 64u * (4 + 8 + 1 + 2));
}

TEST(Counters, SumsAndNames) {
  Counters sum;
  sum.flops = 3;
  Counters other;
  other.flops = 4;
  other.barriers = 1;
  sum += other;
  EXPECT_EQ(sum.entries().at("flops"), 7);
  EXPECT_EQ(sum.entries().at("barriers"), 1);
}

} // namespace
} // namespace labgen::emu
