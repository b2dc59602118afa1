// Draw.h - the values of a distribution, by element.
//
// Plain IEEE double arithmetic with polynomials of its own (no libm function
// whose last bit differs between machines), so the data is the same everywhere.
#ifndef LABGEN_RUNTIME_DATA_DRAW_H
#define LABGEN_RUNTIME_DATA_DRAW_H

#include "lib/Spec/OpInfo.h"
#include "runtime/data/Data.h"

namespace labgen {

/// Elements of one argument.
class Draw {
public:
  /// `format` is what the values will be stored in; rows have k elements.
  Draw(Distribution distribution, uint64_t seed, int argument, Format format,
       int64_t k, const TieGrid &grid);
  /// Elements [begin, begin + count) of a row. Rounding to `format` is left to
  /// the caller, who saturates; uniform values stay below 1 through it.
  void operator()(int64_t row, int64_t begin, int64_t count, double *out) const;

private:
  double tie(int64_t row, int64_t column) const;
  double extreme(int64_t flat) const;
  /// Stretches values of about one to the range of an integer format.
  void toInteger(double *values, int64_t count) const;

  Distribution distribution;
  uint64_t seed, stream;
  Format format;
  int64_t k;
  TieGrid grid;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_DATA_DRAW_H
