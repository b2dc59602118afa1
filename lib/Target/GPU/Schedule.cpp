// Schedule.cpp - schedules for GPUs.
//
// A thread touches 16 neighbouring bytes of the wider operand at a time and
// several such pieces, a block apart, so that neighbouring lanes read
// neighbouring addresses and several loads are in flight. Groups and rows are
// shared by neighbouring lanes.
#include "lib/Target/GPU/GemmSchedule.h"
#include "lib/Target/GPU/Passes.h"

#include "dialects/Lab/Lab.h"
#include "lib/Target/Chips/Chips.h"
#include "lib/Transforms/ScheduleRules.h"
#include "lib/Transforms/Vector/Conversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace labgen {
#define GEN_PASS_DEF_LABGPUSCHEDULE
#include "lib/Target/GPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

constexpr int64_t accessBytes = 16;
constexpr int64_t blockThreads = 256;
/// Pieces of a thread, loads in flight.
constexpr int64_t piecesPerThread = 4;
/// Lanes that may share a tile: those that run in step on every chip.
constexpr int64_t maxShare = 32;

MemRefType typeOf(Value v) { return cast<MemRefType>(v.getType()); }

int64_t bytesOf(Value v) {
  return std::max<int64_t>(typeOf(v).getElementTypeBitWidth() / 8, 1);
}

/// Elements of `x` one thread touches at a time.
int64_t elementsOf(Value x) { return accessBytes / bytesOf(x); }

/// Whose instructions convert small floats, as bodies are told: none, those of
/// 8 bits, with those below.
std::vector<std::string> convertersOf(const ChipInfo &chip) {
  std::vector<std::string> words = {""};
  if (chip.f8.value == NativeF8::None)
    return words;
  words.push_back(chip.vendor == Vendor::Nvidia    ? "nvvm"
                  : chip.f8.value == NativeF8::Ocp ? "amdgcn-ocp"
                                                   : "amdgcn-fnuz");
  if (chip.f6f4.value != NativeF6F4::None)
    words.push_back(words.back() +
                    (chip.f6f4.value == NativeF6F4::F4 ? "-f4" : "-f6f4"));
  return words;
}

/// What schedules for the chip may name. Threads share by instructions within a
/// wave; other converters do not exist there, or read another format.
ScheduleTarget legalOn(const ChipInfo &chip) {
  ScheduleTarget legal;
  legal.name = chip.name;
  legal.wave = chip.waveSize.value;
  legal.converters = convertersOf(chip);
  legal.dots = {"generic"};
  return legal;
}

struct Chooser {
  MLIRContext *context;
  std::string converter;

  LevelAttr level(LevelKind kind, ArrayRef<int64_t> tile, int64_t threads = 1) {
    return LevelAttr::get(context, kind, tile, threads);
  }
  ScheduleAttr schedule(ArrayRef<LevelAttr> levels) {
    return ScheduleAttr::get(context, levels, DictionaryAttr::get(context));
  }
  /// Whether an op has to do with a format that the chip converts.
  bool converts(Operation *op) {
    return llvm::any_of(op->getAttrs(), [&](NamedAttribute attribute) {
      auto named = dyn_cast<TypeAttr>(attribute.getValue());
      auto format = named ? formatOf(named.getValue()) : std::nullopt;
      return format && findNativeConversion(converter, *format);
    });
  }
  ScheduleAttr withConverter(ScheduleAttr schedule) {
    NamedAttrList leaf(schedule.getLeaf());
    leaf.set("convert", StringAttr::get(context, converter));
    return ScheduleAttr::get(context, schedule.getLevels(),
                             leaf.getDictionary(context));
  }

  /// One-dimensional ops: pieces of `tile` elements.
  ScheduleAttr elements(LabAccess op, int64_t tile) {
    int64_t multiple = std::max<int64_t>(op.getTileMultiple(0), 1);
    tile = std::max(tile / multiple, int64_t(1)) * multiple;
    int64_t row = blockThreads * tile;
    return schedule(
        {level(LevelKind::Block, {row * piecesPerThread}, blockThreads),
         level(LevelKind::Loop, {row}), level(LevelKind::Thread, {tile})});
  }

  ScheduleAttr elementwise(LabAccess op, Value x, Value y) {
    return elements(op, std::min(elementsOf(x), elementsOf(y)));
  }

