// CPUs that are not one, or that lack what every kernel uses.
// RUN: not labgen-opt %s --lab-cpu-schedule=cpu=znver55 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not labgen-opt %s --lab-cpu-schedule=cpu=x86-64-v2 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not labgen-opt %s --lab-cpu-schedule=cpu= 2>&1 | FileCheck %s --check-prefix=EMPTY
// NAME: error: unknown CPU 'znver55'; nearest: cpu:znver5 (or cpu:native, cpu:x86-64-v3, cpu:x86-64-v4)
// OLD: error: CPU 'x86-64-v2' lacks AVX2, FMA or F16C; the least CPU kernels are made for is cpu:x86-64-v3
// EMPTY: error: unknown CPU ''; nearest: cpu:{{.*}} (or cpu:native
func.func @nothing() {
  return
}
// The nearest name is one that kernels can be made for: nocona, which is nearer,
// has no AVX2.
// RUN: not labgen-opt %s --lab-cpu-schedule=cpu=nocono 2>&1 | FileCheck %s --check-prefix=USABLE
// USABLE: error: unknown CPU 'nocono'; nearest: cpu:
// USABLE-NOT: nocona
