// Instructions that a given schedule names and the processor lacks.
// RUN: not labgen-opt %s --lab-cpu-schedule=cpu=x86-64-v3 2>&1 | FileCheck %s
// RUN: labgen-opt %s --lab-cpu-schedule=cpu=x86-64-v4
// CHECK: error: 'lab.cast' op schedule converts by "avx512", which x86-64-v3 does not have; legal: ""
func.func @table(%x: memref<32xi8>, %y: memref<64xf32>) {
  lab.cast %x -> %y {in = f4E2M1FN, schedule = #lab.schedule<block [64], leaf {convert = "avx512"}>} : memref<32xi8> -> memref<64xf32>
  return
}
