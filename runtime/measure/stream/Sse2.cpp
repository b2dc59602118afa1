// Sse2.cpp - the stream kernels in 128-bit vectors.
//
// The baseline of x86-64: no fused multiply-add, no flags.
#include "runtime/measure/stream/Shape.h"

#include <immintrin.h>

namespace {

constexpr int vectorBytes = 16;

struct Vector {
  using Value = __m128;
  static Value load(const char *p) {
    return _mm_load_ps(reinterpret_cast<const float *>(p));
  }
  static void store(char *p, Value v) {
    _mm_store_ps(reinterpret_cast<float *>(p), v);
  }
  static void stream(char *p, Value v) {
    _mm_stream_ps(reinterpret_cast<float *>(p), v);
  }
  static Value zero() { return _mm_setzero_ps(); }
  static Value half() { return _mm_set1_ps(0.5f); }
  static Value add(Value a, Value b) { return _mm_add_ps(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm_add_ps(_mm_mul_ps(a, b), c);
  }
};

} // namespace

#include "runtime/measure/stream/Kernels.inc"

const Table labgen::stream::sse2Table = streamTable;
