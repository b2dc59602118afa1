// ScheduleRules.cpp - see ScheduleRules.h.
#include "lib/Transforms/ScheduleRules.h"

#include "dialects/Lab/LevelText.h"
#include "lib/Transforms/GemmBody.h"
#include "lib/Transforms/Vector/Conversions.h"
#include "mlir/IR/Diagnostics.h"

#include <map>

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

/// One schedule on one op.
class OpRules {
public:
  OpRules(LabAccess op, ScheduleAttr schedule)
      : op(op), gemm(dyn_cast<GemmOp>(op.getOperation())),
        levels(schedule.getLevels()), leaf(schedule.getLeaf()) {
    for (LevelAttr level : levels)
      if (level.getKind() == LevelKind::Thread)
        sharing = level.getThreads();
  }

  LogicalResult check() {
    return success(succeeded(checkLevels()) && succeeded(checkBody()) &&
                   succeeded(checkCopies()) && succeeded(checkPadding()) &&
                   succeeded(checkLeaf()));
  }

private:
  InFlightDiagnostic error() { return op->emitOpError("schedule "); }
  InFlightDiagnostic error(size_t at) {
    return error() << levelText(levels, at);
  }
  StringRef body();
  LogicalResult checkLevels();
  LogicalResult checkBody();
  LogicalResult checkCopies();
  LogicalResult checkCopy(size_t at, int64_t operand, bool transposes);
  LogicalResult checkPadding();
  LogicalResult checkLeaf();

  bool readsAhead();
  bool storesPastCaches();
  bool converts(StringRef word);
  bool dotsIntegers() {
    return gemm && body() == "dot" && isa<IntegerType>(gemm.getACodeType());
  }
  /// Whether operand `operand` is codes of floats without scales.
  bool isFloatCode(int64_t operand) {
    Type code = operand == 0 ? gemm.getACodeType() : gemm.getCodeType();
    return !gemm.getBScale() && isa<FloatType>(code) && codeBits(code) <= 8;
  }
  /// Whether operand `operand` is copied at a level from `at` on.
  bool isCopied(size_t at, int64_t operand) {
    return llvm::any_of(levels.drop_front(at), [&](LevelAttr level) {
      return llvm::is_contained(level.getPack(), operand) ||
             llvm::is_contained(level.getStage(), operand);
    });
  }

  LabAccess op;
  GemmOp gemm; ///< null: it is none
  ArrayRef<LevelAttr> levels;
  DictionaryAttr leaf;
  int64_t sharing = 1; ///< threads that share a tile
};

} // namespace

StringRef OpRules::body() {
  auto given = leaf.getAs<StringAttr>("body");
  return given ? given.getValue()
               : defaultGemmBody(gemm, isCopied(0, 0), isCopied(0, 1));
}

LogicalResult OpRules::checkLevels() {
  size_t dimensions = op.getIterators().size();
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (level.getTile().size() != dimensions)
      return error(at) << " has " << level.getTile().size()
                       << " tile sizes, the op has " << dimensions
                       << " dimensions; give one size per dimension, 0 leaves "
                          "it whole";
  }
  return success();
}

LogicalResult OpRules::checkBody() {
  auto given = leaf.getAs<StringAttr>("body");
  if (!given)
    return success();
  if (!gemm)
    return error() << "leaf entry body = " << given
                   << " chooses between the bodies of a gemm, and this op has "
                      "one body; leave it out";
  if (given.getValue() != "outer" && given.getValue() != "dot")
    return error() << "leaf asks for body " << given
                   << "; legal: \"outer\", \"dot\"";
  return success();
}

LogicalResult OpRules::checkCopy(size_t at, int64_t operand, bool transposes) {
  if (!gemm || operand > 1)
    return error(at) << " copies operand " << operand
                     << "; only operands 0 and 1 of a gemm can be copied, its "
                        "matrices a and b";
  if (transposes && body() == "dot")
    return error(at) << " packs operand " << operand
                     << ", whose rows body \"dot\" reads along k; stage it or "
                        "use body \"outer\"";
  return success();
}

LogicalResult OpRules::checkCopies() {
  std::map<int64_t, size_t> packedBy;
  for (auto [at, level] : llvm::enumerate(levels)) {
    for (bool transposes : {true, false})
      for (int64_t operand : transposes ? level.getPack() : level.getStage()) {
        if (failed(checkCopy(at, operand, transposes)))
          return failure();
        // A packed tile lies as its body reads it.
        if (auto packed = packedBy.find(operand); packed != packedBy.end())
          return error(at) << " copies operand " << operand << ", which level "
                           << packed->second + 1
                           << " packs already; leave one of the two out";
        if (transposes)
          packedBy[operand] = at;
      }
  }
  return success();
}

