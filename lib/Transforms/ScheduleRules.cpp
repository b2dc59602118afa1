// ScheduleRules.cpp - see ScheduleRules.h.
#include "lib/Transforms/ScheduleRules.h"

#include "dialects/Lab/LevelText.h"
#include "lib/Transforms/GemmBody.h"
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
        levels(schedule.getLevels()),
        kernel(schedule.getKernel().toParameters()) {
    for (LevelAttr level : levels)
      if (level.isWithinBlock())
        sharing = level.getThreads();
  }

  LogicalResult check() {
    return success(succeeded(checkLevels()) && succeeded(checkMicroKernel()) &&
                   succeeded(checkCopies()) && succeeded(checkPadding()) &&
                   succeeded(checkParameters()));
  }

private:
  InFlightDiagnostic error() { return op->emitOpError("schedule "); }
  InFlightDiagnostic error(size_t at) {
    return error() << levelText(levels, at);
  }
  MicroKernel microKernel();
  LogicalResult checkLevels();
  LogicalResult checkMicroKernel();
  LogicalResult checkCopies();
  LogicalResult checkCopy(size_t at, int64_t operand, bool transposes);
  LogicalResult checkPadding();
  LogicalResult checkParameters();

  bool readsAhead();
  bool storesPastCaches();
  LogicalResult checkConversions(StringRef name, ArrayRef<Type> types);
  bool dotsIntegers() {
    return gemm && microKernel() == MicroKernel::Dot &&
           isa<IntegerType>(gemm.getACodeType());
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
  KernelParameters kernel;
  int64_t sharing = 1; ///< lanes that share a tile
};

} // namespace

MicroKernel OpRules::microKernel() {
  return kernel.kind ? *kernel.kind
                     : defaultMicroKernel(gemm, isCopied(0, 0), isCopied(0, 1));
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

LogicalResult OpRules::checkMicroKernel() {
  if (kernel.kind && !gemm)
    return error() << "names micro-kernel "
                   << stringifyMicroKernel(*kernel.kind)
                   << ", which is a choice for a gemm, and this op has none; "
                      "leave it out";
  return success();
}

LogicalResult OpRules::checkCopy(size_t at, int64_t operand, bool transposes) {
  if (!gemm || operand > 1)
    return error(at) << " copies operand " << operand
                     << "; only operands 0 and 1 of a gemm can be copied, its "
                        "matrices a and b";
  if (transposes && microKernel() == MicroKernel::Dot)
    return error(at) << " packs operand " << operand
                     << ", whose rows micro-kernel dot reads along k; stage "
                        "it or use micro-kernel outer";
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
    return microKernel() == MicroKernel::Dot && sharing == 1;
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

/// Conversions of formats that the op does not have.
LogicalResult OpRules::checkConversions(StringRef name, ArrayRef<Type> types) {
  SmallVector<Type> formats = smallFloatsOf(op);
  for (Type type : types)
    if (!llvm::is_contained(formats, type))
      return error() << "kernel parameter " << name << " names " << type
                     << ", which is no format of this op; leave it out";
  return success();
}

LogicalResult OpRules::checkParameters() {
  auto unread = [&](StringRef name, StringRef who) {
    return error() << "kernel parameter " << name << " is for " << who
                   << ", so nothing here would read it; leave it out";
  };
  if (kernel.integerDot && !dotsIntegers())
    return unread("integer_dot", "integer products of micro-kernel dot");
  bool sharesDots = gemm && microKernel() == MicroKernel::Dot && sharing > 1;
  constexpr StringRef sharers = "dot products that lanes share";
  if (kernel.width && !sharesDots)
    return unread("width", sharers);
  if (kernel.unroll && !sharesDots)
    return unread("unroll", sharers);
  if (kernel.prefetch && !readsAhead())
    return unread("prefetch", "micro-kernels that read a stream alone");
  if (kernel.nontemporal && !storesPastCaches())
    return unread("nontemporal", "casts, exp and quantizers of one thread a "
                                 "tile");
  return success(succeeded(checkConversions("extend", kernel.extend)) &&
                 succeeded(checkConversions("truncate", kernel.truncate)));
}

SmallVector<Type> labgen::smallFloatsOf(Operation *op) {
  SmallVector<Type> types;
  for (NamedAttribute attribute : op->getAttrs()) {
    auto named = dyn_cast<TypeAttr>(attribute.getValue());
    auto format = named ? formatOf(named.getValue()) : std::nullopt;
    if (format && isa<FloatType>(named.getValue()) && info(*format).bits <= 8 &&
        !llvm::is_contained(types, named.getValue()))
      types.push_back(named.getValue());
  }
  return types;
}

LogicalResult labgen::checkScheduleOfOp(LabAccess op, ScheduleAttr schedule) {
  return OpRules(op, schedule).check();
}

/// An error where `types` has a format that the target's list lacks.
static LogicalResult checkFormats(Operation *op, StringRef name,
                                  ArrayRef<Type> types, ArrayRef<Format> legal,
                                  StringRef target) {
  for (Type type : types) {
    if (llvm::is_contained(legal, *formatOf(type)))
      continue;
    InFlightDiagnostic error = op->emitOpError("schedule has ")
                               << name << " = [" << type << "], for which "
                               << target << " has no instruction; legal: ";
    llvm::interleaveComma(legal, error, [&](Format format) {
      error << StringRef(info(format).name);
    });
    if (legal.empty())
      error << "none";
    return error;
  }
  return success();
}

LogicalResult labgen::checkScheduleOfTarget(LabAccess op, ScheduleAttr schedule,
                                            const ScheduleTarget &target) {
  ArrayRef<LevelAttr> levels = schedule.getLevels();
  bool hasThreads = false;
  for (auto [at, level] : llvm::enumerate(levels)) {
    if (!level.isWithinBlock())
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
             << " lanes share a tile, a wave of " << target.name << " has "
             << target.wave << "; nearest legal: " << target.wave;
  }
  if (target.wave && !hasThreads)
    return op->emitOpError(
               "schedule has no warp or thread level, so a block of ")
           << target.name
           << " would run as one thread; end with `thread [...]`";
  if (levels.empty() || levels.front().getKind() != LevelKind::Block)
    return op->emitOpError("schedule has no block level, which makes the work "
                           "units; begin with `block [...]`, tiles of 0 for "
                           "one unit");
  KernelParameters kernel = schedule.getKernel().toParameters();
  if (failed(checkFormats(op, "extend", kernel.extend, target.extends,
                          target.name)) ||
      failed(checkFormats(op, "truncate", kernel.truncate, target.truncates,
                          target.name)))
    return failure();
  if (kernel.integerDot &&
      !llvm::is_contained(target.dots, *kernel.integerDot)) {
    InFlightDiagnostic error =
        op->emitOpError("schedule asks for integer_dot = ")
        << stringifyIntegerDot(*kernel.integerDot) << ", which " << target.name
        << " does not have; legal: ";
    llvm::interleaveComma(target.dots, error, [&](IntegerDot dot) {
      error << stringifyIntegerDot(dot);
    });
    return error;
  }
  return success();
}
