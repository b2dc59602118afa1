// IsolatedKernel.h - a kernel in a process of its own, seen by its judge.
//
// The judge forks a child for each kernel, which alone loads and runs the
// artifact. It shares a page of orders and the memory of results with the
// judge and nothing else; what it was given is out of its reach. The limit
// counts the child's time, not the judge's.
#ifndef LABGEN_RUNTIME_ISOLATE_ISOLATEDKERNEL_H
#define LABGEN_RUNTIME_ISOLATE_ISOLATEDKERNEL_H

#include "runtime/isolate/KernelProcess.h"

namespace labgen {

class IsolatedKernel {
public:
  /// Forks the child; `before` are the spec's arguments, whose outputs become
  /// those of after(). `seconds` is how long it may take for all its orders
  /// together.
  static Result<std::unique_ptr<IsolatedKernel>>
  start(const ManifestKernel &kernel, const std::string &folder, Device &device,
        Tensors &before, double seconds);
  IsolatedKernel(const IsolatedKernel &) = delete;
  ~IsolatedKernel();

  /// Each is an order. What the device says of it is the Status; when death()
  /// is not empty, the Status says how the child ended and nothing more can be
  /// ordered. Between orders the child stands still.
  Status load();
  Status run(const InputChange &change);
  Result<TimeStats> time(double limitSeconds, bool flushCaches);
  const std::string &death() const { return cause; }

  /// Arguments after the last run; inputs are those of before the run.
  Tensors &after() { return results; }
  /// What the device saw in the last run.
  Result<RunReport> report() const;
  /// Whether the caches were empty before each sample.
  bool cachesFlushed() const { return channel->cachesFlushed; }
  /// Why the kernel is not in a sandbox; empty when it is.
  std::string sandboxMissing() const;

private:
  IsolatedKernel(const ManifestKernel &kernel, double seconds)
      : kernel(kernel), left(seconds), limit(seconds) {}
  Status order(Order order);
  /// Ends the child and what it started; `why` is the cause where it lives.
  Status die(const std::string &why);
  std::string causeOfDeath(int waitStatus) const;

  const ManifestKernel &kernel;
  double left, limit;
  Channel *channel = nullptr;
  Tensors results;
  int pid = -1, errors = -1;
  std::string cause;
};

} // namespace labgen

#endif // LABGEN_RUNTIME_ISOLATE_ISOLATEDKERNEL_H
