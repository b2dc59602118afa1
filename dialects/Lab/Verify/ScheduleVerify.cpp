// ScheduleVerify.cpp - what makes a schedule ill-formed whatever op it stands
// on: the order of its levels, who deals tiles to whom, what is copied and
// kept, and the names and values of its leaf.
#include "dialects/Lab/LevelText.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallSet.h"

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
  const auto *found = llvm::find_if(levels, [](LevelAttr level) {
    return level.getKind() == LevelKind::Thread;
  });
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
  auto threadLevels = llvm::count_if(levels, [](LevelAttr level) {
    return level.getKind() == LevelKind::Thread;
  });
  if (threadLevels > 1)
    return emitError() << "a schedule has one thread level at most, got "
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
                         << " threads, and no thread level deals tiles to "
                            "them; add one or leave `threads` out";
    return success();
  }
  size_t at = dealt - levels.begin();
  if (!hasBlocks)
    return emitError() << levelText(levels, at)
                       << " deals tiles to the threads of a block, and there "
                          "is no block level; put one first";
  if (dealt->getThreads() > first.getThreads())
    return emitError() << levelText(levels, at) << " lets "
                       << dealt->getThreads()
                       << " threads share a tile, and its block has "
                       << first.getThreads()
                       << "; raise `threads` of level 1 or lower these";
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
                            "thread level";
  }
  return success();
}

/// A kept result is summed up over a loop, in the memory of the threads that
/// the next level deals its tiles to.
static LogicalResult verifyKept(EmitError emitError,
                                ArrayRef<LevelAttr> levels) {
  auto keeps = [](LevelAttr level) { return level.getKeep(); };
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (level.getPad() && llvm::none_of(levels, keeps))
      return emitError() << levelText(levels, at)
                         << " pads its tiles, and no level keeps their result; "
                            "leave `pad` out, or add `keep` to the loop level "
                            "before the thread level";
    if (!level.getKeep())
      continue;
    if (level.getKind() != LevelKind::Loop)
      return emitError() << levelText(levels, at)
                         << " keeps a result, which only a loop level sums "
                            "up; move `keep` to one";
    ArrayRef<int64_t> tile = level.getTile();
    if (tile.size() != 3 || tile[0] != 0 || tile[1] != 0)
      return emitError() << levelText(levels, at)
                         << " keeps the result of one tile of c, so its loop "
                            "is over dimension 2 alone; give dimensions 0 and "
                            "1 a tile of 0";
    if (at + 2 != levels.size() ||
        levels[at + 1].getKind() != LevelKind::Thread)
      return emitError() << levelText(levels, at)
                         << " keeps a result and is not followed by a thread "
                            "level that is the last; end with one";
    if (levels[at + 1].getThreads() > 1)
      return emitError() << levelText(levels, at + 1) << " lets "
                         << levels[at + 1].getThreads()
                         << " threads share a tile that is kept; legal: 1";
  }
  return success();
}

/// A number of 64 bits, as the parser makes it; null: it is none.
static IntegerAttr numberOf(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  bool fits = number && (number.getType().isSignlessInteger(64) ||
                         number.getType().isIndex());
  return fits ? number : IntegerAttr();
}

/// What a body is not told by a misspelled entry, nobody would notice.
static LogicalResult verifyLeaf(EmitError emitError, DictionaryAttr leaf) {
  for (NamedAttribute entry : leaf) {
    StringRef name = entry.getName();
    Attribute value = entry.getValue();
    if (name == "body" || name == "dot" || name == "convert") {
      if (!isa<StringAttr>(value))
        return emitError() << "leaf entry " << name << " must be a string, got "
                           << value;
    } else if (name == "prefetch") {
      IntegerAttr bytes = numberOf(value);
      if (!bytes || bytes.getValue().isNegative())
        return emitError() << "leaf entry prefetch must be a number of bytes, "
                              "0 or more, got "
                           << value;
    } else if (name == "chunk" || name == "unroll") {
      IntegerAttr count = numberOf(value);
      if (!count || !count.getValue().isStrictlyPositive())
        return emitError() << "leaf entry " << name
                           << " must be a number, 1 or more, got " << value;
    } else if (name == "nontemporal") {
      if (!isa<UnitAttr>(value))
        return emitError() << "leaf entry nontemporal takes no value, got "
                           << value;
    } else {
      return emitError()
             << "unknown leaf entry '" << name
             << "'; legal: body, chunk, convert, dot, nontemporal, prefetch, "
                "unroll";
    }
  }
  return success();
}

LogicalResult ScheduleAttr::verify(EmitError emitError,
                                   ArrayRef<LevelAttr> levels,
                                   DictionaryAttr leaf) {
  return success(succeeded(verifyOrder(emitError, levels)) &&
                 succeeded(verifyThreads(emitError, levels)) &&
                 succeeded(verifyCopies(emitError, levels)) &&
                 succeeded(verifyKept(emitError, levels)) &&
                 succeeded(verifyLeaf(emitError, leaf)));
}
