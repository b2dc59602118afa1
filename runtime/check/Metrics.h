// Metrics.h - how far results are from a reference, and where they differ.
//
// The numbers of a row's `error` (max abs, rms, relative Frobenius, SQNR) and
// the first element that is not what the oracle has.
#ifndef LABGEN_RUNTIME_CHECK_METRICS_H
#define LABGEN_RUNTIME_CHECK_METRICS_H

#include "lib/Spec/Row.h"
#include "runtime/core/Tensor.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace labgen {

/// Sums over pairs (reference, result). A pair whose reference is not finite
/// has no distance and is left out; a finite reference with a result that is
/// not makes every metric unknown.
struct ErrorSums {
  double squaredError = 0, squaredReference = 0, maxAbs = 0;
  int64_t elements = 0;
  bool unbounded = false;

  void add(const double *reference, const double *result, int64_t count);
  void merge(const ErrorSums &other);
  /// rel_fro = ||y - r|| / ||r||; sqnr_db = 20 log10(||r|| / ||y - r||), none
  /// at zero error.
  RowError finish() const;
};

/// Where an output differs from the oracle's, in elements of one argument.
struct Differences {
  int64_t count = 0;
  int64_t first = -1; ///< flat index of the first one
  uint64_t got = 0, want = 0;
  double within = 0;    ///< how far from `want` it may be
  int64_t padding = -1; ///< flat index of a row's end with wrong pad bits
  int64_t maxCode = 0;  ///< largest distance in codes

  bool any() const { return count || padding >= 0; }
  /// Compares `count` elements of packed rows bit for bit, pad bits too; any
  /// NaN equals any NaN. Element `begin` starts on a byte and has the flat
  /// index `flat`; a span that ends inside a byte ends its row.
  void compare(Format format, const std::byte *got, const std::byte *want,
               int64_t begin, int64_t count, int64_t flat);
  void note(int64_t flat, uint64_t got, uint64_t want, double within = 0);
  void merge(const Differences &other);
  /// "q[3,17] is 5 (0x05), want 4 (0x04); 2 of 64 elements are wrong".
  std::string describe(const Argument &argument) const;
};

/// Steps between two codes in the order of their values; for a float format
/// adjacent floats are one apart.
int64_t codeDistance(Format format, uint64_t a, uint64_t b);

/// "q[3,17]" for a flat index; "r" for a scalar.
std::string elementName(const Argument &argument, int64_t flat);
/// "0.5 (0x3f000000)".
std::string valueAndBits(Format format, uint64_t bits);

} // namespace labgen

#endif // LABGEN_RUNTIME_CHECK_METRICS_H
