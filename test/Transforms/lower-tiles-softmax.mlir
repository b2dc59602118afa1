// Softmax of a row: its maximum, the sum of exponentials in 128 accumulators
// folded by halves, the quotients.
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s --implicit-check-not=lab.

// CHECK-LABEL: func @softmax(
func.func @softmax(%x: memref<3x256xf32>, %y: memref<3x256xf32>) {
  // CHECK: scf.for
  // CHECK: %[[LEAST:.*]] = {{.*}}scf.for {{.*}} iter_args(%[[MAX:.*]] = %{{.*}}) -> (vector<8xf32>)
  // CHECK: arith.maximumf %[[MAX]], %{{.*}} : vector<8xf32>
  // CHECK: arith.maximumf %{{.*}} : vector<4xf32>
  // CHECK: arith.maximumf %{{.*}} : vector<2xf32>
  // CHECK: arith.maximumf %{{.*}} : vector<1xf32>
  // 128 accumulators in registers of 8.
  // CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
  // CHECK: arith.subf
  // CHECK: math.roundeven
  // CHECK: arith.addf %{{.*}} : vector<1xf32>
  // CHECK: scf.for
  // CHECK: arith.divf %{{.*}} : vector<8xf32>
  lab.softmax %x -> %y : memref<3x256xf32> -> memref<3x256xf32>
  return
}

// Without the shift there is no maximum; elements that are missing are -Inf.
// CHECK-LABEL: func @no_shift(
func.func @no_shift(%x: memref<1x5xf32>, %y: memref<1x5xf32>) {
  // CHECK-DAG: arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK-NOT: arith.maximumf
  // CHECK: arith.divf %{{.*}} : vector<8xf32>
  lab.softmax %x -> %y {shift = false} : memref<1x5xf32> -> memref<1x5xf32>
  return
}

// Nothing is written of a row of nothing.
// CHECK-LABEL: func @empty(
func.func @empty(%x: memref<3x0xf32>, %y: memref<3x0xf32>) {
  // CHECK-NOT: scf.for
  // CHECK: return
  lab.softmax %x -> %y : memref<3x0xf32> -> memref<3x0xf32>
  return
}
