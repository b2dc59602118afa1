// DotProducts.h - integer dot products of 8-bit codes, in the steps that the
// schedule asks for. A step is a vector.multi_reduction of widened products;
// targets make instructions of it, or sum element by element.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_GEMM_DOTPRODUCTS_H
#define LABGEN_LIB_TRANSFORMS_BODIES_GEMM_DOTPRODUCTS_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

/// Adds products of A's and B's codes, signed or unsigned, to i32 lanes, each
/// lane taking kPerLane() neighbours along k. Exact: nothing saturates.
class DotProducts {
public:
  /// What the micro-kernel's `integer_dot` says: quads (steps of four
  /// neighbours, for signed A), pairs (steps of two) or generic (multiply and
  /// add).
  static mlir::FailureOr<DotProducts> get(BodyBuilder &e, mlir::Operation *op,
                                          bool unsignedA, bool unsignedB);

  int64_t chunk() const { return lanes() * perLane; } ///< codes a call takes
  int64_t kPerLane() const { return perLane; }
  int64_t lanes() const { return e->vectorBytes / 4; }
  mlir::VectorType type() const { return e->vec(lanes(), e->b.getI32Type()); }

  /// B's codes as add() wants them.
  mlir::Value prepareB(mlir::Value codes);
  /// A's codes as add() wants them.
  mlir::Value prepareA(mlir::Value codes);
  /// What add() has B's codes greater by.
  int64_t offset() const {
    return kind == lab::IntegerDot::Quads && !unsignedB ? 128 : 0;
  }
  /// What every product of this chunk of A must start from for that.
  mlir::Value start(mlir::Value preparedA);
  /// Adds A's codes alone.
  mlir::Value addSum(mlir::Value acc, mlir::Value preparedA);
  mlir::Value add(mlir::Value acc, mlir::Value preparedA,
                  mlir::Value preparedB);

private:
  DotProducts(BodyBuilder &e, lab::IntegerDot kind, int64_t perLane,
              bool unsignedA, bool unsignedB)
      : e(&e), kind(kind), perLane(perLane), unsignedA(unsignedA),
        unsignedB(unsignedB) {}
  mlir::Value widen(mlir::Value codes, bool isSigned);

  BodyBuilder *e;
  lab::IntegerDot kind;
  int64_t perLane;
  bool unsignedA, unsignedB;
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_GEMM_DOTPRODUCTS_H
