// KernelProcess.h - the process that loads and runs somebody's code.
#ifndef LABGEN_RUNTIME_ISOLATE_KERNELPROCESS_H
#define LABGEN_RUNTIME_ISOLATE_KERNELPROCESS_H

#include "runtime/core/Tensor.h"
#include "runtime/isolate/Channel.h"

namespace labgen {

/// What both sides know before the fork. Tensors are the spec's arguments in
/// order.
struct KernelJob {
  const ManifestKernel &kernel;
  const std::string &folder;
  Device &device;
  /// Arguments as they are before a run; the kernel reads its inputs in place.
  /// Outputs are not looked at.
  Tensors &before;
  /// Outputs and arguments updated in place, in shared memory: where a run's
  /// results go. Inputs are not looked at.
  Tensors &results;
  Channel &channel;
};

/// Carries out orders until the process is ended. It has closed every
/// descriptor but stderr before the artifact is opened (which runs the
/// artifact's constructors), and is confined before the first run.
[[noreturn]] void serveOrders(const KernelJob &job);

} // namespace labgen

#endif // LABGEN_RUNTIME_ISOLATE_KERNELPROCESS_H
