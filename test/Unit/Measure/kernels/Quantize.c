/* quantize f32 [4, 96] to i8 in groups of 32 with f32 scales; a unit is a row.
 */
#include <math.h>
#include <stdint.h>

enum { K = 96, GROUP = 32 };

void quantize(void *const *args, int64_t begin, int64_t end) {
  const float *x = args[0];
  int8_t *q = args[1];
  float *scale = args[2];
  for (int64_t g = begin * (K / GROUP); g < end * (K / GROUP); ++g) {
    float amax = 0;
    for (int i = 0; i < GROUP; ++i)
      amax = fmaxf(amax, fabsf(x[g * GROUP + i]));
    float s = amax / 127;
    scale[g] = s;
    for (int i = 0; i < GROUP; ++i) {
      float code = s == 0 ? 0 : rintf(x[g * GROUP + i] / s);
      q[g * GROUP + i] = (int8_t)fminf(fmaxf(code, -127), 127);
    }
  }
}
