// Blame.h - whose fault an error is that upstream reports, and what to do.
#ifndef LABGEN_LIB_DRIVER_BLAME_H
#define LABGEN_LIB_DRIVER_BLAME_H

#include "lib/Support/Status.h"

namespace labgen {

/// What the user gave beside the spec: nothing, a schedule, or IR in a file.
enum class Given { Spec, Schedule, File };

/// `what` as bad input. Where it does not say what to do (upstream's messages
/// do not), it is placed in `step`, the pass or tool that reported it, and
/// advice follows: to mend what was given, or to report a fault of labgen's. So
/// is a schedule that is refused where none was given.
Status blame(std::string what, const std::string &step, Given given);

} // namespace labgen

#endif // LABGEN_LIB_DRIVER_BLAME_H
