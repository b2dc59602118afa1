// Philox.h - the counter-based generator behind all random data.
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011): four words from a 128-bit counter and a 64-bit key, no
// state, so element i is the same on every machine and for any threads.
#ifndef LABGEN_RUNTIME_CORE_PHILOX_H
#define LABGEN_RUNTIME_CORE_PHILOX_H

#include <cstdint>

namespace labgen {

struct PhiloxWords {
  uint32_t w0, w1, w2, w3;
};

inline __attribute__((always_inline)) PhiloxWords philox(uint64_t key,
                                                         uint64_t counterLow,
                                                         uint64_t counterHigh) {
  constexpr uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  uint32_t c0 = uint32_t(counterLow), c1 = uint32_t(counterLow >> 32);
  uint32_t c2 = uint32_t(counterHigh), c3 = uint32_t(counterHigh >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = multiplier0 * c0, p1 = multiplier1 * c2;
    c0 = uint32_t(p1 >> 32) ^ c1 ^ k0;
    c1 = uint32_t(p1);
    c2 = uint32_t(p0 >> 32) ^ c3 ^ k1;
    c3 = uint32_t(p0);
    k0 += weyl0;
    k1 += weyl1;
  }
  return {c0, c1, c2, c3};
}

} // namespace labgen

#endif // LABGEN_RUNTIME_CORE_PHILOX_H
