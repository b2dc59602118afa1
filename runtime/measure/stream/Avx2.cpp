// Avx2.cpp - the stream kernels in 256-bit vectors.
//
// Compiled with -mavx2 -mfma; only called where CpuInfo has both.
#include "runtime/measure/stream/Shape.h"

#include <immintrin.h>

namespace {

constexpr int vectorBytes = 32;

struct Vector {
  using Value = __m256;
  static Value load(const char *p) {
    return _mm256_load_ps(reinterpret_cast<const float *>(p));
  }
  static void store(char *p, Value v) {
    _mm256_store_ps(reinterpret_cast<float *>(p), v);
  }
  static void stream(char *p, Value v) {
    _mm256_stream_ps(reinterpret_cast<float *>(p), v);
  }
  static Value zero() { return _mm256_setzero_ps(); }
  static Value half() { return _mm256_set1_ps(0.5f); }
  static Value add(Value a, Value b) { return _mm256_add_ps(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm256_fmadd_ps(a, b, c);
  }
};

} // namespace

#include "runtime/measure/stream/Kernels.inc"

const Table labgen::stream::avx2Table = streamTable;
