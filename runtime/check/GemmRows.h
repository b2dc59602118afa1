// GemmRows.h - which rows of a long product are checked exactly.
#ifndef LABGEN_RUNTIME_CHECK_GEMMROWS_H
#define LABGEN_RUNTIME_CHECK_GEMMROWS_H

#include "lib/Spec/KernelSpec.h"

namespace labgen {

/// Rows of c that a product of more than 2^31 multiply-adds is checked on.
constexpr int64_t sampledRows = 64;

/// Whether a product is that long; all its rows are then tested by Freivalds'
/// test as well.
bool isSampled(const KernelSpec &spec);

/// All rows of a product, in order; of one above 2^31 multiply-adds 64: the
/// first and the last, both sides of where tiles of `schedule` begin (the first
/// and the last edge of every level, then others that `seed` draws), and rows
/// that `seed` draws.
std::vector<int64_t> rowsToCheck(const KernelSpec &spec,
                                 const std::string &schedule, uint64_t seed);

/// Tile sizes along the first dimension, level by level from the outside in,
/// of a schedule's text (`block [256, 192, 0], loop [8, 0, 0] ...`).
std::vector<int64_t> firstTileSizes(const std::string &schedule);

} // namespace labgen

#endif // LABGEN_RUNTIME_CHECK_GEMMROWS_H
