/* axpy in f32 as the contract has it: one fused multiply-add per element.
   Units are runs of 64 elements; the second entry is the ragged rest and keeps
   the largest value it ever wrote for the test to see, in memory whose address
   the test leaves in the environment. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void axpy(void *const *args, int64_t begin, int64_t end) {
  float alpha = *(const float *)args[0];
  const float *x = args[1];
  float *y = args[2];
  for (int64_t i = begin * 64; i < end * 64; ++i)
    y[i] = fmaf(alpha, x[i], y[i]);
}

void axpy_rest(void *const *args, int64_t begin, int64_t end) {
  float alpha = *(const float *)args[0];
  const float *x = args[1];
  float *y = args[2];
  const char *address = getenv("LABGEN_LARGEST");
  float nobodys = 0;
  float *largest = address ? (float *)strtoull(address, NULL, 16) : &nobodys;
  for (int64_t i = begin; i < end; ++i) {
    y[960 + i] = fmaf(alpha, x[960 + i], y[960 + i]);
    *largest = fmaxf(*largest, y[960 + i]);
  }
}
