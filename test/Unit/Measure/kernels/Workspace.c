/* axpy in two launches with a workspace between: products, then sums. Unfused,
   so only right for values whose products are exact. `overrun` writes one
   element behind the workspace. */
#include <stdint.h>

void products(void *const *args, int64_t begin, int64_t end) {
  float alpha = *(const float *)args[0];
  const float *x = args[1];
  float *workspace = args[3];
  for (int64_t i = begin; i < end; ++i)
    workspace[i] = alpha * x[i];
}

void sums(void *const *args, int64_t begin, int64_t end) {
  float *y = args[2];
  const float *workspace = args[3];
  for (int64_t i = begin; i < end; ++i)
    y[i] = workspace[i] + y[i];
}

void overrun(void *const *args, int64_t begin, int64_t end) {
  float *workspace = args[3];
  (void)begin;
  workspace[end] = 1;
}
