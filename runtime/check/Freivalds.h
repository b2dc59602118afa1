// Freivalds.h - all of a long product against random combinations of columns.
//
// R. Freivalds, Probabilistic machines can use less running time (IFIP 1977):
// c v = a (b v) costs a matrix-vector product where checking c costs a matrix
// product. Here a vector has entries on a few columns only (at most 64), so
// that what rounding may add stays small beside one wrong element; the vectors
// together cover all columns. Entries are odd integers of 1025 to 2047 with a
// sign, drawn after the kernel ran: a single wrong element always shows when it
// is off by more than twice the allowed sum, and errors of several elements
// cancel with a chance of about one in a thousand a vector. Integers are
// compared modulo 2^32, where odd factors lose nothing.
#ifndef LABGEN_RUNTIME_CHECK_FREIVALDS_H
#define LABGEN_RUNTIME_CHECK_FREIVALDS_H

#include "lib/Spec/ops/Gemm.h"
#include "runtime/check/Check.h"
#include "runtime/check/oracle/Gemm.h"

namespace labgen {

/// c = a b^T + added, each by its rows; `added` is empty without accumulation.
struct ProductToTest {
  const KernelSpec &spec;
  oracle::DoubleSource a, b, c, added;
};

/// Elements of a row that a test did not prove right.
struct Doubt {
  int64_t row, column, columns;
};

struct FreivaldsResult {
  /// A single element that is off by more than this is in doubt for certain.
  double detects = 0;
  std::vector<Doubt> doubts;
};

/// Columns per vector: as few as make the test cost no more than the rows that
/// are checked exactly, at most 64.
int64_t columnsPerVector(const KernelSpec &spec);

/// Tests columns [begin, begin + 64 columnsPerVector) of all rows; `key` draws
/// the vectors. Where Inf, NaN or the accumulator's range leave a sum without a
/// bound, its elements are in doubt.
FreivaldsResult freivalds(const ProductToTest &product, int64_t begin,
                          uint64_t key, const ParallelFor &parallel);

/// A key that nothing knew before: `seed` mixed with the system's randomness.
uint64_t freshKey(uint64_t seed);

} // namespace labgen

#endif // LABGEN_RUNTIME_CHECK_FREIVALDS_H
