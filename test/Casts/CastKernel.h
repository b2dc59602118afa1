// CastKernel.h - one compiled cast or exp, ready to be called from a test.
//
// The artifact is made by the compile side in a folder of its own and entered
// through the ABI of the contract, on the calling thread: tests of all inputs
// run side by side, so nothing here pins itself to a core as a device does.
#ifndef LABGEN_TEST_CASTS_CASTKERNEL_H
#define LABGEN_TEST_CASTS_CASTKERNEL_H

#include "lib/Spec/Manifest.h"
#include "runtime/core/Tensor.h"

#include <memory>
#include <string>

namespace labgen {

class CastKernel {
public:
  /// Fails the running test and returns null when there is no such kernel.
  static std::unique_ptr<CastKernel>
  make(const std::string &spec, const std::string &target = "cpu:native");
  ~CastKernel();
  CastKernel(const CastKernel &) = delete;
  CastKernel &operator=(const CastKernel &) = delete;

  /// y <- x. False, with the test failed, when it wrote past the end of y or
  /// left pad bits that are not zero.
  bool run();

  int64_t size() const { return kernel.spec.n; }
  const KernelSpec &spec() const { return kernel.spec; }
  std::string path() const { return folder + "/" + kernel.artifact; }
  Tensor &x() { return *input; }
  Tensor &y() { return *output; }

private:
  using Entry = void (*)(void *const *arguments, int64_t begin, int64_t end);

  CastKernel() = default;
  bool open();

  std::string folder;
  ManifestKernel kernel;
  void *library = nullptr;
  Entry entry = nullptr;
  std::optional<Tensor> input, output;
};

} // namespace labgen

#endif // LABGEN_TEST_CASTS_CASTKERNEL_H
