// Padded levels: every tile is whole, copies are filled with zeros, the result
// stays in the threads' registers and only what is there of it is written.
//
// RUN: labgen-opt %s --lab-tile --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @gemm
// CHECK-DAG: %[[A:.*]] = memref.alloca() {{.*}} : memref<544xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[OWN:.*]] = memref.alloca() {{.*}} : memref<2x2xf32, #gpu.address_space<private>>
// CHECK: scf.forall {{.*}} to (33, 70) step (32, 32)
// The threads' own tiles start from zero: nothing of c is read.
// CHECK: scf.forall {{.*}} to (32, 32) step (2, 2)
// CHECK: lab.copy %{{.*}} -> %[[OWN]] {pad} : memref<0x0xf32
// CHECK: #gpu.thread
// CHECK: scf.for %{{.*}} = %c0 to %c50 step %c16
// CHECK: affine.min
// None reads the old copies any more, all new ones are there. A thread's two
// elements lie between columns, which start at other banks so.
// CHECK: gpu.barrier
// CHECK: scf.forall {{.*}} to (32, 16) step (1, 4)
// CHECK: lab.copy {{.*}} {pad} : memref<?x?xf32{{.*}} -> memref<1x4xf32, strided<[1, 34], offset: ?>, #gpu.address_space<workgroup>>
// CHECK: lab.copy {{.*}} {pad}
// CHECK: gpu.barrier
// CHECK: lab.gemm {{.*}} -> %[[OWN]] {accumulate, kernel = #lab.kernel<outer>}
// CHECK: scf.forall {{.*}} to (32, 32) step (2, 2)
// CHECK: lab.copy %[[OWN]] -> %{{.*}} {pad} : memref<2x2xf32, {{.*}} -> memref<?x?xf32
// CHECK: lab.threads = 256
func.func @gemm(%a: memref<33x50xf32>, %b: memref<70x50xf32>, %c: memref<33x70xf32>) {
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<
      block [32, 32, 0] threads 256 pad, loop [0, 0, 16] pad accumulate pack [0, 1] by [1, 4],
      thread [2, 2, 0], kernel<outer>>}
      : memref<33x50xf32>, memref<70x50xf32> -> memref<33x70xf32>
  return
}

// What was in c before comes first; sizes that are whole tiles need no padding.
// CHECK-LABEL: func @accumulate
// CHECK-NOT: affine.min
// CHECK: lab.copy %{{.*}} -> %{{[^{]*}} : memref<2x2xf32, strided{{.*}} -> memref<2x2xf32, #gpu.address_space<private>>
// CHECK: gpu.barrier
// CHECK-NOT: pad
// CHECK: return
func.func @accumulate(%a: memref<32x16xf32>, %b: memref<32x16xf32>, %c: memref<32x32xf32>) {
  lab.gemm %a, %b -> %c {accumulate, schedule = #lab.schedule<
      block [32, 32, 0] threads 256 pad, loop [0, 0, 16] pad accumulate pack [0, 1] by [1, 4],
      thread [2, 2, 0], kernel<outer>>}
      : memref<32x16xf32>, memref<32x16xf32> -> memref<32x32xf32>
  return
}

// Weights with scales are dequantized as they are copied: tiles that are a part
// of a group (or whole ones), pieces within it.
// CHECK-LABEL: func @dequantize
// CHECK-DAG: memref.alloca() {{.*}} : memref<1088xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for %{{.*}} = %c0 to %c100 step %c32
// CHECK: gpu.barrier
// CHECK: lab.copy {{.*}} {pad}
// CHECK: scf.forall {{.*}} to (32, 32) step (1, 4)
// CHECK: lab.dequantize {{.*}} group = 64 {pad} : memref<?x?xi8, {{.*}}>, memref<?x?xf16, {{.*}}> -> memref<1x4xf32, strided<[1, 34], offset: ?>, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: lab.gemm {{.*}} {accumulate, kernel = #lab.kernel<outer>} : memref<2x32xf32, {{.*}} memref<2x32xf32,
func.func @dequantize(%a: memref<33x100xf32>, %b: memref<70x100xi8>, %s: memref<70x2xf16>, %c: memref<33x70xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<70x2xf16>) -> %c group = 64 {schedule = #lab.schedule<
      block [32, 32, 0] threads 256 pad, loop [0, 0, 32] pad accumulate pack [0, 1] by [1, 4],
      thread [2, 2, 0], kernel<outer>>}
      : memref<33x100xf32>, memref<70x100xi8> -> memref<33x70xf32>
  return
}
