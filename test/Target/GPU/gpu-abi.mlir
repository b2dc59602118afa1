// Pointers to global memory in, units as blocks, foralls inside as threads:
// straight code where every thread has one tile, a guard where there are fewer
// tiles, a loop where there are more; neighbours that share a tile count as one.
//
// RUN: labgen-opt %s --lab-tile --lab-gpu-abi --canonicalize | FileCheck %s

// CHECK: gpu.module @kernels
// CHECK: gpu.func @axpy(%{{.*}}: !llvm.ptr<1> {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: kernel
// CHECK-SAME: known_block_size = array<i32: 16, 1, 1>
// CHECK-SAME: "labgen-units", "3"
// CHECK-SAME: "labgen-threads", "16"
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// Whole blocks: 16 tiles for 16 threads.
// CHECK: arith.cmpi slt, %[[BLOCK]]
// CHECK: scf.if
// CHECK: gpu.thread_id x
// CHECK-NOT: arith.cmpi
// CHECK: lab.axpy {{.*}} memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<global>>
// The ragged block: 2 tiles of 4, then one of 2.
// CHECK: scf.if
// CHECK: arith.cmpi ult, %{{.*}}, %c2
// CHECK: arith.cmpi ult, %{{.*}}, %c1
// CHECK: gpu.return
func.func @axpy(%alpha: memref<f32>, %x: memref<138xf32>, %y: memref<138xf32>) {
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [64] threads 16, thread [4]>}
      : memref<f32>, memref<138xf32>, memref<138xf32>
  return
}

// Four lanes to a tile, 2 tiles at once, 4 tiles: a loop.
// CHECK: gpu.func @shared
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[TEAM:.*]] = arith.divui %[[T]], %c4
// CHECK: scf.for %{{.*}} = %[[TEAM]] to %c4{{.*}} step %c2
// CHECK: lab.quantize {{.*}} {kernel = #lab.kernel<lanes = 4>}
func.func @shared(%x: memref<1x64xf32>, %q: memref<1x64xi8>, %s: memref<1x4xf32>) {
  lab.quantize %x -> %q, %s group = 16
      {schedule = #lab.schedule<block [1, 64] threads 8, warp [1, 16] lanes 4>}
      : memref<1x64xf32> -> memref<1x64xi8>, memref<1x4xf32>
  return
}

// Two launches, one workspace.
// CHECK: gpu.func @two_0({{.*}}"labgen-workspace", "8"
// CHECK: gpu.func @two_1({{.*}}"labgen-workspace", "8"
func.func @two(%x: memref<64xf32>, %r: memref<f32>) {
  %w = memref.alloc() : memref<2xf32>
  lab.reduce max blocked %x -> %w block = 32 span = 32
      {schedule = #lab.schedule<block [32] threads 32, warp [32] lanes 32>}
      : memref<64xf32> -> memref<2xf32>
  lab.reduce max blocked %w -> %r block = 32
      {schedule = #lab.schedule<block [0] threads 32, warp [0] lanes 32>}
      : memref<2xf32> -> memref<f32>
  return
}
