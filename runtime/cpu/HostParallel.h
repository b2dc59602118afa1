// HostParallel.h - the cores of this process for making data and judging.
#ifndef LABGEN_RUNTIME_CPU_HOSTPARALLEL_H
#define LABGEN_RUNTIME_CPU_HOSTPARALLEL_H

#include "runtime/core/ParallelFor.h"

#include <string>

namespace labgen {

/// Every core the process may use, whatever a kernel is timed with. Passes that
/// take longer than `afterSeconds` say on a terminal how far they are, as
/// "WHAT [###.....] 3/8 CURRENT".
ParallelFor hostParallel(const std::string &what, const std::string &current,
                         double afterSeconds = 1);

} // namespace labgen

#endif // LABGEN_RUNTIME_CPU_HOSTPARALLEL_H
