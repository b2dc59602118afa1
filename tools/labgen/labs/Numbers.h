// Numbers.h - data and norms that several labs use.
#ifndef LABGEN_TOOLS_LABGEN_LABS_NUMBERS_H
#define LABGEN_TOOLS_LABGEN_LABS_NUMBERS_H

#include "tools/labgen/labs/Runner.h"

#include "runtime/data/Data.h"

namespace labgen {

/// `count` values of a distribution, in f32; `stream` tells apart the arrays of
/// one lab. The same on every machine.
Values drawValues(Distribution distribution, int64_t count, int stream);

/// Each rounded to nearest in `format`.
Values rounded(Format format, Values values);

/// ||x - y|| / ||y||, Euclidean.
double relativeError(const Values &x, const Values &y);

/// X [m,k] times the transpose of Y [n,k], in f64.
Values productOf(const Values &x, const Values &y, int64_t m, int64_t n,
                 int64_t k);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_LABS_NUMBERS_H
