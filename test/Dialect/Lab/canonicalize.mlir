// Casts to static sizes are absorbed, ops that write no element go away.
// RUN: labgen-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @casts
// CHECK-NOT: memref.cast
func.func @casts(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>, %st: memref<1x1xf32>,
                 %alpha: memref<f32>, %v: memref<5xf32>, %r: memref<f32>, %c: memref<4x4xf32>) {
  %xd = memref.cast %x : memref<4x8xf32> to memref<?x?xf32>
  %qd = memref.cast %q : memref<4x8xi8> to memref<?x?xi8>
  %sd = memref.cast %s : memref<4x1xf32> to memref<?x?xf32>
  %td = memref.cast %st : memref<1x1xf32> to memref<?x?xf32>
  %vd = memref.cast %v : memref<5xf32> to memref<?xf32>
  %cd = memref.cast %c : memref<4x4xf32> to memref<?x?xf32>
  // CHECK: lab.quantize {{.*}} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  lab.quantize %xd -> %qd, %sd group = 8 : memref<?x?xf32> -> memref<?x?xi8>, memref<?x?xf32>
  // CHECK: lab.encode {{.*}} : memref<4x8xf32>, memref<1x1xf32> -> memref<4x8xi8>
  lab.encode %xd, %td -> %qd : memref<?x?xf32>, memref<?x?xf32> -> memref<?x?xi8>
  // CHECK: lab.dequantize {{.*}} : memref<4x8xi8>, memref<4x1xf32> -> memref<4x8xf32>
  lab.dequantize %qd, %sd -> %xd group = 8 : memref<?x?xi8>, memref<?x?xf32> -> memref<?x?xf32>
  // CHECK: lab.axpy {{.*}} : memref<f32>, memref<5xf32>, memref<5xf32>
  lab.axpy %alpha, %vd, %vd : memref<f32>, memref<?xf32>, memref<?xf32>
  // CHECK: lab.reduce {{.*}} : memref<5xf32>, memref<5xf32> -> memref<f32>
  lab.reduce dot blocked %vd, %vd -> %r block = 8 : memref<?xf32>, memref<?xf32> -> memref<f32>
  // CHECK: lab.gemm {{.*}} : memref<4x8xf32>, memref<4x8xf32> -> memref<4x4xf32>
  lab.gemm %xd, %xd -> %cd : memref<?x?xf32>, memref<?x?xf32> -> memref<?x?xf32>
  // CHECK: lab.gemm {{.*}} b_scale(%{{.*}} : memref<4x1xf32>) {{.*}} : memref<4x8xf32>, memref<4x8xi8> -> memref<4x4xf32>
  lab.gemm %xd, %qd b_scale(%sd : memref<?x?xf32>) -> %cd group = 8 : memref<?x?xf32>, memref<?x?xi8> -> memref<?x?xf32>
  // CHECK: lab.cast {{.*}} : memref<5xf32> -> memref<5xf32>
  lab.cast %vd -> %vd {out = tf32} : memref<?xf32> -> memref<?xf32>
  // CHECK: lab.exp {{.*}} : memref<5xf32> -> memref<5xf32>
  lab.exp %vd -> %vd : memref<?xf32> -> memref<?xf32>
  // CHECK: lab.copy {{.*}} : memref<4x8xf32> -> memref<4x8xf32>
  lab.copy %xd -> %xd : memref<?x?xf32> -> memref<?x?xf32>
  return
}

// A cast that forgets nothing static (here: the layout) stays where it is.
// CHECK-LABEL: func @other_casts
func.func @other_casts(%x: memref<?xf32>, %alpha: memref<f32>) {
  // CHECK: %[[X:.*]] = memref.cast %{{.*}} : memref<?xf32> to memref<5xf32>
  // CHECK: lab.axpy %{{.*}}, %[[X]], %[[X]]
  %xs = memref.cast %x : memref<?xf32> to memref<5xf32>
  lab.axpy %alpha, %xs, %xs : memref<f32>, memref<5xf32>, memref<5xf32>
  return
}

// CHECK-LABEL: func @empty
// CHECK-NEXT: return
func.func @empty(%x: memref<0x8xf32>, %q: memref<0x8xi8>, %s: memref<0x1xf32>, %s1: memref<1x1xf32>,
                 %alpha: memref<f32>, %v: memref<0xf32>, %w: memref<0xf32>,
                 %c: memref<0x0xf32>) {
  lab.quantize %x -> %q, %s group = 8 : memref<0x8xf32> -> memref<0x8xi8>, memref<0x1xf32>
  lab.encode %x, %s1 -> %q : memref<0x8xf32>, memref<1x1xf32> -> memref<0x8xi8>
  lab.dequantize %q, %s -> %x group = 8 : memref<0x8xi8>, memref<0x1xf32> -> memref<0x8xf32>
  lab.axpy %alpha, %v, %v : memref<f32>, memref<0xf32>, memref<0xf32>
  lab.reduce sum blocked %v -> %w block = 8 : memref<0xf32> -> memref<0xf32>
  lab.cast %v -> %w : memref<0xf32> -> memref<0xf32>
  lab.exp %v -> %w : memref<0xf32> -> memref<0xf32>
  lab.gemm %x, %x -> %c : memref<0x8xf32>, memref<0x8xf32> -> memref<0x0xf32>
  lab.copy %x -> %x : memref<0x8xf32> -> memref<0x8xf32>
  return
}

// Sizes that become known after the cast is gone.
// CHECK-LABEL: func @empty_after_cast
// CHECK-NEXT: return
func.func @empty_after_cast(%v: memref<0xf32>, %alpha: memref<f32>) {
  %d = memref.cast %v : memref<0xf32> to memref<?xf32>
  lab.axpy %alpha, %d, %d : memref<f32>, memref<?xf32>, memref<?xf32>
  return
}

// What still writes: zeros, an identity, a scale.
// CHECK-LABEL: func @not_empty
func.func @not_empty(%a: memref<2x0xf32>, %b: memref<3x0xf32>, %c: memref<2x3xf32>,
                     %v: memref<0xf32>, %r: memref<f32>,
                     %x: memref<4x0xf32>, %q: memref<4x0xi8>, %s: memref<4x1xf32>) {
  // CHECK: lab.gemm
  lab.gemm %a, %b -> %c : memref<2x0xf32>, memref<3x0xf32> -> memref<2x3xf32>
  // CHECK: lab.reduce sum
  lab.reduce sum blocked %v -> %r block = 8 : memref<0xf32> -> memref<f32>
  // CHECK: lab.reduce max
  lab.reduce max blocked %v -> %r block = 8 : memref<0xf32> -> memref<f32>
  // CHECK: lab.quantize
  lab.quantize %x -> %q, %s group = channel : memref<4x0xf32> -> memref<4x0xi8>, memref<4x1xf32>
  return
}
