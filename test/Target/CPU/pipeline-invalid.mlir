// Options of --labgen-cpu that are not legal say what would be.
// RUN: not labgen-opt %s --labgen-cpu=cpu=znver55 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not labgen-opt %s --labgen-cpu=cpu=x86-64 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not labgen-opt %s --labgen-cpu=stop-after=bodies 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not labgen-opt %s --labgen-cpu="cpu=x86-64-v3 vector-bytes=48" 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not labgen-opt %s --labgen-cpu=tile=8 2>&1 | FileCheck %s --check-prefix=OPTION
// CPU: unknown CPU 'znver55'; nearest: cpu:znver5 (or cpu:native, cpu:x86-64-v3, cpu:x86-64-v4)
// OLD: CPU 'x86-64' lacks AVX2, FMA or F16C; the least CPU kernels are made for is cpu:x86-64-v3
// STAGE: unknown stage 'bodies' to stop after; legal: lab, scheduled, tiled, vector, target
// BYTES: error: vector-bytes must be 16, 32 or 64, got 48
// OPTION: no such option tile
func.func @nothing() {
  return
}
