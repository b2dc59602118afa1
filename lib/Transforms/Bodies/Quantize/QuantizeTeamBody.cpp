// QuantizeTeamBody.cpp - codes and the scale of one group, shared by a team of
// GPU threads: each takes every so many elements, the absmax goes through a
// butterfly, and every thread works out the scale for itself.
#include "lib/Transforms/Bodies/Quantize/QuantizeTile.h"
#include "lib/Transforms/Bodies/Team.h"

using namespace mlir;
using namespace labgen;

namespace {

class TeamQuantizer : QuantizeTile {
public:
  TeamQuantizer(BodyBuilder &e, lab::QuantizeOp op)
      : QuantizeTile(e, op), team(e), width(e.lanes(elementType(op.getX()))) {}

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

  Team team;
  int64_t width; ///< elements a thread loads at once
};

QuantizeTile::Stats TeamQuantizer::gather(Value r, Value start, int64_t n) {
  Stats all = math.noStats(1);
  all = Stats(ArrayRef<Value>(team.deal(
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
  for (int64_t distance = team.size() / 2; distance; distance /= 2) {
    Stats others;
    for (Value stat : all)
      others.push_back(team.across(stat, distance));
    all = math.combine(all, others);
  }
  return all;
}

void TeamQuantizer::oneGroup(Value r, Value start, Value groupIndex,
                             int64_t n) {
  Scales scales = math.fromStats(gather(r, start, n));
  team.onLane(0, [&] { storeScales(scales, r, groupIndex, 1); });
  team.deal(n, width, [&](Value at, int64_t count) {
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

void labgen::lowerTeamQuantize(lab::QuantizeOp op, BodyBuilder &e) {
  TeamQuantizer(e, op).run();
}
