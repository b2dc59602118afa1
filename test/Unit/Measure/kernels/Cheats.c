/* Kernels that look right in their first run, or nearly so. All are axpy of 967
   floats in one unit but for those of max. The environment tells the library
   what to do when it is opened. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 967 };

static int calls = 0;

static void right(void *const *arguments, int64_t count) {
  const float *alpha = arguments[0], *x = arguments[1];
  float *y = arguments[2];
  for (int64_t i = 0; i < count; ++i)
    y[i] = __builtin_fmaf(*alpha, x[i], y[i]);
}

#define ENTRY(name)                                                            \
  void name(void *const *arguments, int64_t begin, int64_t end)

static float *x(void *const *arguments) { return arguments[1]; }
static float *y(void *const *arguments) { return arguments[2]; }

ENTRY(honest) { right(arguments, n); }

ENTRY(rightOnce) {
  right(arguments, n);
  if (++calls > 1)
    y(arguments)[5] = 0;
}

ENTRY(halfLater) { right(arguments, ++calls > 1 ? n / 2 : n); }

ENTRY(keepsItsAnswer) {
  static float answer[n];
  if (++calls == 1) {
    right(arguments, n);
    memcpy(answer, y(arguments), sizeof answer);
  }
  memcpy(y(arguments), answer, sizeof answer);
}

ENTRY(changesItsInput) {
  right(arguments, n);
  x(arguments)[3] = 0;
}

ENTRY(changesItsInputLater) {
  right(arguments, n);
  if (++calls > 3)
    x(arguments)[3] = 0;
}

static void flip(void *const *arguments, int64_t byte) {
  right(arguments, n);
  ((volatile char *)y(arguments))[byte] ^= 1;
}

ENTRY(writesBefore) { flip(arguments, -1); }
ENTRY(writesBehind) { flip(arguments, 4 * n); }
ENTRY(writesFarBefore) { flip(arguments, -4096); }
ENTRY(writesFarBehind) { flip(arguments, 4 * n + 4096); }

ENTRY(writesBehindLater) {
  if (++calls == 3)
    flip(arguments, 4 * n);
  else
    right(arguments, n);
}

ENTRY(readsFarBehind) {
  right(arguments, n);
  (void)((volatile float *)x(arguments))[n + 1024];
}

ENTRY(strayInWorkspace) {
  right(arguments, n);
  ((volatile char *)arguments[3])[-5000] = 1;
}

ENTRY(sleeps) {
  for (int file = 0; file < 1024; ++file)
    close(file);
  while (1)
    usleep(100000);
}

ENTRY(starts) {
  right(arguments, n);
  if (fork() == 0)
    while (1)
      usleep(100000);
}

/* max of any length: its last argument is the result. */
static float keptMax;
ENTRY(maxKept) {
  const float *x = arguments[0];
  float *r = arguments[1];
  if (++calls == 1) {
    keptMax = x[0];
    for (int64_t i = begin; i < end; ++i)
      keptMax = x[i] > keptMax ? x[i] : keptMax;
  }
  *r = keptMax;
}

/* "fork ADDRESS": starts a process that stays, and leaves its number in the
   memory at ADDRESS. "write TEXT": writes it to every descriptor. */
__attribute__((constructor)) static void whenOpened(void) {
  const char *what = getenv("LABGEN_CHEAT");
  if (!what)
    return;
  if (!strncmp(what, "fork ", 5)) {
    volatile int *place = (volatile int *)strtoull(what + 5, NULL, 16);
    int child = fork();
    if (child == 0)
      while (1)
        usleep(100000);
    *place = child;
  }
  if (!strncmp(what, "write ", 6))
    for (int file = 3; file < 100; ++file)
      if (write(file, what + 6, strlen(what + 6)) < 0)
        continue;
}
