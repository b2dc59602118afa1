// RoofFile.h - the probe's table, kept between runs.
//
// One file per CPU model, caches and core count under $XDG_CACHE_HOME/labgen/
// (else ~/.cache/labgen/), so that a machine is probed once.
#ifndef LABGEN_RUNTIME_MEASURE_ROOFFILE_H
#define LABGEN_RUNTIME_MEASURE_ROOFFILE_H

#include "runtime/measure/Probe.h"

namespace labgen {

/// Where this machine's roofs are kept; empty when there is no home to keep
/// anything in.
std::string roofFilePath();

Status storeRoofs(const MachineRoofs &roofs);

/// The stored roofs of this very machine; nothing when there are none or the
/// file is damaged. Takes no measurement.
std::optional<MachineRoofs> storedRoofs();

/// Makes the folder of roofFilePath(); false when it cannot (or has none).
bool makeRoofFolder();

/// The stored roofs, or else a probe, whose result is stored. Processes that
/// start together wait for one probe. Where nothing can be stored the probe is
/// run once per process. A damaged file is measured and written anew.
Result<MachineRoofs> loadOrProbe(const ProbeProgress &progress = {});

/// The part of `roofs` that code using only `features` can reach: peaks whose
/// instructions are among them.
MachineRoofs reachable(MachineRoofs roofs,
                       const std::vector<std::string> &features);

} // namespace labgen

#endif // LABGEN_RUNTIME_MEASURE_ROOFFILE_H
