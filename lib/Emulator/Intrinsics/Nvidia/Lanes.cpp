// Lanes.cpp - shuffles, votes, matches and reductions between lanes (PTX
// ISA, "Data Movement and Conversion" and "Parallel Synchronization").
#include "lib/Emulator/Intrinsics/Reduction.h"

namespace labgen::emu {

/// What reading a lane that takes no part gives: undefined, so a value that
/// shows.
static constexpr uint32_t undefinedLane = 0xDEADBEEF;

enum Shuffle { Up, Down, Butterfly, Index, WithPredicate = 8 };

/// shfl.sync: operand 3 holds the clamp in bits 0-4 and the segment mask in
/// bits 8-12.
static void shuffle(const WarpCall &call) {
  call.forEach([&](unsigned lane, Thread &thread) {
    uint32_t by = thread.argument<uint32_t>(2) & 31;
    uint32_t control = thread.argument<uint32_t>(3);
    uint32_t clamp = control & 31, segment = control >> 8 & 31;
    int last = int((lane & segment) | (clamp & ~segment));
    int first = int(lane & segment), source = 0;
    bool inside = false;
    switch (call.code & 7) {
    case Up:
      source = int(lane) - int(by);
      inside = source >= last;
      break;
    case Down:
      source = int(lane + by);
      inside = source <= last;
      break;
    case Butterfly:
      source = int(lane ^ by);
      inside = source <= last;
      break;
    case Index:
      source = first | int(by & ~segment);
      inside = source <= last;
      break;
    }
    if (!inside)
      source = int(lane);
    uint32_t value = call.has(unsigned(source))
                         ? call.warp.threads[source].argument<uint32_t>(1)
                         : undefinedLane;
    auto *result = static_cast<char *>(thread.result);
    std::memcpy(result, &value, 4);
    if (call.code & WithPredicate)
      result[4] = char(inside);
  });
}

/// Lanes whose argument `index` is true.
static uint64_t truths(const WarpCall &call, unsigned index) {
  uint64_t lanes = 0;
  call.forEach([&](unsigned lane, Thread &thread) {
    if (thread.argument<uint8_t>(index) & 1)
      lanes |= uint64_t(1) << lane;
  });
  return lanes;
}

enum Vote { All, Any, Uniform, Ballot };

static void vote(const WarpCall &call) {
  uint64_t lanes = truths(call, 1);
  bool all = lanes == call.mask, any = lanes != 0;
  call.forEach([&](unsigned, Thread &thread) {
    switch (call.code) {
    case All:
      return thread.setResult(uint8_t(all));
    case Any:
      return thread.setResult(uint8_t(any));
    case Uniform:
      return thread.setResult(uint8_t(all || !any));
    case Ballot:
      return thread.setResult(uint32_t(lanes));
    }
  });
}

template <typename T> static void matchAny(const WarpCall &call) {
  call.forEach([&](unsigned, Thread &thread) {
    uint32_t same = 0;
    call.forEach([&](unsigned lane, Thread &other) {
      if (other.argument<T>(1) == thread.argument<T>(1))
        same |= uint32_t(1) << lane;
    });
    thread.setResult(same);
  });
}

template <typename T> static void matchAll(const WarpCall &call) {
  T first = call.warp.threads[__builtin_ctzll(call.mask)].argument<T>(1);
  bool same = true;
  call.forEach([&](unsigned, Thread &thread) {
    same &= thread.argument<T>(1) == first;
  });
  call.forEach([&](unsigned, Thread &thread) {
    uint32_t mask = same ? uint32_t(call.mask) : 0;
    auto *result = static_cast<char *>(thread.result);
    std::memcpy(result, &mask, 4);
    result[4] = char(same);
  });
}

static void activeMask(const WarpCall &call) {
  call.forEach(
      [&](unsigned, Thread &thread) { thread.setResult(uint32_t(call.mask)); });
}

/// One leader, the lowest lane: its number and whether this is it.
static void elect(const WarpCall &call) {
  uint32_t leader = uint32_t(__builtin_ctzll(call.mask));
  call.forEach([&](unsigned lane, Thread &thread) {
    auto *result = static_cast<char *>(thread.result);
    std::memcpy(result, &leader, 4);
    result[4] = char(lane == leader);
  });
}

enum FloatReduction { Largest = 1, Absolute = 2, PropagateNan = 4 };

static void reduceFloat(const WarpCall &call) {
  bool nan = false;
  std::optional<float> best;
  call.forEach([&](unsigned, Thread &thread) {
    float value = thread.argument<float>(0);
    if (call.code & Absolute)
      value = std::fabs(value);
    if (std::isnan(value)) {
      nan = true;
      return;
    }
    // -0 is less than +0.
    auto less = [](float a, float b) {
      return a < b || (a == b && std::signbit(a) && !std::signbit(b));
    };
    if (!best ||
        (call.code & Largest ? less(*best, value) : less(value, *best)))
      best = value;
  });
  bool isNan = !best || (nan && call.code & PropagateNan);
  uint32_t bits = isNan ? 0x7FFFFFFF : bitsAs<uint32_t>(*best);
  call.forEach([&](unsigned, Thread &thread) { thread.setResult(bits); });
}

void addNvidiaLanes(Table &table) {
  const std::string nvvm = "llvm.nvvm.";
  auto masked = [&](const std::string &name,
                    IntrinsicRow::WarpFunction function, unsigned maskArgument,
                    int code = 0) {
    table.push_back(
        IntrinsicRow::masked(nvvm + name, function, maskArgument, code));
  };
  const std::pair<const char *, int> shuffles[] = {
      {"up", Up}, {"down", Down}, {"bfly", Butterfly}, {"idx", Index}};
  for (auto [name, mode] : shuffles)
    for (const char *type : {"i32", "f32"}) {
      std::string full = std::string("shfl.sync.") + name + "." + type;
      masked(full, shuffle, 0, mode);
      masked(full + "p", shuffle, 0, mode | WithPredicate);
    }
  masked("vote.all.sync", vote, 0, All);
  masked("vote.any.sync", vote, 0, Any);
  masked("vote.uni.sync", vote, 0, Uniform);
  masked("vote.ballot.sync", vote, 0, Ballot);
  masked("match.any.sync.i32", matchAny<uint32_t>, 0);
  masked("match.any.sync.i64", matchAny<uint64_t>, 0);
  masked("match.all.sync.i32p", matchAll<uint32_t>, 0);
  masked("match.all.sync.i64p", matchAll<uint64_t>, 0);
  masked("elect.sync", elect, 0);
  table.push_back(IntrinsicRow::converged(nvvm + "activemask", activeMask));
  const std::pair<const char *, int> reductions[] = {
      {"add", Add},          {"min", Min}, {"max", Max}, {"umin", UnsignedMin},
      {"umax", UnsignedMax}, {"and", And}, {"or", Or},   {"xor", Xor}};
  for (auto [name, code] : reductions)
    masked(std::string("redux.sync.") + name,
           reduceAs<uint32_t, int32_t, float>, 1, code);
  for (int code = 0; code < 8; ++code)
    masked(std::string("redux.sync.") + (code & Largest ? "fmax" : "fmin") +
               (code & Absolute ? ".abs" : "") +
               (code & PropagateNan ? ".NaN" : ""),
           reduceFloat, 1, code);
}

} // namespace labgen::emu