/// A padded tile reaches beyond the matrices, so its body reads copies.
LogicalResult OpRules::checkPadding() {
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (!level.getPad())
      continue;
    for (int64_t operand : {0, 1})
      if (isFloatCode(operand))
        return error(at) << " pads tiles of operand " << operand
                         << ", whose codes are copied as whole tiles only; "
                            "leave `pad` out";
    for (auto [d, tile] : llvm::enumerate(level.getTile()))
      for (int64_t operand : {0, 1})
        if (tile && (d == 2 || operand == int64_t(d)) && !isCopied(at, operand))
          return error(at) << " pads dimension " << d
                           << ", and no level copies operand " << operand
                           << "; pack or stage it, or leave `pad` out";
  }
  return success();
}

bool OpRules::readsAhead() {
  if (gemm)
    return body() == "dot" && sharing == 1;
  if (auto reduce = dyn_cast<ReduceOp>(op.getOperation()))
    return sharing == 1 && (!isSum(reduce.getKind()) ||
                            reduce.getOrder() == lab::SumOrder::Blocked ||
                            reduce.getOrder() == lab::SumOrder::Compensated);
  return sharing == 1 && !isa<CopyOp>(op);
}

bool OpRules::storesPastCaches() {
  return sharing == 1 &&
         isa<CastOp, ExpOp, QuantizeOp, DequantizeOp, EncodeOp>(op);
}

bool OpRules::converts(StringRef word) {
  return llvm::any_of(op->getAttrs(), [&](NamedAttribute attribute) {
    auto named = dyn_cast<TypeAttr>(attribute.getValue());
    auto format = named ? formatOf(named.getValue()) : std::nullopt;
    return format && (findNativeConversion(word, *format) ||
                      (word == "avx512" && *format == Format::F4E2M1FN));
  });
}

LogicalResult OpRules::checkLeaf() {
  auto unread = [&](StringRef name, StringRef who) {
    return error() << "leaf entry " << name << " is for " << who
                   << ", so nothing here would read it; leave it out";
  };
  if (leaf.contains("dot") && !dotsIntegers())
    return unread("dot", "integer products of body \"dot\"");
  bool sharesDots = gemm && body() == "dot" && sharing > 1;
  for (StringRef name : {"chunk", "unroll"})
    if (leaf.contains(name) && !sharesDots)
      return unread(name, "dot products that threads share");
  if (leaf.contains("prefetch") && !readsAhead())
    return unread("prefetch", "bodies that read a stream alone");
  if (leaf.contains("nontemporal") && !storesPastCaches())
    return unread("nontemporal", "casts, exp and quantizers of one thread a "
                                 "tile");
  auto convert = leaf.getAs<StringAttr>("convert");
  if (convert && !convert.empty() && !converts(convert.getValue()))
    return unread("convert",
                  "formats that " + convert.getValue().str() + " converts");
  return success();
}

LogicalResult labgen::checkScheduleOfOp(LabAccess op, ScheduleAttr schedule) {
  return OpRules(op, schedule).check();
}

/// What is legal, for the end of a message.
static InFlightDiagnostic &&list(InFlightDiagnostic &&error,
                                 ArrayRef<std::string> legal) {
  llvm::interleaveComma(legal, error, [&](const std::string &word) {
    error << '"' << word << '"';
  });
  return std::move(error);
}

LogicalResult labgen::checkScheduleOfTarget(LabAccess op, ScheduleAttr schedule,
                                            const ScheduleTarget &target) {
  ArrayRef<LevelAttr> levels = schedule.getLevels();
  bool hasThreads = false;
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (level.getKind() != LevelKind::Thread)
      continue;
    hasThreads = true;
    if (target.wave == 0)
      return op->emitOpError("schedule ")
             << levelText(levels, at)
             << " deals tiles to the threads of a GPU, and " << target.name
             << " is none; make it a loop level";
    if (level.getThreads() > target.wave)
      return op->emitOpError("schedule ")
             << levelText(levels, at) << " lets " << level.getThreads()
             << " threads share a tile, a wave of " << target.name << " has "
             << target.wave << "; legal: powers of two up to " << target.wave;
  }
  if (target.wave && !hasThreads)
    return op->emitOpError("schedule has no thread level, so a block of ")
           << target.name
           << " would run as one thread; end with `thread [...]`";
  if (levels.empty() || levels.front().getKind() != LevelKind::Block)
    return op->emitOpError("schedule has no block level, which makes the work "
                           "units; begin with `block [...]`, tiles of 0 for "
                           "one unit");
  auto convert = schedule.getLeaf().getAs<StringAttr>("convert");
  if (convert && !llvm::is_contained(target.converters, convert.getValue()))
    return list(op->emitOpError("schedule converts by ")
                    << convert << ", which " << target.name
                    << " does not have; legal: ",
                target.converters);
  auto dot = schedule.getLeaf().getAs<StringAttr>("dot");
  if (dot && !llvm::is_contained(target.dots, dot.getValue()))
    return list(op->emitOpError("schedule asks for dot = ")
                    << dot << ", which " << target.name
                    << " does not have; legal: ",
                target.dots);
  return success();
}
