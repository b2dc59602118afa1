// Lanes.cpp - data movement between lanes of a wave: permutes, swizzles,
// reads and writes of one lane, ballots. Lanes take part as EXEC has them:
// those that got to the instruction together.
#include "lib/Emulator/Intrinsics/Reduction.h"

#include <cmath>
#include <optional>

namespace labgen::emu {

/// Values move as bytes, whatever their type.
static void copyArgument(Thread &to, const Thread &from, unsigned index,
                         uint32_t bytes, unsigned part = 0) {
  std::memcpy(static_cast<char *>(to.result) + part * bytes,
              from.arguments[index], bytes);
}

/// ds_bpermute: each lane reads the lane its address / 4 names.
static void backwardPermute(const WarpCall &call) {
  call.forEach([&](unsigned, Thread &thread) {
    unsigned source = thread.argument<uint32_t>(0) / 4 % call.warpSize;
    thread.setResult(
        call.has(source) ? call.warp.threads[source].argument<uint32_t>(1) : 0);
  });
}

/// ds_permute: each lane writes the lane its address / 4 names; the highest
/// writer wins, who gets nothing gets 0.
static void forwardPermute(const WarpCall &call) {
  call.forEach([&](unsigned, Thread &thread) { thread.setResult(0u); });
  call.forEach([&](unsigned, Thread &thread) {
    unsigned target = thread.argument<uint32_t>(0) / 4 % call.warpSize;
    if (call.has(target))
      call.warp.threads[target].setResult(thread.argument<uint32_t>(1));
  });
}

/// ds_swizzle: a pattern within 4 lanes (bit 15), a rotation of 32 (bits 15 and
/// 14), or and/or/xor masks on the number of the lane in 32.
static void swizzle(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    uint32_t pattern = thread.argument<uint32_t>(1) & 0xFFFF;
    unsigned inHalf = lane & 31, source;
    if ((pattern & 0xE000) == 0xC000) {
      unsigned by = pattern >> 5 & 31, keep = pattern & 31;
      unsigned moved = pattern >> 10 & 1 ? inHalf - by : inHalf + by;
      source = (inHalf & keep) | (moved & 31 & ~keep);
    } else if (pattern & 0x8000) {
      source = (inHalf & ~3u) | (pattern >> (2 * (inHalf & 3)) & 3);
    } else {
      source = ((inHalf & (pattern & 31)) | (pattern >> 5 & 31)) ^
               (pattern >> 10 & 31);
    }
    source |= lane & 32;
    thread.setResult(
        call.has(source) ? call.warp.threads[source].argument<uint32_t>(0) : 0);
  });
}

static void readFirstLane(const WarpCall &call) {
  const Thread &first = call.warp.threads[__builtin_ctzll(call.mask)];
  call.forEach([&](unsigned, Thread &thread) {
    copyArgument(thread, first, 0, call.site.resultBytes);
  });
}

static void readLane(const WarpCall &call) {
  call.forEach([&](unsigned, Thread &thread) {
    unsigned source = thread.argument<uint32_t>(1) % call.warpSize;
    if (call.has(source))
      copyArgument(thread, call.warp.threads[source], 0, call.site.resultBytes);
    else
      std::memset(thread.result, 0xCD, call.site.resultBytes);
  });
}

static void writeLane(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    bool selected = thread.argument<uint32_t>(1) % call.warpSize == lane;
    copyArgument(thread, thread, selected ? 0 : 2, call.site.resultBytes);
  });
}

/// permlane16 and permlanex16 (code 1: from the other row of the pair): rows of
/// 16, a nibble of the two selectors for each lane.
static void permuteRow(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    uint64_t selectors = uint64_t(thread.argument<uint32_t>(3)) << 32 |
                         thread.argument<uint32_t>(2);
    unsigned source = (lane & ~15u) | (selectors >> (4 * (lane & 15)) & 15);
    if (call.code)
      source ^= 16;
    bool zero = thread.argument<uint8_t>(5);
    if (call.has(source))
      copyArgument(thread, call.warp.threads[source], 1, call.site.resultBytes);
    else if (zero)
      std::memset(thread.result, 0, call.site.resultBytes);
    else
      copyArgument(thread, thread, 0, call.site.resultBytes);
  });
}

