// TestKernel.h - manifest entries for the hand-written kernels of these tests.
#ifndef LABGEN_TEST_UNIT_MEASURE_TESTKERNEL_H
#define LABGEN_TEST_UNIT_MEASURE_TESTKERNEL_H

#include "lib/Spec/Manifest.h"
#include "lib/Support/Sha256.h"

#include <gtest/gtest.h>

namespace labgen {

inline const std::string kernelFolder = LABGEN_TEST_KERNELS;

/// A manifest kernel for `spec` whose artifact is kernels/NAME.so; its
/// arguments are the spec's. Launches are the caller's.
inline ManifestKernel testKernel(const std::string &spec,
                                 const std::string &name,
                                 std::vector<Launch> launches) {
  ManifestKernel kernel;
  Result<KernelSpec> parsed = KernelSpec::parse(spec);
  EXPECT_TRUE(parsed) << parsed.status().message();
  kernel.spec = *parsed;
  kernel.target = "cpu:native";
  kernel.artifact = name + ".so";
  Result<std::string> sum = sha256File(kernelFolder + "/" + kernel.artifact);
  EXPECT_TRUE(sum) << sum.status().message();
  kernel.sha256 = *sum;
  for (const Argument &argument : arguments(kernel.spec)) {
    ManifestArgument entry;
    static_cast<Argument &>(entry) = argument;
    entry.byteSize = argument.bytes();
    kernel.arguments.push_back(entry);
  }
  kernel.launches = std::move(launches);
  return kernel;
}

inline Launch launch(const std::string &entry, int64_t units) {
  Launch l;
  l.entry = entry;
  l.units = units;
  return l;
}

} // namespace labgen

#endif // LABGEN_TEST_UNIT_MEASURE_TESTKERNEL_H
