// ScheduleVerify.cpp - what makes a schedule ill-formed whatever op it stands
// on: the order of its levels, who deals tiles to whom, what is copied and
// accumulated, and the values of its micro-kernel's parameters.
#include "dialects/Lab/LevelText.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace labgen::lab;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Of a schedule: no machine has more levels of memory and threads.
constexpr size_t maxLevels = 8;
/// Of a tile: products with the width of an element stay within 64 bits.
constexpr int64_t maxTile = int64_t(1) << 48;

std::string labgen::lab::levelText(ArrayRef<LevelAttr> levels, size_t at) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "level " << at + 1 << " (" << stringifyLevelKind(levels[at].getKind())
      << " [";
  llvm::interleaveComma(levels[at].getTile(), out);
  out << "])";
  return text;
}

static const LevelAttr *threadLevelOf(ArrayRef<LevelAttr> levels) {
  const auto *found = llvm::find_if(
      levels, [](LevelAttr level) { return level.isWithinBlock(); });
  return found == levels.end() ? nullptr : found;
}

static LogicalResult verifyOrder(EmitError emitError,
                                 ArrayRef<LevelAttr> levels) {
  if (levels.size() > maxLevels)
    return emitError() << "a schedule has " << maxLevels
                       << " levels at most, got " << levels.size()
                       << "; leave some out";
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (level.getKind() == LevelKind::Block && at != 0)
      return emitError() << levelText(levels, at)
                         << " stands within another one, and work units are "
                            "dealt from the outside; put it first or make it "
                            "a loop level";
    for (int64_t tile : level.getTile())
      if (tile > maxTile)
        return emitError() << levelText(levels, at) << " has a tile of " << tile
                           << "; the largest legal one is " << maxTile;
  }
  // A thread deals tiles by its number, which a second level would do again.
  auto threadLevels = llvm::count_if(
      levels, [](LevelAttr level) { return level.isWithinBlock(); });
  if (threadLevels > 1)
    return emitError()
           << "a schedule has one warp or thread level at most, got "
           << threadLevels << "; make the others loop levels";
  return success();
}

/// Threads that no level deals tiles to would each do all of them.
static LogicalResult verifyThreads(EmitError emitError,
                                   ArrayRef<LevelAttr> levels) {
  if (levels.empty())
    return success();
  const LevelAttr *dealt = threadLevelOf(levels);
  LevelAttr first = levels.front();
  bool hasBlocks = first.getKind() == LevelKind::Block;
  if (!dealt) {
    if (first.getThreads() > 1)
      return emitError() << levelText(levels, 0) << " has "
                         << first.getThreads()
                         << " threads, and no warp or thread level deals "
                            "tiles to them; add one or leave `threads` out";
    return success();
  }
  size_t at = dealt - levels.begin();
  if (!hasBlocks)
    return emitError() << levelText(levels, at)
                       << " deals tiles to the threads of a block, and there "
                          "is no block level; put one first";
  if (dealt->getThreads() > first.getThreads())
    return emitError()
           << levelText(levels, at) << " lets " << dealt->getThreads()
           << " lanes share a tile, and its block has " << first.getThreads()
           << " threads; raise `threads` of level 1 or lower `lanes`";
  return success();
}

static LogicalResult verifyCopies(EmitError emitError,
                                  ArrayRef<LevelAttr> levels) {
  const LevelAttr *dealt = threadLevelOf(levels);
  for (auto [at, level] : llvm::enumerate(levels)) {
    llvm::SmallSet<int64_t, 4> copied;
    for (ArrayRef<int64_t> operands : {level.getPack(), level.getStage()})
      for (int64_t operand : operands)
        if (!copied.insert(operand).second)
          return emitError() << levelText(levels, at) << " copies operand "
                             << operand << " twice; name it once";
    // All threads of a block make a copy together and wait for one another.
    if (!copied.empty() && dealt && &levels[at] >= dealt)
      return emitError() << levelText(levels, at)
                         << " copies operands for one thread, and copies are "
                            "for a block; pack or stage at a level before the "
                            "warp or thread level";
  }
  return success();
}

