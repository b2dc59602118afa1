// StridedStore.h - fills a matrix that may be stored transposed, from a
// function that gives pieces of rows.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_STRIDEDSTORE_H
#define LABGEN_LIB_TRANSFORMS_BODIES_STRIDEDSTORE_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

class StridedStore {
public:
  StridedStore(BodyBuilder &e, mlir::Value matrix);

  /// Elements [column, column + n) of a row, as a vector.
  using Row = llvm::function_ref<mlir::Value(mlir::Value row,
                                             mlir::Value column, int64_t n)>;
  /// Writes the whole matrix in rows of at most `lanes` elements a piece; see
  /// pieces() for `granule`.
  void fill(int64_t lanes, Row row, int64_t granule = 1);
  /// Writes one piece of one row (element by element when transposed); around
  /// the caches where the piece fills registers.
  void store(mlir::Value vector, mlir::Value row, mlir::Value column,
             bool nontemporal = false);
  bool isTransposed() const { return transposed != nullptr; }

private:
  BodyBuilder &e;
  mlir::Value matrix;
  mlir::Value transposed; ///< [columns, rows] view; null for plain rows
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_STRIDEDSTORE_H