  /// Matrices [m, k], `share` threads to a tile of `tile` columns.
  ScheduleAttr rows(Value x, int64_t tile, int64_t share) {
    int64_t k = typeOf(x).getDimSize(1);
    int64_t tilesAtOnce = blockThreads / share;
    int64_t columns = tilesAtOnce * piecesPerThread * tile;
    SmallVector<int64_t> block = {1, columns}, piece = {1, tilesAtOnce * tile};
    if (!ShapedType::isDynamic(k) && k <= columns / 2) {
      // Whole rows, as many as make up a block.
      int64_t tilesOfRow =
          std::max<int64_t>(llvm::divideCeil(k, std::max<int64_t>(tile, 1)), 1);
      block = {std::max<int64_t>(tilesAtOnce * piecesPerThread / tilesOfRow, 1),
               0};
      piece = {std::max<int64_t>(tilesAtOnce / tilesOfRow, 1), 0};
    }
    return schedule({level(LevelKind::Block, block, blockThreads),
                     level(LevelKind::Loop, piece),
                     level(LevelKind::Thread, {1, tile}, share)});
  }

  /// Groups along the rows of x, shared by as many lanes as have a piece.
  ScheduleAttr groups(LabAccess op, Value x, int64_t group, Type code) {
    int64_t k = typeOf(x).getDimSize(1);
    bool spansRow = op.getTileMultiple(1) == 0;
    int64_t length = spansRow ? std::max<int64_t>(k, 1)
                              : std::max<int64_t>(op.getTileMultiple(1), 1);
    // Where the codes of two groups share a byte, one thread has both of them:
    // no two may write to it.
    bool sharesBytes = group > 0 && group * codeBits(code) % 8;
    int64_t share = 1, alone = group > 0 ? group : length;
    if (!sharesBytes)
      while (share < maxShare && alone % (2 * share) == 0 &&
             alone / (2 * share) >= elementsOf(x))
        share *= 2;
    if (spansRow)
      share = length >= maxShare * elementsOf(x) ? maxShare : share;
    return rows(x, spansRow ? 0 : length, share);
  }

  /// One partial result, or the only one, by the lanes of a wave.
  ScheduleAttr reduction(ReduceOp op) {
    bool oneThread =
        isSum(op.getKind()) && op.getOrder() == lab::SumOrder::Sequential;
    if (!op.isPartial()) {
      int64_t threads = oneThread ? 1 : maxShare;
      return schedule({level(LevelKind::Block, {0}, threads),
                       level(LevelKind::Thread, {0}, threads)});
    }
    int64_t span = op.getElementsPerResult();
    return schedule({level(LevelKind::Block, {blockThreads / maxShare * span},
                           blockThreads),
                     level(LevelKind::Thread, {span}, maxShare)});
  }

  ScheduleAttr choose(Operation *op) {
    ScheduleAttr schedule = chooseLevels(op);
    return schedule && converts(op) ? withConverter(schedule) : schedule;
  }

  ScheduleAttr chooseLevels(Operation *op) {
    return llvm::TypeSwitch<Operation *, ScheduleAttr>(op)
        .Case([&](AxpyOp o) { return elements(o, elementsOf(o.getX())); })
        .Case([&](CastOp o) { return elementwise(o, o.getX(), o.getY()); })
        .Case([&](ExpOp o) { return elementwise(o, o.getX(), o.getY()); })
        .Case([&](QuantizeOp o) {
          return groups(o, o.getX(), o.getGroup(), o.getCodeType());
        })
        .Case([&](DequantizeOp o) {
          return groups(o, o.getY(), o.getGroup(), o.getCodeType());
        })
        .Case([&](EncodeOp o) {
          int64_t multiple = o.getTileMultiple(1);
          int64_t tile = std::max(elementsOf(o.getX()) / multiple, int64_t(1));
          return rows(o.getX(), tile * multiple, 1);
        })
        .Case([&](ReduceOp o) { return reduction(o); })
        .Case([&](GemmOp o) { return chooseGpuGemmSchedule(o); });
  }
};

struct SchedulePass : labgen::impl::LabGpuScheduleBase<SchedulePass> {
  using LabGpuScheduleBase::LabGpuScheduleBase;

  void runOnOperation() override {
    Result<const ChipInfo *> chip = findGpuChip(target.getValue());
    if (!chip) {
      getOperation().emitError(chip.status().message());
      return signalPassFailure();
    }
    Chooser chooser{&getContext(), convertersOf(**chip).back()};
    ScheduleTarget legal = legalOn(**chip);
    auto result = getOperation().walk([&](LabAccess op) {
      if (op->getParentOp() != getOperation()) // a tile already
        return WalkResult::advance();
      auto schedule = op->getAttrOfType<ScheduleAttr>(scheduleAttrName);
      if (!schedule)
        schedule = chooser.choose(op);
      if (!schedule) // a copy has none
        return WalkResult::advance();
      op->setAttr(scheduleAttrName, schedule);
      return WalkResult(checkScheduleOfTarget(op, schedule, legal));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
