// What a given schedule names and the processor lacks.
// RUN: not labgen-opt %s --split-input-file --lab-cpu-schedule=cpu=x86-64-v3 2>&1 | FileCheck %s
// RUN: not labgen-opt %s --split-input-file --lab-cpu-schedule=cpu=x86-64-v4 2>&1 | FileCheck %s --check-prefix=V4
// V4-NOT: extend =
// V4: does not have; legal: generic, pairs
// CHECK: error: 'lab.cast' op schedule has extend = ['f4E2M1FN'], for which x86-64-v3 has no instruction; legal: none
func.func @table(%x: memref<32xi8>, %y: memref<64xf32>) {
  lab.cast %x -> %y {in = f4E2M1FN, schedule = #lab.schedule<block [64], kernel<extend = [f4E2M1FN]>>} : memref<32xi8> -> memref<64xf32>
  return
}

// -----

// CHECK: error: 'lab.gemm' op schedule asks for integer_dot = quads, which x86-64-v3 does not have; legal: generic, pairs
func.func @dot(%a: memref<4x64xi8>, %c: memref<4x4xi32>) {
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [4, 4, 0], kernel<integer_dot = quads>>}
      : memref<4x64xi8>, memref<4x64xi8> -> memref<4x4xi32>
  return
}

// -----

// CHECK: error: 'lab.exp' op schedule level 2 (thread [4]) deals tiles to the threads of a GPU, and x86-64-v3 is none; make it a loop level
func.func @threads(%x: memref<64xf32>, %y: memref<64xf32>) {
  lab.exp %x -> %y {schedule = #lab.schedule<block [64] threads 16, thread [4]>} : memref<64xf32> -> memref<64xf32>
  return
}

// -----

// CHECK: error: 'lab.exp' op schedule has no block level, which makes the work units; begin with `block [...]`, tiles of 0 for one unit
func.func @no_block(%x: memref<64xf32>, %y: memref<64xf32>) {
  lab.exp %x -> %y {schedule = #lab.schedule<loop [4]>} : memref<64xf32> -> memref<64xf32>
  return
}
