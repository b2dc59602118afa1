// FaultHandler.h - says which argument a kernel's stray access was near.
#ifndef LABGEN_RUNTIME_ISOLATE_FAULTHANDLER_H
#define LABGEN_RUNTIME_ISOLATE_FAULTHANDLER_H

#include "runtime/core/Tensor.h"
#include "runtime/isolate/Channel.h"

namespace labgen {

/// From now on a fault of this process is written to `fault` before it ends the
/// process; `memory` is that of the manifest's arguments, in order.
void watchFaults(Fault &fault, Tensors memory);

/// "it wrote 4 bytes behind the last one of y"; empty where none happened or it
/// was near no argument.
std::string describeFault(const Fault &fault, const ManifestKernel &kernel);

} // namespace labgen

#endif // LABGEN_RUNTIME_ISOLATE_FAULTHANDLER_H
