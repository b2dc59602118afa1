// Schedule.cpp - schedules for CPUs: how much a work unit takes, and what the
// bodies are told.
//
// A unit is about 64 KB of input: long enough that dealing it to a thread costs
// nothing, short enough that a busy core does not keep the others waiting.
#include "lib/Target/CPU/GemmSchedule.h"
#include "lib/Target/CPU/Passes.h"

#include "dialects/Lab/Lab.h"
#include "lib/Transforms/ScheduleRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace labgen {
#define GEN_PASS_DEF_LABCPUSCHEDULE
#include "lib/Target/CPU/Passes.h.inc"
} // namespace labgen

using namespace mlir;
using namespace labgen;
using namespace labgen::lab;

namespace {

constexpr int64_t unitBytes = 64 << 10;

MemRefType typeOf(Value v) { return cast<MemRefType>(v.getType()); }

LevelAttr block(MLIRContext *context, ArrayRef<int64_t> tile) {
  return LevelAttr::get(context, LevelKind::Block, tile);
}

/// A [rows, k] op that streams: whole rows where they are short, parts of a row
/// that start on a group and on a cache line of codes where they are long.
LevelAttr streamRows(LabAccess op, MemRefType x) {
  int64_t elements = unitBytes / (x.getElementTypeBitWidth() / 8);
  int64_t k = x.getDimSize(1), multiple = op.getTileMultiple(1);
  int64_t line = std::max<int64_t>(multiple, 1) * 128;
  bool cut = multiple != 0 && (ShapedType::isDynamic(k) || k > 2 * elements);
  if (cut)
    return block(op->getContext(),
                 {1, std::max<int64_t>(elements / line, 1) * line});
  int64_t rows = k > 0 ? std::max<int64_t>(elements / k, 1) : elements;
  return block(op->getContext(), {rows, 0});
}

/// Whether stores that go around the caches pay: the data does not stay in them
/// anyway, and every row starts on a cache line.
bool streamsPastCaches(const CpuTarget &target, MemRefType out,
                       int64_t footprint) {
  if (out.isDynamicDim(1) || footprint <= target.llc)
    return false;
  return out.getDimSize(1) * out.getElementTypeBitWidth() / 8 % 64 == 0;
}

int64_t bytesOf(Operation *op) {
  int64_t bytes = 0;
  for (MemRefType type : memrefTypes(op)) {
    if (type.hasStaticShape())
      bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return bytes;
}

struct Chooser {
  const CpuTarget &target;
  MLIRContext *context;

  ScheduleAttr schedule(LevelAttr level,
                        SmallVector<NamedAttribute> leaf = {}) {
    return ScheduleAttr::get(context, {level},
                             DictionaryAttr::get(context, leaf));
  }
  NamedAttribute nontemporal() {
    return {StringAttr::get(context, "nontemporal"), UnitAttr::get(context)};
  }
  /// The leaf's entry for reading numbers of a type, where there is one.
  SmallVector<NamedAttribute> converter(Type type) {
    StringRef word = converterOf(type, target);
    if (word.empty())
      return {};
    return {
        {StringAttr::get(context, "convert"), StringAttr::get(context, word)}};
  }
  ScheduleAttr stream(LabAccess op, MemRefType x, MemRefType out,
                      SmallVector<NamedAttribute> leaf = {}) {
    if (streamsPastCaches(target, out, bytesOf(op)))
      leaf.push_back(nontemporal());
    return schedule(streamRows(op, x), leaf);
  }

  /// Cast and exp: a unit is 64 KB of the wider side.
  ScheduleAttr streamElements(LabAccess op, MemRefType out, Type in) {
    int64_t widest = 1;
    for (MemRefType t : memrefTypes(op))
      widest = std::max<int64_t>(widest, t.getElementTypeBitWidth() / 8);
    SmallVector<NamedAttribute> leaf = converter(in);
    if (out.hasStaticShape() && bytesOf(op) > target.llc)
      leaf.push_back(nontemporal());
    return schedule(block(context, {unitBytes / widest}), leaf);
  }

  ScheduleAttr choose(Operation *op) {
    return llvm::TypeSwitch<Operation *, ScheduleAttr>(op)
        .Case([&](QuantizeOp q) {
          return stream(q, typeOf(q.getX()), typeOf(q.getQ()));
        })
        .Case([&](EncodeOp q) {
          return stream(q, typeOf(q.getX()), typeOf(q.getQ()));
        })
        .Case([&](DequantizeOp d) {
          return stream(d, typeOf(d.getY()), typeOf(d.getY()),
                        converter(d.getCodeType()));
        })
        .Case([&](CopyOp c) {
          return stream(c, typeOf(c.getSrc()), typeOf(c.getDst()));
        })
        .Case([&](CastOp c) {
          return streamElements(c, typeOf(c.getY()), c.getInType());
        })
        .Case([&](ExpOp x) {
          return streamElements(x, typeOf(x.getY()), x.getInType());
        })
        .Case([&](AxpyOp a) {
          int64_t bytes = typeOf(a.getX()).getElementTypeBitWidth() / 8;
          return schedule(block(context, {unitBytes / bytes}));
        })
        .Case([&](ReduceOp r) {
          if (!r.isPartial())
            return schedule(block(context, {0}));
          int64_t bytes = typeOf(r.getX()).getElementTypeBitWidth() / 8;
          int64_t span = r.getElementsPerResult();
          int64_t spans = std::max<int64_t>(unitBytes / bytes / span, 1);
          return schedule(block(context, {spans * span}));
        })
        .Case([&](GemmOp g) { return chooseGemmSchedule(g, target); });
  }
};

/// What schedules for the processor may name.
ScheduleTarget legalOn(const CpuTarget &target) {
  ScheduleTarget legal;
  legal.name = target.cpu;
  legal.converters = {""};
  if (!target.convert.empty())
    legal.converters.push_back(target.convert);
  legal.dots = {"generic", "madd"};
  if (target.dot == "vnni")
    legal.dots.push_back(target.dot);
  return legal;
}

struct SchedulePass : labgen::impl::LabCpuScheduleBase<SchedulePass> {
  using LabCpuScheduleBase::LabCpuScheduleBase;

  void runOnOperation() override {
    Result<CpuTarget> target = resolveCpu(cpu);
    if (!target) {
      getOperation().emitError(target.status().message());
      return signalPassFailure();
    }
    Chooser chooser{*target, &getContext()};
    ScheduleTarget legal = legalOn(*target);
    auto result = getOperation().walk([&](LabAccess op) {
      if (op->getParentOp() != getOperation()) // a tile already
        return WalkResult::advance();
      auto schedule = op->getAttrOfType<ScheduleAttr>(scheduleAttrName);
      if (!schedule) {
        schedule = chooser.choose(op);
        op->setAttr(scheduleAttrName, schedule);
      }
      return WalkResult(checkScheduleOfTarget(op, schedule, legal));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
