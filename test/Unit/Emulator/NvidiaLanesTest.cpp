// NvidiaLanesTest.cpp - shuffles, votes, matches and reductions against what
// the PTX ISA says of each lane.
#include "Snippet.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace labgen::emu {
namespace {

std::string shuffle(const std::string &mode, const std::string &by,
                    unsigned control) {
  return "  %r = call i32 @llvm.nvvm.shfl.sync." + mode +
         ".i32(i32 -1, i32 %v, i32 " + by + ", i32 " + std::to_string(control) +
         ")";
}

TEST(NvidiaLanes, ShufflesOfWholeWarps) {
  for (int by : {0, 1, 5, 16, 31}) {
    std::string text = std::to_string(by);
    expectMoved(nvptx, shuffle("up", text, 0),
                [&](int l) { return l >= by ? l - by : l; });
    expectMoved(nvptx, shuffle("down", text, 31),
                [&](int l) { return l + by < 32 ? l + by : l; });
    expectMoved(nvptx, shuffle("bfly", text, 31),
                [&](int l) { return l ^ by; });
    expectMoved(nvptx, shuffle("idx", text, 31), [&](int) { return by; });
  }
  // A source of each lane's own.
  expectMoved(nvptx, "  %s = mul i32 %t, 7\n" + shuffle("idx", "%s", 31),
              [](int l) { return 7 * l % 32; });
}

TEST(NvidiaLanes, ShufflesWithinSegments) {
  // Segments of 8: mask 24, clamp 7 (0 for up).
  unsigned down = 24 << 8 | 31, up = 24 << 8;
  expectMoved(nvptx, shuffle("up", "3", up),
              [](int l) { return l % 8 >= 3 ? l - 3 : l; });
  expectMoved(nvptx, shuffle("down", "3", down),
              [](int l) { return l % 8 + 3 < 8 ? l + 3 : l; });
  expectMoved(nvptx, shuffle("idx", "13", down),
              [](int l) { return l / 8 * 8 + 13 % 8; });
}

TEST(NvidiaLanes, ShufflePredicate) {
  std::vector<uint32_t> result = runSnippet<uint32_t>(
      nvptx,
      "  %p = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %v, "
      "i32 4, i32 31)\n  %b = extractvalue { i32, i1 } %p, 1\n"
      "  %r = zext i1 %b to i32",
      "i32", laneValues(nvptx));
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(result[lane], lane + 4 < 32);
}

TEST(NvidiaLanes, FloatShuffleKeepsBits) {
  std::vector<uint32_t> in(32, 0x7FA00001); // a signalling NaN
  std::vector<uint32_t> result = runSnippet<uint32_t>(
      nvptx,
      "  %f = bitcast i32 %v to float\n"
      "  %g = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %f, i32 "
      "1, i32 31)\n  %r = bitcast float %g to i32",
      "i32", in);
  EXPECT_EQ(result, in);
}

std::vector<uint32_t> withArgument(const std::string &call) {
  return runSnippet<uint32_t>(nvptx, call, "i32", laneValues(nvptx));
}

TEST(NvidiaLanes, Votes) {
  std::string less = "  %c = icmp ult i32 %t, 5\n";
  auto vote = [&](const std::string &kind, const std::string &condition) {
    return withArgument(condition + "  %b = call i1 @llvm.nvvm.vote." + kind +
                        ".sync(i32 -1, i1 %c)\n  %r = zext i1 %b to i32")[9];
  };
  std::string always = "  %c = icmp ult i32 %t, 32\n";
  std::string never = "  %c = icmp ugt i32 %t, 32\n";
  EXPECT_EQ(vote("all", less), 0u);
  EXPECT_EQ(vote("all", always), 1u);
  EXPECT_EQ(vote("any", less), 1u);
  EXPECT_EQ(vote("any", never), 0u);
  EXPECT_EQ(vote("uni", less), 0u);
  EXPECT_EQ(vote("uni", never), 1u);
  EXPECT_EQ(vote("uni", always), 1u);
  EXPECT_EQ(
      withArgument(
          less +
          "  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)")[30],
      31u);
}

TEST(NvidiaLanes, MatchElectActivemask) {
  std::vector<uint32_t> same =
      withArgument("  %g = udiv i32 %t, 10\n  %r = call i32 "
                   "@llvm.nvvm.match.any.sync.i32(i32 -1, i32 %g)");
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint32_t mask = 0;
    for (unsigned other = 0; other < 32; ++other)
      if (other / 10 == lane / 10)
        mask |= 1u << other;
    EXPECT_EQ(same[lane], mask);
  }
  EXPECT_EQ(withArgument("  %p = call { i32, i1 } "
                         "@llvm.nvvm.match.all.sync.i32p(i32 -1, i32 7)\n"
                         "  %r = extractvalue { i32, i1 } %p, 0")[3],
            0xFFFFFFFFu);
  EXPECT_EQ(withArgument("  %p = call { i32, i1 } "
                         "@llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %t)\n"
                         "  %r = extractvalue { i32, i1 } %p, 0")[3],
            0u);
  std::vector<uint32_t> leads =
      withArgument("  %p = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)\n"
                   "  %b = extractvalue { i32, i1 } %p, 1\n"
                   "  %r = zext i1 %b to i32");
  EXPECT_EQ(std::count(leads.begin(), leads.end(), 1u), 1);
  EXPECT_EQ(withArgument("  %r = call i32 @llvm.nvvm.activemask()")[5],
            0xFFFFFFFFu);
}