/// permlane64: the halves of a wave of 64 change places.
static void swapHalves(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    unsigned source = call.warpSize == 64 ? lane ^ 32 : lane;
    copyArgument(thread, call.warp.threads[call.has(source) ? source : lane], 0,
                 call.site.resultBytes);
  });
}

/// permlane16.swap, permlane32.swap: odd rows of the first operand change
/// places with even rows of the second; code = lanes in a row.
static void swapRows(const WarpCall &call) {
  unsigned row = unsigned(call.code);
  call.forEach([&](unsigned lane, Thread &thread) {
    bool odd = lane & row;
    unsigned other = lane ^ row;
    const Thread &from = call.warp.threads[call.has(other) ? other : lane];
    copyArgument(thread, odd ? from : thread, odd ? 1 : 0, 4, 0);
    copyArgument(thread, odd ? thread : from, odd ? 1 : 0, 4, 1);
  });
}

static void ballot(const WarpCall &call) {
  uint64_t lanes = 0;
  call.forEach([&](unsigned lane, Thread &thread) {
    if (thread.argument<uint8_t>(0) & 1)
      lanes |= uint64_t(1) << lane;
  });
  call.forEach([&](unsigned, Thread &thread) {
    std::memcpy(thread.result, &lanes, call.site.resultBytes);
  });
}

static void inverseBallot(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    uint64_t lanes = 0;
    std::memcpy(&lanes, thread.arguments[0], sizeof lanes);
    if (call.site.argumentBytes[0] < sizeof lanes)
      lanes &= (uint64_t(1) << (8 * call.site.argumentBytes[0])) - 1;
    thread.setResult(uint8_t(lanes >> lane & 1));
  });
}

static void reduce(const WarpCall &call) {
  if (call.site.resultBytes == 8)
    reduceAs<uint64_t, int64_t, double>(call);
  else
    reduceAs<uint32_t, int32_t, float>(call);
}

/// What lanes outside EXEC would see is not modelled; they take no part.
static llvm::Value *firstArgument(llvm::IRBuilder<> &, llvm::CallInst &call,
                                  int) {
  return call.getArgOperand(0);
}

void addAmdLanes(Table &table) {
  const std::string amdgcn = "llvm.amdgcn.";
  auto add = [&](const char *name, IntrinsicRow::WarpFunction function,
                 int code = 0) {
    table.push_back(IntrinsicRow::converged(amdgcn + name, function, code));
  };
  add("ds.bpermute", backwardPermute);
  add("ds.permute", forwardPermute);
  add("ds.swizzle", swizzle);
  add("readfirstlane", readFirstLane);
  add("readlane", readLane);
  add("writelane", writeLane);
  add("permlane16", permuteRow, 0);
  add("permlanex16", permuteRow, 1);
  add("permlane64", swapHalves);
  add("permlane16.swap", swapRows, 16);
  add("permlane32.swap", swapRows, 32);
  add("ballot", ballot);
  table.back().sizes = 4 | 8;
  add("inverse.ballot", inverseBallot);
  const std::pair<const char *, int> reductions[] = {
      {"add", Add},          {"sub", Sub},
      {"min", Min},          {"max", Max},
      {"umin", UnsignedMin}, {"umax", UnsignedMax},
      {"and", And},          {"or", Or},
      {"xor", Xor},          {"fadd", FloatAdd},
      {"fmin", FloatMin},    {"fmax", FloatMax}};
  for (auto [name, code] : reductions) {
    add((std::string("wave.reduce.") + name).c_str(), reduce, code);
    table.back().sizes = 4 | 8;
  }
  for (const char *name : {"strict.wwm", "wwm", "strict.wqm", "wqm", "softwqm"})
    table.push_back(IntrinsicRow::rewritten(amdgcn + name, firstArgument));
}

} // namespace labgen::emu
