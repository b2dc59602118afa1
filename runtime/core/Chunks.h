// Chunks.h - parallel passes whose result does not depend on the threads.
//
// A pass over rows x columns is cut the same way whatever the pool does; each
// part gathers its own findings, and parts are merged in order.
#ifndef LABGEN_RUNTIME_CORE_CHUNKS_H
#define LABGEN_RUNTIME_CORE_CHUNKS_H

#include "runtime/core/ParallelFor.h"

#include <algorithm>
#include <vector>

namespace labgen {

/// Elements of one chunk, small enough for buffers on the stack and in L1.
constexpr int64_t chunkElements = 2048;

inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// Calls body(item, part) for item in [0, items); Part has merge(const Part &).
template <typename Part, typename Body>
Part mapItems(const ParallelFor &parallel, int64_t items, const Body &body) {
  Part total;
  if (items == 0)
    return total;
  int64_t perPart = std::max<int64_t>(1, ceilDiv(items, 256));
  int64_t numParts = ceilDiv(items, perPart);
  std::vector<Part> parts{size_t(numParts)};
  parallel(numParts, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p)
      for (int64_t i = p * perPart; i < std::min(items, (p + 1) * perPart); ++i)
        body(i, parts[size_t(p)]);
  });
  for (const Part &part : parts)
    total.merge(part);
  return total;
}

/// Calls body(row, begin, count, part) for each run of at most `chunk` columns.
template <typename Part, typename Body>
Part mapChunks(const ParallelFor &parallel, int64_t rows, int64_t columns,
               int64_t chunk, const Body &body) {
  int64_t perRow = ceilDiv(columns, chunk);
  return mapItems<Part>(parallel, rows * perRow, [&](int64_t i, Part &part) {
    int64_t begin = i % perRow * chunk;
    body(i / perRow, begin, std::min(chunk, columns - begin), part);
  });
}

} // namespace labgen

#endif // LABGEN_RUNTIME_CORE_CHUNKS_H
