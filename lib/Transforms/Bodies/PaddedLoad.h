// PaddedLoad.h - pieces of a tile's rows where the source may end within it.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_PADDEDLOAD_H
#define LABGEN_LIB_TRANSFORMS_BODIES_PADDEDLOAD_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// Vectors of a source of [rows, columns] elements, of which there may be fewer
/// than a tile has; whole ones at once, `granule` elements at the edge.
class PaddedLoad {
public:
  PaddedLoad(BodyBuilder &e, mlir::Value rows, mlir::Value columns,
             mlir::Type element, int64_t granule = 1)
      : e(e), rows(rows), columns(columns), element(element), granule(granule) {
  }

  /// Whether elements [at, at + n) of row r are there.
  mlir::Value inside(mlir::Value r, int64_t at, int64_t n);
  /// load(at, n), with zeros for elements that are not there.
  mlir::Value load(mlir::Value r, int64_t at, int64_t n,
                   llvm::function_ref<mlir::Value(int64_t, int64_t)> load);

private:
  BodyBuilder &e;
  mlir::Value rows, columns;
  mlir::Type element;
  int64_t granule;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_PADDEDLOAD_H
