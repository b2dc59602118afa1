/* A right axpy whose calls take very different times. */
#include <stdint.h>

static uint32_t state = 1;

void axpy(void *const *arguments, int64_t begin, int64_t end) {
  const float *alpha = arguments[0], *x = arguments[1];
  float *y = arguments[2];
  (void)begin, (void)end;
  for (int64_t i = 0; i < 967; ++i)
    y[i] = __builtin_fmaf(*alpha, x[i], y[i]);
  /* Hundreds of microseconds, by a linear congruential generator. */
  state = state * 1664525u + 1013904223u;
  for (volatile uint32_t left = 100000 * (1 + (state >> 30)); left > 0; --left)
    ;
}
