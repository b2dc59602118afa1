// CacheState.h - where a kernel's operands are when its time starts.
//
// A footprint under twice the last-level cache is timed back to back and its
// row is labelled llc: some or all of it never leaves the caches. From there on
// the caches are flushed before every sample, so nothing of the last run is
// left, and the row is labelled cold; warm, should the flush be impossible.
#ifndef LABGEN_RUNTIME_MEASURE_CACHESTATE_H
#define LABGEN_RUNTIME_MEASURE_CACHESTATE_H

#include "runtime/core/Tensor.h"
#include "runtime/cpu/Pool.h"

namespace labgen {

/// Whether a footprint is timed from flushed caches.
bool isCold(int64_t footprintBytes);

/// Evicts everything by reading a buffer of twice the last-level cache, shared
/// out over the threads so that each of several last-level caches gets its
/// part. The buffer is made at the first call and kept. False when there is no
/// memory for it.
bool flushCaches(Pool &pool);

/// Scratch memory for measurements, touched by the pool's threads (first touch
/// decides the NUMA node) and filled with ones in f32: pages never written
/// would all be one.
Result<Tensor> scratchMemory(int64_t bytes, Pool &pool);

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_CACHESTATE_H
