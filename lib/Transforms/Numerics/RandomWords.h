// RandomWords.h - the random word of every element of a tile that is rounded
// stochastically.
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011) with the op's seed as key and an element's flat index
// in the whole lab as counter: no state, so that neither threads nor tiles nor
// the target change a bit.
#ifndef LABGEN_LIB_TRANSFORMS_NUMERICS_RANDOMWORDS_H
#define LABGEN_LIB_TRANSFORMS_NUMERICS_RANDOMWORDS_H

#include "lib/Transforms/Vector/BodyBuilder.h"

namespace labgen {

class RandomWords {
public:
  /// `position` as ops have it: the flat index of the first element and how far
  /// apart rows are; empty for 0 and `rowLength`.
  RandomWords(BodyBuilder &e, std::optional<uint64_t> seed,
              mlir::ValueRange position, int64_t rowLength)
      : e(e), seed(seed), position(position), rowLength(rowLength) {}

  /// Words of n elements from a column of a row, as vector<n x i32>; null where
  /// the op does not round stochastically.
  mlir::Value at(mlir::Value row, mlir::Value column, int64_t n);

private:
  BodyBuilder &e;
  std::optional<uint64_t> seed;
  mlir::ValueRange position;
  int64_t rowLength;
};

/// First words of the counters first, first + 1, ... as vector<n x i32>.
mlir::Value philoxWords(BodyBuilder &e, uint64_t seed, mlir::Value first,
                        int64_t n);

/// x to an integer, as a float: away from zero where the word is below 2^32
/// times the fraction dropped. Exact.
mlir::Value roundByChance(BodyBuilder &e, mlir::Value x, mlir::Value random);

} // namespace labgen

#endif // LABGEN_LIB_TRANSFORMS_NUMERICS_RANDOMWORDS_H
