// IntegerDot.h - exact integer dot products, scaled per group in f32 where the
// codes have scales.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_GEMM_INTEGERDOT_H
#define LABGEN_LIB_TRANSFORMS_BODIES_GEMM_INTEGERDOT_H

#include "lib/Transforms/Bodies/Gemm/DotProducts.h"
#include "lib/Transforms/Bodies/Gemm/DotTile.h"

namespace labgen {

/// By one thread. A step multiplies `chunk` codes of every row.
class IntegerDot : public DotTile {
public:
  IntegerDot(BodyBuilder &e, lab::GemmOp op, DotProducts dot)
      : DotTile(e, op), dot(dot), chunk(dot.chunk()) {}

  void run();

protected:
  using Value = mlir::Value;
  using Sums = llvm::MutableArrayRef<Value>;
  using Row = llvm::function_ref<Value(int64_t row)>;

  /// Sums of one set: products, an output each, then with zero points the sums
  /// of A's codes, a row each.
  int64_t perSet() { return outputs() + (op.getBZero() ? rows : 0); }
  /// Adds products of a chunk of each row, as the dot product wants them.
  void multiply(Sums products, Row a, Row b);
  /// Sums of a (b - zero) from those of a b; `zero(row)` of B in lanes, as i32.
  void subtractZeros(Sums products, Row zero);
  /// sums += products * scales, lane by lane; `scale(tensor, row)` in lanes.
  void scaleInto(Sums sums, llvm::ArrayRef<Value> products,
                 llvm::function_ref<Value(Value, int64_t)> scale);
  /// Zero points as i32.
  Value wideZeros(int64_t row, Value groupIndex, int64_t n);
  /// Scales the products of one group.
  void scaleGroup(Sums sums, Sums products, Value groupIndex);
  /// Scales the products of a chunk that holds several whole groups: every lane
  /// lies in one of them.
  void scaleGroupsOfAChunk(Sums sums, Sums products, Value at);
  /// Codes [start, start + n) of one group.
  void oneGroup(Sums sums, Value groupIndex, Value start, int64_t n);

  DotProducts dot;
  int64_t chunk;

private:
  Value loadA(int64_t row, Value at, int64_t n);
  Value loadB(int64_t row, Value at, int64_t n);
  /// Adds products of codes [at, at + n), n <= chunk.
  void step(Sums products, Value at, int64_t n);
  /// Products of codes [start, start + n) from `products` on: one set of sums,
  /// or several.
  llvm::SmallVector<Value> walk(llvm::SmallVector<Value> products, Value start,
                                int64_t n);
  /// Codes [start, start + n) of one group, few enough for i32.
  void partOfGroup(Sums sums, Value groupIndex, Value start, int64_t n);
  /// for i in [from, to): body adds iteration i to one set of the sums, sets in
  /// turn.
  llvm::SmallVector<Value>
  takeTurns(int64_t from, int64_t to, llvm::SmallVector<Value> sums,
            llvm::function_ref<void(Sums, Value)> body);
};

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_GEMM_INTEGERDOT_H
