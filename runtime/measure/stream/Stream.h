// Stream.h - the loops that measure bandwidth.
//
// One loop per mix, in each vector ISA, with plain and non-temporal stores and
// with and without software prefetch: the roof is what the best of them
// reaches. Arrays are counted in lines of 64 bytes.
#ifndef LABGEN_RUNTIME_MEASURE_STREAM_STREAM_H
#define LABGEN_RUNTIME_MEASURE_STREAM_STREAM_H

#include "runtime/measure/stream/Shape.h"

#include <string>

namespace labgen {
namespace stream {

/// The kernel for a mix, or nullptr where a variant makes no sense (a mix
/// without write-only arrays has no non-temporal form). `isa`: avx512 | avx2 |
/// sse2; the caller makes sure that the machine has it.
Kernel kernel(const std::string &isa, Mix mix, Variant variant);

Shape shape(Mix mix);

} // namespace stream
} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_STREAM_STREAM_H
