// QuantizeSubgroupBody.cpp - codes and the scale of one group, shared by a
// subgroup of GPU threads: each takes every so many elements, the absmax goes
// through a butterfly, and every thread works out the scale for itself.
#include "lib/Transforms/Bodies/Quantize/QuantizeTile.h"
#include "lib/Transforms/Bodies/Subgroup.h"

using namespace mlir;
using namespace labgen;

namespace {

class SubgroupQuantizer : QuantizeTile {
public:
  SubgroupQuantizer(BodyBuilder &e, lab::QuantizeOp op)
      : QuantizeTile(e, op), subgroup(e),
        width(e.lanes(elementType(op.getX()))) {}

  void run() {
    e.forLoop(0, dimension(op.getX(), 0), 1, [&](Value r) {
      forGroups(0, [&](Value start, Value groupIndex, int64_t n) {
        oneGroup(r, start, groupIndex, n);
      });
    });
  }

private:
  void oneGroup(Value r, Value start, Value groupIndex, int64_t n);
  /// Of all n values; the same on every thread.
  Stats gather(Value r, Value start, int64_t n);

  Subgroup subgroup;
  int64_t width; ///< elements a thread loads at once
};

QuantizeTile::Stats SubgroupQuantizer::gather(Value r, Value start, int64_t n) {
  Stats all = math.noStats(1);
  all = Stats(ArrayRef<Value>(subgroup.deal(
      n, width, all, [&](Value at, int64_t count, ArrayRef<Value> carried) {
        Stats stats(carried.begin(), carried.end());
        Value column = e.add(start, at);
        int64_t done = 0;
        for (int64_t piece : pieces(count, width)) {
          Value x = load(r, e.add(column, done), piece);
          stats = math.combine(stats, statsOf(x));
          done += piece;
        }
        return SmallVector<Value>(ArrayRef<Value>(stats));
      })));
  for (int64_t distance = subgroup.size() / 2; distance; distance /= 2) {
    Stats others;
    for (Value stat : all)
      others.push_back(subgroup.across(stat, distance));
    all = math.combine(all, others);
  }
  return all;
}

void SubgroupQuantizer::oneGroup(Value r, Value start, Value groupIndex,
                                 int64_t n) {
  Scales scales = math.fromStats(gather(r, start, n));
  subgroup.onLane(0, [&] { storeScales(scales, r, groupIndex, 1); });
  subgroup.deal(n, width, [&](Value at, int64_t count) {
    Value column = e.add(start, at);
    int64_t done = 0;
    for (int64_t piece : pieces(count, width, codes.granule())) {
      Value own = e.add(column, done);
      codes.store(
          encode(load(r, own, piece), math.broadcast(scales, 0, piece), r, own),
          r, own);
      done += piece;
    }
  });
}

} // namespace

void labgen::lowerSubgroupQuantize(lab::QuantizeOp op, BodyBuilder &e) {
  SubgroupQuantizer(e, op).run();
}
