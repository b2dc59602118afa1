// Segments.h - a dimension cut so that every tile of a part has one size.
#ifndef LABGEN_LIB_TRANSFORMS_TILES_SEGMENTS_H
#define LABGEN_LIB_TRANSFORMS_TILES_SEGMENTS_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

namespace labgen {

/// A part of one dimension that is a whole number of tiles (0: not tiled);
/// padded: perhaps one whole tile too many.
struct Segment {
  mlir::OpFoldResult offset, size;
  int64_t tile;
  bool padded = false;
};

/// Splits a dimension of `size` for tiles of `tile` that start at multiples of
/// `multiple`. `firstApart`: the first tile stands alone (it overwrites).
llvm::SmallVector<Segment> splitDimension(mlir::OpBuilder &b,
                                          mlir::Location loc,
                                          mlir::OpFoldResult size, int64_t tile,
                                          int64_t multiple, bool firstApart);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_TILES_SEGMENTS_H
