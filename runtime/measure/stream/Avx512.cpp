// Avx512.cpp - the stream kernels in 512-bit vectors.
//
// Compiled with -mavx512f; only called where CpuInfo has it.
#include "runtime/measure/stream/Shape.h"

#include <immintrin.h>

namespace {

constexpr int vectorBytes = 64;

struct Vector {
  using Value = __m512;
  static Value load(const char *p) {
    return _mm512_load_ps(reinterpret_cast<const float *>(p));
  }
  static void store(char *p, Value v) {
    _mm512_store_ps(reinterpret_cast<float *>(p), v);
  }
  static void stream(char *p, Value v) {
    _mm512_stream_ps(reinterpret_cast<float *>(p), v);
  }
  static Value zero() { return _mm512_setzero_ps(); }
  static Value half() { return _mm512_set1_ps(0.5f); }
  static Value add(Value a, Value b) { return _mm512_add_ps(a, b); }
  static Value multiplyAdd(Value a, Value b, Value c) {
    return _mm512_fmadd_ps(a, b, c);
  }
};

} // namespace

#include "runtime/measure/stream/Kernels.inc"

const Table labgen::stream::avx512Table = streamTable;
