// memref's folding of subviews drops what a vector.store says of itself. When
// this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --fold-memref-alias-ops | FileCheck %s

// Right: {alignment = 64 : i64, nontemporal = true}.
// CHECK-LABEL: @around
// CHECK: vector.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<64xf32>, vector<16xf32>
func.func @around(%m: memref<64xf32>, %v: vector<16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
  vector.store %v, %s[%c0] {alignment = 64 : i64, nontemporal = true} : memref<16xf32, strided<[1], offset: ?>>, vector<16xf32>
  return
}
