// Bound.cpp - unit roundoffs and their growth.
//
// Notation: u is the unit roundoff, gamma(n) = n u / (1 - n u). Rounding is to
// nearest unless a spec says otherwise. Sums of subnormals are exact, products
// are not: they add half a smallest subnormal each.
#include "lib/Spec/OpInfo.h"

#include <cmath>
#include <limits>

namespace labgen {

double unitRoundoff(Format format) {
  return isInteger(format) ? 0 : std::ldexp(1, -info(format).mantissaBits - 1);
}

double gamma(double n, double u) {
  return n * u < 1 ? n * u / (1 - n * u)
                   : std::numeric_limits<double>::infinity();
}

double roundingError(Format format, double value) {
  double relative = std::fabs(value) * unitRoundoff(format);
  double least = info(format).minSubnormal / 2;
  return relative < least ? least : relative; // NaN stays NaN
}

RelativeBound relativeBound(const KernelSpec &spec) {
  return info(spec.op).relativeBound(spec);
}

} // namespace labgen
