// Target.h - the names after --target and --device.
#ifndef LABGEN_TOOLS_LABGEN_DRIVER_TARGET_H
#define LABGEN_TOOLS_LABGEN_DRIVER_TARGET_H

#include "lib/Support/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace labgen {

/// Common cpu targets, "cpu:native" first; any CPU name LLVM knows is one.
const std::vector<std::string_view> &cpuTargets();

/// The canonical name ("cpu" is cpu:native). Bad input names the nearest one.
Result<std::string> checkTarget(const std::string &target);

/// The device of a target: "cpu", "cuda:0" or "hip:0".
std::string defaultDevice(const std::string &target);

/// The device a run of `target` uses when `device` was asked for (empty: the
/// target's own). A driver that is not there is Status::missing.
Result<std::string> checkDevice(const std::string &device,
                                const std::string &target);

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_DRIVER_TARGET_H
