// Device.h - where kernels run.
//
// A device loads an artifact named by a manifest kernel and runs its launches
// in order. Nothing above this interface knows dlopen, CUDA or HIP.
#ifndef LABGEN_RUNTIME_CORE_DEVICE_H
#define LABGEN_RUNTIME_CORE_DEVICE_H

#include "lib/Spec/Manifest.h"
#include "runtime/core/Tensor.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace labgen {

/// What a device that checks and counts tells of a run.
struct RunReport {
  std::vector<std::string> findings; ///< each makes the row wrong
  std::map<std::string, double> counters;
};

/// A loaded kernel.
class Kernel {
public:
  virtual ~Kernel() = default;
  /// Runs all launches once and waits for the end. `arguments` are pointers in
  /// manifest order without the workspaces, which the kernel owns.
  virtual Status run(const std::vector<void *> &arguments) = 0;
  /// What was seen in the last run; empty where a device does not look.
  virtual RunReport report() const { return {}; }
  /// The workspaces in host memory, in manifest order.
  virtual Tensors workspaces() const { return {}; }
};

class Device {
public:
  virtual ~Device() = default;
  virtual std::string name() const = 0; ///< "cpu", "cuda:0", ...
  virtual std::string chip() const = 0; ///< what it is, for the row
  virtual int threads() const = 0;
  /// Whether running on it says how fast a kernel is.
  virtual bool tellsTime() const { return true; }
  /// Whether it runs kernels of a target ("cpu:native", "nvvm:sm_90a").
  virtual bool runs(const std::string &target) const = 0;
  /// Status::missing for code that load would refuse for an ISA this device
  /// lacks.
  virtual Status canRun(const ManifestKernel &) const { return Status::ok(); }
  /// `folder` holds the manifest. Code for an ISA the device lacks is
  /// Status::missing; a damaged artifact (sha256) is bad input.
  virtual Result<std::unique_ptr<Kernel>> load(const ManifestKernel &kernel,
                                               const std::string &folder) = 0;
};

struct DeviceRequest {
  std::string name = "cpu";
  int threads = 0; ///< 0: the cores the process may use
  /// Shuffles the order of threads and blocks, where the device has a choice.
  std::optional<uint64_t> orderSeed;
};

/// By name; the error lists the devices of this machine.
Result<std::unique_ptr<Device>> openDevice(const DeviceRequest &request);

using DeviceFactory =
    std::function<Result<std::unique_ptr<Device>>(const DeviceRequest &)>;
/// Adds a device that is not part of the run side (the emulated one).
void addDevice(const std::string &name, DeviceFactory factory);

} // namespace labgen

#endif // LABGEN_RUNTIME_CORE_DEVICE_H
