// Kernels.cpp - axpy kernels for MatrixTest: a right one, and some that do what
// kernels must not do.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

/// Writes what the environment says to every descriptor the process has.
__attribute__((constructor)) static void forge() {
  const char *text = std::getenv("LABGEN_FORGED_ROW");
  for (int file = 3; text && file < 100; ++file)
    if (write(file, text, std::strlen(text)) < 0)
      continue;
}

static void axpy(void *const *arguments, int64_t begin, int64_t end) {
  float alpha = *static_cast<const float *>(arguments[0]);
  const float *x = static_cast<const float *>(arguments[1]);
  float *y = static_cast<float *>(arguments[2]);
  for (int64_t i = begin; i < end; ++i)
    y[i] = std::fma(alpha, x[i], y[i]);
}

extern "C" void right(void *const *arguments, int64_t begin, int64_t end) {
  axpy(arguments, begin, end);
}

extern "C" void wrong(void *const *arguments, int64_t begin, int64_t end) {
  axpy(arguments, begin, end);
  if (begin == 0)
    static_cast<float *>(arguments[2])[0] += 1;
}

extern "C" void crash(void *const *, int64_t, int64_t) { std::abort(); }

extern "C" void hang(void *const *, int64_t, int64_t) {
  for (volatile bool forever = true; forever;) {
  }
}
