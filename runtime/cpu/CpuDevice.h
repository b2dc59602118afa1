// CpuDevice.h - the device "cpu": shared objects, run by the pinned pool.
#ifndef LABGEN_RUNTIME_CPU_CPUDEVICE_H
#define LABGEN_RUNTIME_CPU_CPUDEVICE_H

#include "runtime/core/Device.h"

namespace labgen {

/// `threads` <= 0 means every core the process may use. While a kernel of this
/// device is loaded, the thread that loaded it stays pinned (Pool::Pin) and
/// must be the one that destroys it.
std::unique_ptr<Device> makeCpuDevice(int threads);

} // namespace labgen

#endif // LABGEN_RUNTIME_CPU_CPUDEVICE_H