TEST(NvidiaLanes, Reductions) {
  auto reduce = [&](const std::string &kind, const std::string &value) {
    return withArgument(value + "  %r = call i32 @llvm.nvvm.redux.sync." +
                        kind + "(i32 %x, i32 -1)")[17];
  };
  std::string signedValue = "  %x = sub i32 %t, 5\n"; // -5 .. 26
  EXPECT_EQ(reduce("add", signedValue), uint32_t(31 * 32 / 2 - 5 * 32));
  EXPECT_EQ(reduce("min", signedValue), uint32_t(-5));
  EXPECT_EQ(reduce("max", signedValue), 26u);
  EXPECT_EQ(reduce("umin", signedValue), 0u);
  EXPECT_EQ(reduce("umax", signedValue), 0xFFFFFFFFu);
  EXPECT_EQ(reduce("and", "  %x = or i32 %t, 64\n"), 64u);
  EXPECT_EQ(reduce("or", "  %x = shl i32 1, %t\n"), 0xFFFFFFFFu);
  EXPECT_EQ(reduce("xor", "  %x = add i32 %t, 0\n"), 0u);
  std::vector<uint32_t> in(32);
  for (int i = 0; i < 32; ++i) {
    float value = i == 3 ? NAN : float(i) - 20;
    memcpy(&in[i], &value, 4);
  }
  auto largest = [&](const std::string &kind) {
    return runSnippet<float>(
        nvptx,
        "  %f = bitcast i32 %v to float\n  %r = call float "
        "@llvm.nvvm.redux.sync." +
            kind + "(float %f, i32 -1)",
        "float", in)[0];
  };
  EXPECT_EQ(largest("fmax"), 11.0f);
  EXPECT_EQ(largest("fmin.abs"), 0.0f);
  EXPECT_EQ(largest("fmax.abs"), 20.0f);
  EXPECT_TRUE(std::isnan(largest("fmax.NaN")));
}

TEST(NvidiaLanes, PartialMasksInTwoBranches) {
  // Even and odd lanes shuffle among themselves, at one instruction or at two.
  Device device(R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = and i32 %t, 1
  %odd = icmp ne i32 %o, 0
  br i1 %odd, label %a, label %b
a:
  %x = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1431655766)
  br label %c
b:
  %y = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 1431655765)
  br label %c
c:
  %r = phi i32 [ %x, %a ], [ %y, %b ]
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
})");
  unsigned out = device.output<uint32_t>("out", 32);
  Report report = device.run("k", {1, 1, 1}, {32, 1, 1}, {pointer(out)});
  expectClean(report);
  EXPECT_EQ(report.counters.divergentBranches, 1u);
  std::vector<uint32_t> sums = device.read<uint32_t>(out);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(sums[lane], lane % 2 ? 256u : 240u);
}

} // namespace
} // namespace labgen::emu
