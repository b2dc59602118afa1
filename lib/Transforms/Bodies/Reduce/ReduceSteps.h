// ReduceSteps.h - how one element is added to an accumulator, in the order and
// with the roundings of the contract: what all reduction bodies share.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_REDUCE_REDUCESTEPS_H
#define LABGEN_LIB_TRANSFORMS_BODIES_REDUCE_REDUCESTEPS_H

#include "lib/Spec/ops/Sums.h"
#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen::lab {

class ReduceSteps {
public:
  static constexpr int64_t numAccumulators = blockAccumulators;

protected:
  ReduceSteps(BodyBuilder &e, lab::ReduceOp op)
      : e(e), op(op), kind(op.getKind()),
        isNarrow(elementType(op.getR()).isF16()),
        acc(isNarrow ? e.b.getF64Type() : elementType(op.getR())),
        isMax(!isSum(kind)),
        compensated(!isMax && op.getOrder() == SumOrder::Compensated) {}

  /// `count` elements added to accumulators `a` (and compensations `c`);
  /// missing elements of a short step leave theirs alone.
  void step(mlir::Value &a, mlir::Value &c, mlir::Value at, int64_t count);
  /// One element per lane added; y only counts for dot.
  void accumulate(mlir::Value &a, mlir::Value &c, mlir::Value x, mlir::Value y);
  mlir::Value isFinite(mlir::Value x);
  /// Kahan's step; leaves c finite where `dropsCorrections`.
  void kahanAdd(mlir::Value &sum, mlir::Value &c, mlir::Value x);
  /// Adds another accumulator with its compensation.
  void addPair(mlir::Value &sum, mlir::Value &c, mlir::Value otherSum,
               mlir::Value otherC);
  mlir::Value combine(mlir::Value a, mlir::Value b);
  mlir::Value identity(int64_t n) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double value = kind == ReduceKind::Max   ? -infinity
                   : kind == ReduceKind::Min ? infinity
                                             : 0.0;
    return e.floatSplat(n, value, acc);
  }
  mlir::Value load(mlir::Value memref, mlir::Value at, int64_t n);
  /// Of the type that `r` has.
  mlir::Value result(mlir::Value value);
  /// Divides by what the op says and writes the only result.
  void storeResult(mlir::Value r);

  BodyBuilder &e;
  lab::ReduceOp op;
  ReduceKind kind;
  /// Sums in f16: every operation is done in f64 and rounded. That is the right
  /// result of f16 arithmetic, since f64 holds the product of two f16 and,
  /// where it decides the rounding, the sum of that and a third exactly.
  bool isNarrow;
  mlir::Type acc;
  bool isMax, compensated;
  bool dropsCorrections = true;

private:
  /// As the accumulator's format has it.
  mlir::Value rounded(mlir::Value value);
  /// A register whose first lanes are `count` elements, the others 0.
  mlir::Value loadPadded(mlir::Value memref, mlir::Value at, int64_t count,
                         int64_t lanes) {
    return e.padded(count, lanes, acc, [&](int64_t from, int64_t n) {
      return load(memref, e.add(at, from), n);
    });
  }
};

/// The body of a tile shared by several threads of a GPU.
void lowerSubgroupReduce(lab::ReduceOp op, BodyBuilder &e);

} // namespace labgen::lab

#endif // LABGEN_LIB_TRANSFORMS_BODIES_REDUCE_REDUCESTEPS_H
