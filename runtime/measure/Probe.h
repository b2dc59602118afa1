// Probe.h - measures what this machine's cores and memory can do.
//
// Single roofs on demand (a row's roof is measured beside it), and the whole
// table a prediction is made from. Every figure is the fast quartile of samples
// of the fastest loop variant, taken like a kernel's own samples: back to back
// in the caches, flushed before each from twice the last-level cache on.
#ifndef LABGEN_RUNTIME_MEASURE_PROBE_H
#define LABGEN_RUNTIME_MEASURE_PROBE_H

#include "lib/Roofline/Roofline.h"

#include <functional>

namespace labgen {

/// Bandwidth of `mix` over arrays of `footprintBytes` together, in GB/s of
/// bytes read plus written, no write-allocate counted. Best of plain and
/// non-temporal stores, with and without prefetch. `isa`: avx512 | avx2 | sse2.
/// Footprints beyond 16 last-level caches and 512 MiB are cut to that: DRAM has
/// no level left to fall to. Takes 20 ms in the caches, 0.1-0.3 s in DRAM;
/// `effort` times as many samples where more certainty is wanted.
Result<Bandwidth> probeBandwidth(Mix mix, int64_t footprintBytes, int threads,
                                 const std::string &isa, int effort = 1);

/// Peak of the multiply-add instruction for `format` in `isa` (the names of
/// Peak::isa); nothing where there is no such loop or this CPU lacks the ISA.
std::optional<Peak> probePeak(Format format, const std::string &isa,
                              int threads);

/// Seconds to launch an empty body on all threads and join.
double probeLaunch(int threads);

/// Told after each measurement how many of how many are done.
using ProbeProgress = std::function<void(int done, int total)>;

/// The whole table: every mix from L1 to DRAM and every peak, with one thread
/// and with all cores. Some seconds.
Result<MachineRoofs> probeMachine(const ProbeProgress &progress = {});

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_PROBE_H
