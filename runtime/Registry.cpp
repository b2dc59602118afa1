// Registry.cpp - devices by name.
//
// The one list of devices; each backend adds its line here.
#include "runtime/Device.h"
#include "runtime/cpu/CpuDevice.h"

using namespace labgen;

namespace {

constexpr int maxThreads = 1024;

/// Names other builds or machines know: absent here, not misspelt.
bool isKnownElsewhere(const std::string &name) {
  return name == "emu" || name.compare(0, 5, "cuda:") == 0 ||
         name.compare(0, 4, "hip:") == 0;
}

} // namespace

Result<std::unique_ptr<Device>> labgen::openDevice(const std::string &name,
                                                   int threads) {
  if (name == "cpu") {
    if (threads > maxThreads)
      return Status::badInput("--threads " + std::to_string(threads) +
                              " is too many; give 1 to " +
                              std::to_string(maxThreads));
    return makeCpuDevice(threads);
  }
  std::string what = "'" + name + "'; the devices of this machine are: cpu";
  if (isKnownElsewhere(name))
    return Status::missing("no device " + what);
  return Status::badInput("unknown device " + what);
}
