// Isa.h - how the oracle gets wide vectors out of plain loops.
//
// Builds are for baseline x86-64. The hot loops are compiled once per ISA level
// and the widest the CPU has is picked at load time. No loop changes its
// results with the width: sums live in fixed lanes, and contraction is off.
#ifndef LABGEN_RUNTIME_CORE_ISA_H
#define LABGEN_RUNTIME_CORE_ISA_H

#if defined(__x86_64__)
#define LABGEN_CLONES                                                          \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LABGEN_CLONES
#endif

/// Helpers of cloned functions: inlined, they take the clone's ISA.
#define LABGEN_INLINE inline __attribute__((always_inline))

#endif // LABGEN_RUNTIME_CORE_ISA_H
