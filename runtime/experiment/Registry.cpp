// Registry.cpp - devices by name.
//
// The one list of devices; each backend adds its line here.
#include "runtime/core/Device.h"
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

static std::map<std::string, DeviceFactory> &addedDevices() {
  static std::map<std::string, DeviceFactory> devices;
  return devices;
}

void labgen::addDevice(const std::string &name, DeviceFactory factory) {
  addedDevices()[name] = std::move(factory);
}

Result<std::unique_ptr<Device>>
labgen::openDevice(const DeviceRequest &request) {
  const std::string &name = request.name;
  if (request.threads > maxThreads)
    return Status::badInput("--threads " + std::to_string(request.threads) +
                            " is too many; give 1 to " +
                            std::to_string(maxThreads));
  if (name == "cpu")
    return makeCpuDevice(request.threads);
  if (auto it = addedDevices().find(name); it != addedDevices().end())
    return it->second(request);
  std::string what = "'" + name + "'; the devices of this machine are: cpu";
  for (const auto &device : addedDevices())
    what += ", " + device.first;
  if (isKnownElsewhere(name))
    return Status::missing("no device " + what);
  return Status::badInput("unknown device " + what);
}