/// A result in registers is summed up over a loop, in the memory of the threads
/// that the next level deals its tiles to.
static LogicalResult verifyAccumulated(EmitError emitError,
                                       ArrayRef<LevelAttr> levels) {
  auto accumulates = [](LevelAttr level) { return level.getAccumulate(); };
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (level.getPad() && llvm::none_of(levels, accumulates))
      return emitError() << levelText(levels, at)
                         << " pads its tiles, and no level accumulates their "
                            "result in registers; leave `pad` out, or add "
                            "`accumulate` to the loop level before the thread "
                            "level";
    if (!level.getAccumulate())
      continue;
    if (level.getKind() != LevelKind::Loop)
      return emitError()
             << levelText(levels, at)
             << " accumulates in registers, which only a loop level "
                "does; move `accumulate` to one";
    ArrayRef<int64_t> tile = level.getTile();
    if (tile.size() != 3 || tile[0] != 0 || tile[1] != 0)
      return emitError()
             << levelText(levels, at)
             << " accumulates one tile of c in registers, so its "
                "loop is over dimension 2 alone; give dimensions 0 and "
                "1 a tile of 0";
    if (at + 2 != levels.size() || !levels[at + 1].isWithinBlock())
      return emitError() << levelText(levels, at)
                         << " accumulates in registers and is not followed by "
                            "a thread level that is the last; end with one";
    if (levels[at + 1].getKind() == LevelKind::Warp)
      return emitError() << levelText(levels, at + 1) << " lets "
                         << levels[at + 1].getThreads()
                         << " lanes share a tile that one thread accumulates "
                            "in registers; make it a thread level";
  }
  return success();
}

/// The value must lie in [least, most], and be a power of two where that is
/// asked for.
static LogicalResult verifyCount(EmitError emitError, StringRef name,
                                 std::optional<int64_t> value, int64_t least,
                                 int64_t most, bool isPower = false) {
  if (!value || (*value >= least && *value <= most &&
                 (!isPower || llvm::isPowerOf2_64(*value))))
    return success();
  int64_t nearest = std::clamp(*value, least, most);
  if (isPower)
    nearest = llvm::bit_floor(static_cast<uint64_t>(nearest));
  return emitError() << "kernel parameter " << name << " must be a "
                     << (isPower ? "power of two" : "number") << " from "
                     << least << " to " << most << ", got " << *value
                     << "; nearest legal: " << nearest;
}

/// Other types convert the same way on every target.
static LogicalResult verifySmallFloats(EmitError emitError, StringRef name,
                                       ArrayRef<Type> types) {
  for (Type type : types)
    if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() > 8)
      return emitError() << "kernel parameter " << name << " names " << type
                         << "; legal: floats of at most 8 bits";
  return success();
}

LogicalResult
KernelAttr::verify(EmitError emitError, std::optional<MicroKernel> kind,
                   std::optional<IntegerDot> integerDot, ArrayRef<Type> extend,
                   ArrayRef<Type> truncate, std::optional<int64_t> prefetch,
                   std::optional<int64_t> width, std::optional<int64_t> unroll,
                   bool /*nontemporal*/, std::optional<int64_t> lanes) {
  if (integerDot && kind == MicroKernel::Outer)
    return emitError() << "kernel parameter integer_dot is for micro-kernel "
                          "dot, got outer; leave it out";
  // Of both there is a copy of the code, and registers for far less.
  constexpr int64_t mostWidth = 256, mostUnroll = 64;
  constexpr int64_t mostLanes = 1024;
  return success(
      succeeded(verifySmallFloats(emitError, "extend", extend)) &&
      succeeded(verifySmallFloats(emitError, "truncate", truncate)) &&
      succeeded(verifyCount(emitError, "prefetch", prefetch, 0, maxTile)) &&
      succeeded(verifyCount(emitError, "width", width, 1, mostWidth, true)) &&
      succeeded(verifyCount(emitError, "unroll", unroll, 1, mostUnroll)) &&
      succeeded(verifyCount(emitError, "lanes", lanes, 1, mostLanes, true)));
}

LogicalResult ScheduleAttr::verify(EmitError emitError,
                                   ArrayRef<LevelAttr> levels,
                                   KernelAttr kernel) {
  if (kernel.getLanes())
    return emitError()
           << "kernel parameter lanes is for tiles; a schedule says "
              "it by a level: write `warp [...] lanes "
           << *kernel.getLanes() << "`";
  return success(succeeded(verifyOrder(emitError, levels)) &&
                 succeeded(verifyThreads(emitError, levels)) &&
                 succeeded(verifyCopies(emitError, levels)) &&
                 succeeded(verifyAccumulated(emitError, levels)));
}
