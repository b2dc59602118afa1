// ReduceSteps.h - how one element is added to an accumulator, in the order and
// with the roundings of the contract: what all reduction bodies share.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_REDUCE_REDUCESTEPS_H
#define LABGEN_LIB_TRANSFORMS_BODIES_REDUCE_REDUCESTEPS_H

#include "lib/Transforms/Bodies/BodyBuilder.h"

namespace labgen::lab {

class ReduceSteps {
public:
  /// Of `blocked` and `compensated` sums.
  static constexpr int64_t numAccumulators = 128;

protected:
  ReduceSteps(BodyBuilder &e, lab::ReduceOp op)
      : e(e), op(op), kind(op.getKind()), acc(elementType(op.getR())),
        isMax(!isSum(kind)),
        compensated(!isMax && op.getOrder() == SumOrder::Compensated) {}

  /// `count` elements added to accumulators `a` (and compensations `c`);
  /// missing elements of a short step leave theirs alone.
  void step(mlir::Value &a, mlir::Value &c, mlir::Value at, int64_t count);
  /// One element per lane added; y only counts for dot.
  void accumulate(mlir::Value &a, mlir::Value &c, mlir::Value x, mlir::Value y);
  /// Kahan's step, which leaves c finite.
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
  mlir::Value load(mlir::Value memref, mlir::Value at, int64_t n) {
    return e.widen(e.load(memref, n, at));
  }
  /// Divides by what the op says and writes the only result.
  void storeResult(mlir::Value r);

  BodyBuilder &e;
  lab::ReduceOp op;
  ReduceKind kind;
  mlir::Type acc;
  bool isMax, compensated;

private:
  /// A register whose first lanes are `count` elements, the others 0.
  mlir::Value loadPadded(mlir::Value memref, mlir::Value at, int64_t count,
                         int64_t lanes) {
    return e.padded(count, lanes, acc, [&](int64_t from, int64_t n) {
      return load(memref, e.add(at, from), n);
    });
  }
};

/// The body of a tile shared by several threads of a GPU.
void lowerTeamReduce(lab::ReduceOp op, BodyBuilder &e);

} // namespace labgen::lab

#endif // LABGEN_LIB_TRANSFORMS_BODIES_REDUCE_REDUCESTEPS_H
