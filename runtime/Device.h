// Device.h - where kernels run.
//
// A device loads an artifact named by a manifest kernel and runs its launches
// in order. Nothing above this interface knows dlopen, CUDA or HIP.
#ifndef LABGEN_RUNTIME_DEVICE_H
#define LABGEN_RUNTIME_DEVICE_H

#include "lib/Spec/Manifest.h"

#include <memory>
#include <string>
#include <vector>

namespace labgen {

/// A loaded kernel.
class Kernel {
public:
  virtual ~Kernel() = default;
  /// Runs all launches once and waits for the end. `arguments` are pointers in
  /// manifest order without the workspaces, which the kernel owns.
  virtual Status run(const std::vector<void *> &arguments) = 0;
};

class Device {
public:
  virtual ~Device() = default;
  virtual std::string name() const = 0; ///< "cpu", "cuda:0", ...
  virtual std::string chip() const = 0; ///< what it is, for the row
  virtual int threads() const = 0;
  /// `folder` holds the manifest. Code for an ISA the device lacks is
  /// Status::missing; a damaged artifact (sha256) is bad input.
  virtual Result<std::unique_ptr<Kernel>> load(const ManifestKernel &kernel,
                                               const std::string &folder) = 0;
};

/// By name; the error lists the devices of this machine.
Result<std::unique_ptr<Device>> openDevice(const std::string &name,
                                           int threads);

} // namespace labgen

#endif // LABGEN_RUNTIME_DEVICE_H
