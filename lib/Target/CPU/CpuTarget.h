// CpuTarget.h - what code for a CPU may use, and the sizes it is shaped by.
#ifndef LABGEN_LIB_TARGET_CPU_CPUTARGET_H
#define LABGEN_LIB_TARGET_CPU_CPUTARGET_H

#include "dialects/Lab/Lab.h"
#include "lib/Support/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace labgen {

struct CpuTarget {
  std::string cpu;              ///< LLVM's name, also what code is tuned for
  std::string base;             ///< x86-64-v3 or x86-64-v4
  std::string features;         ///< LLVM's feature string on top of base
  std::vector<std::string> isa; ///< every feature an artifact needs
  int64_t vectorBytes = 32;
  lab::IntegerDot dot = lab::IntegerDot::Pairs; ///< the longest step it has
  std::vector<Format> extends;                  ///< to f32, by instructions
  /// Bytes per core (llc: shared); typical ones where the CPU is not this one.
  int64_t l1 = 32 << 10, l2 = 1 << 20, llc = 32 << 20;

  std::unique_ptr<llvm::TargetMachine> createMachine() const;
};

/// "native" or an LLVM CPU name. Unknown names are bad input, CPUs without
/// AVX2, FMA and F16C (x86-64-v3) are missing an ISA.
Result<CpuTarget> resolveCpu(const std::string &name);

} // namespace labgen

#endif // LABGEN_LIB_TARGET_CPU_CPUTARGET_H
