// ParallelFor.h - how work is dealt to threads, whoever owns them.
#ifndef LABGEN_RUNTIME_CORE_PARALLELFOR_H
#define LABGEN_RUNTIME_CORE_PARALLELFOR_H

#include <cstdint>
#include <functional>

namespace labgen {

/// Deals [0, n) in chunks to worker threads; the checker is handed the pool it
/// may use.
using ParallelFor = std::function<void(
    int64_t n, const std::function<void(int64_t, int64_t)> &)>;

} // namespace labgen

#endif // LABGEN_RUNTIME_CORE_PARALLELFOR_H
