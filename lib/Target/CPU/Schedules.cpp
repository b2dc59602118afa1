// Schedules.cpp - how much a work unit of each op takes, and what its body is
// told: a function for each op, listed at the end.
//
// A unit is about 64 KB of input: long enough that dealing it to a thread costs
// nothing, short enough that a busy core does not keep the others waiting.
#include "lib/Target/CPU/Schedules.h"

#include "lib/Target/CPU/GemmSchedule.h"

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

ScheduleAttr withLevel(LevelAttr level, const KernelParameters &kernel = {}) {
  return ScheduleAttr::get(level.getContext(), {level}, kernel);
}

/// What is said of reading numbers of a type.
KernelParameters reading(Type type, const CpuTarget &target) {
  KernelParameters kernel;
  kernel.extend = extendedOf(type, target);
  return kernel;
}

/// Matrices that stream from x to `out`.
ScheduleAttr stream(LabAccess op, Value x, Value out, const CpuTarget &target,
                    KernelParameters kernel = {}) {
  kernel.nontemporal = streamsPastCaches(target, typeOf(out), bytesOf(op));
  return withLevel(streamRows(op, typeOf(x)), kernel);
}

/// Vectors that stream, elements of type `in`: a unit is 64 KB of the wider
/// side.
ScheduleAttr streamElements(LabAccess op, Value out, Type in,
                            const CpuTarget &target) {
  int64_t widest = 1;
  for (MemRefType t : memrefTypes(op))
    widest = std::max<int64_t>(widest, t.getElementTypeBitWidth() / 8);
  KernelParameters kernel = reading(in, target);
  kernel.nontemporal = typeOf(out).hasStaticShape() && bytesOf(op) > target.llc;
  return withLevel(block(op->getContext(), {unitBytes / widest}), kernel);
}

ScheduleAttr scheduleAxpy(AxpyOp op, const CpuTarget &) {
  int64_t bytes = typeOf(op.getX()).getElementTypeBitWidth() / 8;
  return withLevel(block(op.getContext(), {unitBytes / bytes}));
}

ScheduleAttr scheduleCast(CastOp op, const CpuTarget &target) {
  return streamElements(op, op.getY(), op.getInType(), target);
}

ScheduleAttr scheduleCopy(CopyOp op, const CpuTarget &target) {
  return stream(op, op.getSrc(), op.getDst(), target);
}

ScheduleAttr scheduleDequantize(DequantizeOp op, const CpuTarget &target) {
  return stream(op, op.getY(), op.getY(), target,
                reading(op.getCodeType(), target));
}

ScheduleAttr scheduleEncode(EncodeOp op, const CpuTarget &target) {
  return stream(op, op.getX(), op.getQ(), target);
}

ScheduleAttr scheduleExp(ExpOp op, const CpuTarget &target) {
  return streamElements(op, op.getY(), op.getInType(), target);
}

ScheduleAttr scheduleQuantize(QuantizeOp op, const CpuTarget &target) {
  return stream(op, op.getX(), op.getQ(), target);
}

ScheduleAttr scheduleReduce(ReduceOp op, const CpuTarget &) {
  if (!op.isPartial())
    return withLevel(block(op.getContext(), {0}));
  int64_t bytes = typeOf(op.getX()).getElementTypeBitWidth() / 8;
  int64_t span = op.getElementsPerResult();
  int64_t spans = std::max<int64_t>(unitBytes / bytes / span, 1);
  return withLevel(block(op.getContext(), {spans * span}));
}

ScheduleAttr scheduleSoftmax(SoftmaxOp op, const CpuTarget &target) {
  return withLevel(streamRows(op, typeOf(op.getX())),
                   reading(op.getInType(), target));
}

} // namespace

const OpSchedules<CpuTarget> &labgen::cpuSchedules() {
  static const OpSchedules<CpuTarget> schedules(
      scheduleAxpy, scheduleCast, scheduleCopy, scheduleDequantize,
      scheduleEncode, scheduleExp, chooseGemmSchedule, scheduleQuantize,
      scheduleReduce, scheduleSoftmax);
  return schedules;
}
