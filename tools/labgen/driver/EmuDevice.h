// EmuDevice.h - the emulated device among the devices of labgen.
#ifndef LABGEN_TOOLS_LABGEN_DRIVER_EMUDEVICE_H
#define LABGEN_TOOLS_LABGEN_DRIVER_EMUDEVICE_H

namespace labgen {

/// Adds "emu", which runs the device IR of GPU kernels on the host.
void addEmuDevice();

} // namespace labgen

#endif // LABGEN_TOOLS_LABGEN_DRIVER_EMUDEVICE_H
