// Segments.cpp - see Segments.h.
//
// The domain is split first and tiled after, with loop headers that say "this
// tile has size t": upstream's would leave affine.min(t, rest) that nothing
// folds away again.
#include "lib/Transforms/Tiles/Segments.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace labgen;

SmallVector<Segment> labgen::splitDimension(OpBuilder &b, Location loc,
                                            OpFoldResult size, int64_t tile,
                                            int64_t multiple, bool firstApart) {
  auto constant = [&](int64_t v) -> OpFoldResult { return b.getIndexAttr(v); };
  SmallVector<Segment> segments;
  if (tile == 0)
    return {{constant(0), size, 0}};
  if (auto n = getConstantIntValue(size)) {
    int64_t at = 0;
    auto push = [&](int64_t length, int64_t t) {
      if (length > 0)
        segments.push_back({constant(at), constant(length), t});
      at += length;
    };
    if (*n == 0)
      return {{constant(0), size, 0}};
    if (firstApart && *n > tile)
      push(tile, tile);
    push((*n - at) / tile * tile, tile);
    if (multiple > 1)
      push((*n - at) / multiple * multiple, (*n - at) / multiple * multiple);
    push(*n - at, *n - at);
    return segments;
  }
  AffineExpr s = b.getAffineSymbolExpr(0);
  auto apply = [&](AffineExpr e) {
    return affine::makeComposedFoldedAffineApply(b, loc, e, {size});
  };
  AffineExpr whole = s.floorDiv(tile) * tile;
  segments.push_back({constant(0), apply(whole), tile});
  int64_t unit = std::max<int64_t>(multiple, 1);
  AffineExpr units = s.floorDiv(unit) * unit;
  if (tile > unit)
    segments.push_back({apply(whole), apply(units - whole), unit});
  if (unit > 1)
    segments.push_back({apply(units), apply(s % unit), 0});
  return segments;
}
