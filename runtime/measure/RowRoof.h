// RowRoof.h - the roof of one row, measured beside it.
#ifndef LABGEN_RUNTIME_MEASURE_ROWROOF_H
#define LABGEN_RUNTIME_MEASURE_ROWROOF_H

#include "lib/Spec/Row.h"
#include "runtime/measure/Probe.h"

namespace labgen {

/// Bandwidth for code using `features`, at the lab's footprint and read:write
/// mix and with as many threads; the peak of the fastest unit this CPU has for
/// the lab, and of the instructions in `features`. Measured once per process
/// for footprints within a ninth of each other; `again` measures anew and keeps
/// the better of the two.
Result<RowRoof> roofBeside(const KernelSpec &spec,
                           const std::vector<std::string> &features,
                           int threads, bool again);

/// Why a row cannot be believed: it is more than 10% above the bandwidth, or
/// above what its own instructions can reach. Empty for a row at or below.
std::string aboveRoof(const Row &row);

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_ROWROOF_H
