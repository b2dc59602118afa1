// CpuInfo.h - what this machine's processor can do.
//
// Everything the run side decides by hardware (may this artifact run here, how
// large is a cache-resident footprint, where do threads go) asks this one
// object. Features count only when the operating system saves their registers
// too, and AMX only when the kernel granted the tile permission.
#ifndef LABGEN_HOST_CPUINFO_H
#define LABGEN_HOST_CPUINFO_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labgen {

struct CpuInfo {
  std::string model;     ///< brand string, "AMD EPYC 9654 96-Core Processor"
  std::string signature; ///< "family.model.stepping", tells guests apart whose
                         ///< brand string was blanked
  /// Features in LLVM's spelling ("avx2", "avx512vnni", "amx-int8").
  std::vector<std::string> features;
  int64_t l1Bytes = 0;  ///< data, one core
  int64_t l2Bytes = 0;  ///< one core
  int64_t llcBytes = 0; ///< last level, all instances the process may use
  /// Logical CPUs this process may use (affinity and cgroup quota), one per
  /// physical core first, then their SMT siblings.
  std::vector<int> cores;

  /// Whether a feature is there; '-', '_' and '.' in the name do not matter.
  bool has(std::string_view feature) const;
  /// The widest vector ISA: avx512 | avx2 | sse2.
  std::string vectorIsa() const;
};

/// Detected once per process, at the first call. Asks for the AMX permission,
/// so call it before starting threads that run kernels.
const CpuInfo &hostCpu();

/// The widest vector ISA among `features`: avx512 | avx2 | sse2.
std::string vectorIsa(const std::vector<std::string> &features);

/// The CPUs the calling thread may run on; empty when they cannot be read.
std::vector<int> threadCores();
/// Moves the calling thread onto `cores`; false when the system refuses.
bool setThreadCores(const std::vector<int> &cores);

namespace detail {
struct CacheSizes {
  int64_t l1 = 0, l2 = 0, llc = 0;
};
/// From sysfs, else from cpuid.
CacheSizes cacheSizes(const std::vector<int> &cores);
/// Affinity, cut to the cgroup's CPU quota, distinct physical cores first.
std::vector<int> usableCores();
} // namespace detail

} // namespace labgen

#endif // LABGEN_HOST_CPUINFO_H
