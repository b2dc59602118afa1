// Tiles of ops that round stochastically know where in the lab they lie; tiles
// of ops that count their elements, how many they have.
// RUN: labgen-opt %s | labgen-opt | FileCheck %s --check-prefix=SAME
// RUN: labgen-opt %s -pass-pipeline='builtin.module(func.func(lab-tile,canonicalize))' | FileCheck %s

// SAME-LABEL: @cast
// SAME: lab.cast %{{.*}} -> %{{.*}} at[%{{.*}}] {round = #lab.rounding<stochastic>, schedule = {{.*}}, seed = 18446744073709551615 : ui64}
// CHECK-LABEL: @cast
// CHECK: scf.forall (%[[I:.*]]) = (0) to (64) step (16)
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[I]] : index
// CHECK: lab.cast %{{.*}} -> %{{.*}} at[%[[AT]]]
// CHECK: %[[REST:.*]] = arith.addi %{{.*}}, %c64 : index
// CHECK: lab.cast %{{.*}} -> %{{.*}} at[%[[REST]]]
func.func @cast(%x: memref<70xf32>, %y: memref<70xi8>, %first: index) {
  lab.cast %x -> %y at [%first] {round = #lab.rounding<stochastic>, seed = 18446744073709551615 : ui64,
      schedule = #lab.schedule<block [16]>} : memref<70xf32> -> memref<70xi8>
  return
}

// SAME-LABEL: @quantize
// SAME: lab.quantize {{.*}} group = 8 {{.*}}seed = 3 : ui64
// CHECK-LABEL: @quantize
// CHECK: scf.forall (%[[R:.*]], %[[C:.*]]) = (0, 0) to (4, 32) step (1, 16)
// CHECK: %[[ROW:.*]] = arith.muli %[[R]], %c32 : index
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[C]] : index
// CHECK: lab.quantize {{.*}} at[%[[AT]], %c32] group = 8
func.func @quantize(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x4xf32>) {
  lab.quantize %x -> %q, %s group = 8 {round = #lab.rounding<stochastic>, seed = 3 : ui64,
      schedule = #lab.schedule<block [1, 16]>} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x4xf32>
  return
}

// SAME-LABEL: @exp
// SAME: lab.exp {{.*}} {count = 39 : i64
// CHECK-LABEL: @exp
// CHECK: lab.exp {{.*}} {count = 16 : i64
// CHECK: lab.exp {{.*}} {count = 4 : i64
// CHECK: lab.exp {{.*}} {count = 3 : i64
func.func @exp(%x: memref<20xi8>, %y: memref<30xi8>) {
  lab.exp %x -> %y {in = f4E2M1FN, out = f6E2M3FN, count = 39 : i64,
      schedule = #lab.schedule<block [16]>} : memref<20xi8> -> memref<30xi8>
  return
}
