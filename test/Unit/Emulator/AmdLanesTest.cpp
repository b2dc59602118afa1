// AmdLanesTest.cpp - DPP controls, permutes, swizzles and single-lane moves
// against what AMD's ISA documents say of each lane.
#include "Snippet.h"

#include <algorithm>

namespace labgen::emu {
namespace {

std::string dpp(unsigned control, bool bound, unsigned rows = 15,
                unsigned banks = 15, const std::string &old = "0") {
  return "  %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 " + old +
         ", i32 %v, i32 " + std::to_string(control) + ", i32 " +
         std::to_string(rows) + ", i32 " + std::to_string(banks) + ", i1 " +
         (bound ? "true" : "false") + ")";
}

TEST(AmdLanes, DppMovesWithinRows) {
  expectMoved(gfx942, dpp(0b00011011, true), // quad_perm [3,2,1,0]
              [](int l) { return l / 4 * 4 + 3 - l % 4; });
  for (int by : {1, 4, 15}) {
    expectMoved(gfx942, dpp(0x100 + by, true),
                [&](int l) { return l % 16 + by < 16 ? l + by : -1; });
    expectMoved(gfx942, dpp(0x110 + by, true),
                [&](int l) { return l % 16 >= by ? l - by : -1; });
    expectMoved(gfx942, dpp(0x120 + by, true),
                [&](int l) { return l / 16 * 16 + (l % 16 + 16 - by) % 16; });
  }
  expectMoved(gfx942, dpp(0x140, true),
              [](int l) { return l / 16 * 16 + 15 - l % 16; });
  expectMoved(gfx942, dpp(0x141, true),
              [](int l) { return l / 8 * 8 + 7 - l % 8; });
  expectMoved(gfx1201, dpp(0x153, true), [](int l) { return l / 16 * 16 + 3; });
  expectMoved(gfx1201, dpp(0x165, true), [](int l) { return l ^ 5; });
}

TEST(AmdLanes, DppMovesAcrossTheWave) {
  expectMoved(gfx942, dpp(0x130, true),
              [](int l) { return l < 63 ? l + 1 : -1; });
  expectMoved(gfx942, dpp(0x134, true), [](int l) { return (l + 1) % 64; });
  expectMoved(gfx942, dpp(0x138, true), [](int l) { return l - 1; });
  expectMoved(gfx942, dpp(0x13C, true), [](int l) { return (l + 63) % 64; });
  expectMoved(gfx942, dpp(0x142, true),
              [](int l) { return l < 16 ? -1 : l / 16 * 16 - 1; });
  expectMoved(gfx942, dpp(0x143, true), [](int l) { return l < 32 ? -1 : 31; });
}

TEST(AmdLanes, DppMasksKeepTheOldValue) {
  // Without bound control, a lane without a source keeps `old` too.
  std::vector<uint32_t> result =
      runSnippet<uint32_t>(gfx942, dpp(0x111, false, 0b1010, 0b0110, "7"),
                           "i32", laneValues(gfx942));
  for (unsigned lane = 0; lane < 64; ++lane) {
    bool on =
        (lane / 16 % 2 == 1) && (lane % 16 / 4 == 1 || lane % 16 / 4 == 2);
    EXPECT_EQ(result[lane], on ? 1000 + lane - 1 : 7u) << lane;
  }
  EXPECT_EQ(runSnippet<uint32_t>(gfx942, dpp(0x111, false, 15, 15, "7"), "i32",
                                 laneValues(gfx942))[16],
            7u);
}

TEST(AmdLanes, Dpp8) {
  // Selectors 7..0: mirrored eights.
  unsigned selectors = 0;
  for (unsigned i = 0; i < 8; ++i)
    selectors |= (7 - i) << (3 * i);
  expectMoved(gfx1201,
              "  %r = call i32 @llvm.amdgcn.mov.dpp8.i32(i32 %v, i32 " +
                  std::to_string(selectors) + ")",
              [](int l) { return l / 8 * 8 + 7 - l % 8; });
}

TEST(AmdLanes, Permutes) {
  std::string twice = "  %a = mul i32 %t, 12\n"; // lane 3 l, in bytes
  expectMoved(gfx942,
              twice +
                  "  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %v)",
              [](int l) { return 3 * l % 64; });
  // The lane l with 3 l = target (mod 64): 3 * 43 = 129 = 1.
  expectMoved(gfx942,
              twice + "  %r = call i32 @llvm.amdgcn.ds.permute(i32 %a, i32 %v)",
              [](int l) { return 43 * l % 64; });
  expectMoved(gfx942, "  %r = call i32 @llvm.amdgcn.ds.permute(i32 20, i32 %v)",
              [](int l) { return l == 5 ? 63 : -1; });
}

TEST(AmdLanes, Swizzles) {
  auto swizzle = [](unsigned pattern) {
    return "  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 " +
           std::to_string(pattern) + ")";
  };
  expectMoved(gfx942, swizzle(0x1F | 0x10 << 10), [](int l) { return l ^ 16; });
  expectMoved(gfx942, swizzle(0x18 | 5 << 5),
              [](int l) { return (l & 0x38) | 5; });
  expectMoved(gfx942, swizzle(0x8000 | 0b00011011),
              [](int l) { return l / 4 * 4 + 3 - l % 4; });
  expectMoved(gfx942, swizzle(0xC000 | 3 << 5),
              [](int l) { return (l & 32) | ((l + 3) & 31); });
}

TEST(AmdLanes, SingleLanes) {
  expectMoved(gfx942,
              "  %r = call i32 @llvm.amdgcn.readlane.i32(i32 %v, i32 9)",
              [](int) { return 9; });
  expectMoved(gfx942, "  %r = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)",
              [](int) { return 0; });
  std::vector<uint32_t> written = runSnippet<uint32_t>(
      gfx942,
      "  %r = call i32 @llvm.amdgcn.writelane.i32(i32 77, i32 9, i32 %v)",
      "i32", laneValues(gfx942));
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(written[lane], lane == 9 ? 77 : 1000 + lane);
}

TEST(AmdLanes, RowPermutes) {
  // permlane16 with reversed selectors; permlanex16 from the other row.
  std::string selectors =
      ", i32 -1985229329, i32 19088743"; // 89ABCDEF 01234567
  auto call = [&](const std::string &name) {
    return "  %r = call i32 @llvm.amdgcn." + name + ".i32(i32 0, i32 %v" +
           selectors + ", i1 false, i1 false)";
  };
  expectMoved(gfx1201, call("permlane16"),
              [](int l) { return l / 16 * 16 + 15 - l % 16; });
  expectMoved(gfx1201, call("permlanex16"),
              [](int l) { return (l ^ 16) / 16 * 16 + 15 - l % 16; });
}

TEST(AmdLanes, SwapsOfRows) {
  auto part = [](const std::string &rows, int index) {
    return "  %w = add i32 %v, 500\n  %p = call { i32, i32 } "
           "@llvm.amdgcn.permlane" +
           rows + ".swap(i32 %v, i32 %w, i1 false, i1 false)\n" +
           "  %r = extractvalue { i32, i32 } %p, " + std::to_string(index);
  };
  for (unsigned row : {16u, 32u}) {
    std::string name = std::to_string(row);
    std::vector<uint32_t> first = runSnippet<uint32_t>(
                              gfx950, part(name, 0), "i32", laneValues(gfx950)),
                          second = runSnippet<uint32_t>(
                              gfx950, part(name, 1), "i32", laneValues(gfx950));
    for (unsigned lane = 0; lane < 64; ++lane) {
      bool odd = lane / row % 2;
      EXPECT_EQ(first[lane], odd ? 1500 + lane - row : 1000 + lane) << lane;
      EXPECT_EQ(second[lane], odd ? 1500 + lane : 1000 + lane + row) << lane;
    }
  }
}

TEST(AmdLanes, BallotsAndCounts) {
  std::vector<uint64_t> masks =
      runSnippet<uint64_t>(gfx942,
                           "  %c = icmp ugt i32 %t, 60\n"
                           "  %r = call i64 @llvm.amdgcn.ballot.i64(i1 %c)",
                           "i64", laneValues(gfx942));
  EXPECT_EQ(masks[0], uint64_t(7) << 61);
  std::vector<uint32_t> lanes = runSnippet<uint32_t>(
      gfx942,
      "  %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
      "  %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)",
      "i32", laneValues(gfx942));
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(lanes[lane], lane);
  EXPECT_EQ(runSnippet<uint32_t>(
                gfx942,
                "  %r = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %v, i32 "
                "0)",
                "i32", laneValues(gfx942))[5],
            1063u);
}

TEST(AmdLanes, DivergedLanesTakePartAsExecHasThem) {
  // In the branch only lanes below 10 are active; after it, all are again.
  Device device(R"(
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %few = icmp ult i32 %t, 10
  br i1 %few, label %a, label %b
a:
  %x = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  br label %b
b:
  %y = phi i64 [ %x, %a ], [ 0, %0 ]
  %z = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %r = xor i64 %y, %z
  %p = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %r, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx942" })");
  for (auto seed : {std::optional<uint64_t>(), std::optional<uint64_t>(3)}) {
    device.options.orderSeed = seed;
    unsigned out = device.output<uint64_t>("out", 64);
    expectClean(device.run("k", {1, 1, 1}, {64, 1, 1}, {pointer(out)}));
    std::vector<uint64_t> masks = device.read<uint64_t>(out);
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(masks[lane], lane < 10 ? ~uint64_t(1023) : ~uint64_t(0));
  }
}

} // namespace
} // namespace labgen::emu
