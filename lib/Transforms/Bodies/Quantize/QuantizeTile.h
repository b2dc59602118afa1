// QuantizeTile.h - what the bodies of quantize for one and for several threads
// share.
#ifndef LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_QUANTIZETILE_H
#define LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_QUANTIZETILE_H

#include "lib/Transforms/Bodies/Quantize/QuantizeMath.h"
#include "lib/Transforms/Numerics/RandomWords.h"
#include "lib/Transforms/Vector/BodyBuilder.h"
#include "lib/Transforms/Vector/CodeVectors.h"

namespace labgen {

class QuantizeTile {
public:
  QuantizeTile(BodyBuilder &e, lab::QuantizeOp op)
      : e(e), op(op), codes(e, op.getQ(), op.getCodeType()),
        made(QuantizeMath::make(e, rulesOf(op), op.getGlobal())), math(*made),
        words(e, op.getSeed(), op.getPosition(), dimension(op.getX(), 1)) {
    if (op.getZero())
      zeros.emplace(e, op.getZero(), op.getCodeType());
  }

protected:
  using Scales = QuantizeMath::Scales;
  using Stats = QuantizeMath::Stats;

  mlir::Value load(mlir::Value r, mlir::Value at, int64_t n) {
    return e.widen(e.load(op.getX(), n, {r, at}));
  }
  /// Codes of neighbours from a column of row r.
  mlir::Value encode(mlir::Value x, const Scales &scales, mlir::Value r,
                     mlir::Value column) {
    int64_t n = llvm::cast<mlir::VectorType>(x.getType()).getDimSize(0);
    return math.encode(x, scales, words.at(r, column, n));
  }
  /// Stats of n neighbours, one set for all of them.
  Stats statsOf(mlir::Value x) {
    int64_t n = llvm::cast<mlir::VectorType>(x.getType()).getDimSize(0);
    return math.combineLanes(math.gather(math.noStats(n), x));
  }
  using GroupBody = llvm::function_ref<void(mlir::Value start,
                                            mlir::Value groupIndex, int64_t n)>;
  /// The groups of a row from `first` (a multiple of 8) on; the last one may be
  /// short.
  void forGroups(int64_t first, GroupBody body);
  /// Scales and zero points of n neighbouring groups.
  void storeScales(const Scales &scales, mlir::Value r, mlir::Value firstGroup,
                   int64_t n);

  BodyBuilder &e;
  lab::QuantizeOp op;
  CodeVectors codes;
  std::optional<CodeVectors> zeros;
  std::unique_ptr<QuantizeMath> made;
  QuantizeMath &math;
  RandomWords words;
};

/// The body of a tile that several threads of a GPU share.
void lowerSubgroupQuantize(lab::QuantizeOp op, BodyBuilder &e);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_BODIES_QUANTIZE_QUANTIZETILE_H
