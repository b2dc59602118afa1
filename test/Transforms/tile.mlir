// Tiling by schedule: static tiles, whole groups, ragged rests on their own,
// local copies where a level packs.
// RUN: labgen-opt %s --split-input-file --lab-tile --canonicalize --cse | FileCheck %s

// Whole tiles, then what is left: 100 = 3 * 32 + 4. The schedule is used up.
// CHECK-LABEL: func @axpy(
// CHECK-SAME: %[[ALPHA:.*]]: memref<f32>, %[[X:.*]]: memref<100xf32>, %[[Y:.*]]: memref<100xf32>
func.func @axpy(%alpha: memref<f32>, %x: memref<100xf32>, %y: memref<100xf32>) {
  // CHECK: scf.forall (%[[I:.*]]) = (0) to (96) step (32) {
  // CHECK:   lab.axpy %[[ALPHA]], %{{.*}}, %{{.*}} : memref<f32>, memref<32xf32, {{.*}}>, memref<32xf32, {{.*}}>
  // CHECK: } {lab.phase = 0 : i64, mapping = [#gpu.block<linear_dim_0>]}
  // CHECK: %[[REST:.*]] = memref.subview %[[X]][96] [4] [1]
  // CHECK: scf.forall (%{{.*}}) in (1) {
  // CHECK:   lab.axpy %[[ALPHA]], %[[REST]], %{{.*}} : memref<f32>, memref<4xf32, {{.*}}>, memref<4xf32, {{.*}}>
  // CHECK: } {lab.phase = 0 : i64, mapping = [#gpu.block<linear_dim_0>]}
  // CHECK-NEXT: return
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [32]>}
      : memref<f32>, memref<100xf32>, memref<100xf32>
  return
}

// -----

// A level that covers everything still is one work unit; what the body is told
// stays on the tile.
// CHECK-LABEL: func @one_unit(
func.func @one_unit(%alpha: memref<f32>, %x: memref<5xf32>, %y: memref<5xf32>) {
  // CHECK: scf.forall (%{{.*}}) in (1) {
  // CHECK:   lab.axpy {{.*}} {kernel = #lab.kernel<prefetch = 512>} : memref<f32>, memref<5xf32>, memref<5xf32>
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [1024], kernel<prefetch = 512>>}
      : memref<f32>, memref<5xf32>, memref<5xf32>
  return
}

// -----

// Groups of 32 along k = 100, tiles of 64: one tile of two groups, one of the
// group that is left, one of the 4 elements of the short group; i4 codes at
// half the column, scales at a 32nd.
// CHECK-LABEL: func @quantize(
// CHECK-SAME: %[[X:.*]]: memref<4x100xf32>, %[[Q:.*]]: memref<4x50xi8>, %[[S:.*]]: memref<4x4xf32>
func.func @quantize(%x: memref<4x100xf32>, %q: memref<4x50xi8>, %s: memref<4x4xf32>) {
  // CHECK: lab.quantize {{.*}} : memref<2x64xf32, {{.*}}> -> memref<2x32xi8, {{.*}}>, memref<2x2xf32, {{.*}}>
  // CHECK-DAG: memref.subview %[[X]][0, 64] [4, 32]
  // CHECK-DAG: memref.subview %[[Q]][0, 32] [4, 16]
  // CHECK-DAG: memref.subview %[[S]][0, 2] [4, 1]
  // CHECK: lab.quantize {{.*}} : memref<2x32xf32, {{.*}}> -> memref<2x16xi8, {{.*}}>, memref<2x1xf32, {{.*}}>
  // CHECK-DAG: memref.subview %[[X]][0, 96] [4, 4]
  // CHECK-DAG: memref.subview %[[Q]][0, 48] [4, 2]
  // CHECK-DAG: memref.subview %[[S]][0, 3] [4, 1]
  // CHECK: lab.quantize {{.*}} : memref<2x4xf32, {{.*}}> -> memref<2x2xi8, {{.*}}>, memref<2x1xf32, {{.*}}>
  // CHECK-NOT: lab.quantize
  lab.quantize %x -> %q, %s group = 32 {code = i4, schedule = #lab.schedule<block [2, 64]>}
      : memref<4x100xf32> -> memref<4x50xi8>, memref<4x4xf32>
  return
}

// -----

// The first k tile overwrites c, the others add to it; a loop of one trip is
// not made, since its variable would hide that k is 0.
// CHECK-LABEL: func @gemm_k(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x70xf32>
func.func @gemm_k(%a: memref<4x70xf32>, %b: memref<4x70xf32>, %c: memref<4x4xf32>) {
  // CHECK: memref.subview %[[A]][0, 0] [4, 16]
  // CHECK: lab.gemm {{.*}} : memref<4x16xf32
  // CHECK: memref.subview %[[A]][0, 16] [4, 48]
  // CHECK: scf.for
  // CHECK:   lab.gemm {{.*}} {accumulate} : memref<4x16xf32
  // CHECK: memref.subview %[[A]][0, 64] [4, 6]
  // CHECK: lab.gemm {{.*}} {accumulate} : memref<4x6xf32
  // CHECK-NOT: lab.gemm
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<loop [0, 0, 16]>}
      : memref<4x70xf32>, memref<4x70xf32> -> memref<4x4xf32>
  return
}

// -----

// Where c is added to from the start, every tile adds.
// CHECK-LABEL: func @gemm_accumulate(
func.func @gemm_accumulate(%a: memref<4x32xf32>, %b: memref<4x32xf32>, %c: memref<4x4xf32>) {
  // CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16
  // CHECK:   lab.gemm {{.*}} {accumulate}
  // CHECK-NOT: lab.gemm
  lab.gemm %a, %b -> %c {accumulate, schedule = #lab.schedule<loop [0, 0, 16]>}
      : memref<4x32xf32>, memref<4x32xf32> -> memref<4x4xf32>
  return
}

// -----

// Levels nest from the outside in.
// CHECK-LABEL: func @levels(
func.func @levels(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (64, 64) step (32, 16)
  // CHECK:   scf.for %{{.*}} = %c0 to %c32 step %c8
  // CHECK:     scf.for %{{.*}} = %c0 to %c16 step %c4
  // CHECK:       lab.gemm {{.*}} {kernel = #lab.kernel<outer>} : memref<8x64xf32, {{.*}}>, memref<4x64xf32, {{.*}}> -> memref<8x4xf32, {{.*}}>
  // CHECK: mapping = [#gpu.block<linear_dim_0>, #gpu.block<linear_dim_1>]
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [32, 16, 0], loop [8, 0, 0], loop [0, 4, 0], kernel<outer>>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  return
}

// -----

// Packing: a k-major copy (first dimension of unit stride), made in pieces.
// Narrow floats are widened on the way.
// CHECK-LABEL: func @pack(
func.func @pack(%a: memref<6x32xbf16>, %b: memref<8x32xbf16>, %c: memref<6x8xf32>) {
  // CHECK-DAG: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
  // CHECK-DAG: memref.alloca() {alignment = 64 : i64} : memref<192xf32>
  // CHECK: scf.forall (%{{.*}}) in (1) {
  // CHECK:   %[[ROWS:.*]] = memref.reinterpret_cast %[[BUFFER]] to offset: [0], sizes: [32, 8], strides: [8, 1]
  // CHECK:   %[[PACKED:.*]] = memref.transpose %[[ROWS]] (d0, d1) -> (d1, d0) : memref<32x8xf32> to memref<8x32xf32, strided<[1, 8]>>
  // CHECK:   scf.for %{{.*}} = %c0 to %c8 step %c4
  // CHECK:     scf.for %{{.*}} = %c0 to %c32 step %c16
  // CHECK:       lab.copy {{.*}} : memref<4x16xbf16, {{.*}}> -> memref<4x16xf32, {{.*}}>
  // CHECK:   lab.copy {{.*}} : memref<4x16xbf16, {{.*}}> -> memref<4x16xf32, {{.*}}>
  // CHECK:   lab.copy {{.*}} : memref<2x16xbf16, {{.*}}> -> memref<2x16xf32, {{.*}}>
  // CHECK:   lab.gemm %{{.*}}, %[[PACKED]] -> {{.*}} : memref<6x32xf32>, memref<8x32xf32, strided<[1, 8]>>
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [6, 8, 0] pack [1] stage [0] by [4, 16]>}
      : memref<6x32xbf16>, memref<8x32xbf16> -> memref<6x8xf32>
  return
}

// -----

// Packed weights are dequantized on the way, which leaves a plain gemm. Pieces
// are whole groups, whatever `by` says.
// CHECK-LABEL: func @pack_codes(
func.func @pack_codes(%a: memref<8x32xf32>, %b: memref<8x16xi8>, %s: memref<8x4xf16>, %c: memref<8x8xf32>) {
  // CHECK: memref.alloca() {{.*}} : memref<256xf32>
  // CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4
  // CHECK:   scf.for %{{.*}} = %c0 to %c32 step %c8
  // CHECK:     lab.dequantize {{.*}} group = 8 {code = i4} : memref<4x4xi8, {{.*}}>, memref<4x1xf16, {{.*}}> -> memref<4x8xf32, {{.*}}>
  // CHECK: lab.gemm %{{.*}}, %{{.*}} -> %{{.*}} : memref<8x32xf32>, memref<8x32xf32, strided<[1, 8]>>
  lab.gemm %a, %b b_scale(%s : memref<8x4xf16>) -> %c group = 8
      {code = i4, schedule = #lab.schedule<block [8, 8, 0] pack [1] by [4, 5]>}
      : memref<8x32xf32>, memref<8x16xi8> -> memref<8x8xf32>
  return
}

// -----

// Staging keeps rows; two levels have a buffer each, all parts of a level share
// one as large as the largest needs.
// CHECK-LABEL: func @stage(
func.func @stage(%a: memref<10x32xf32>, %b: memref<8x32xf32>, %c: memref<10x8xf32>) {
  // CHECK-COUNT-1: memref.alloca() {alignment = 64 : i64} : memref<128xf32>
  // CHECK-NOT: memref.alloca
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 32], strides: [32, 1]
  // CHECK: lab.copy
  // CHECK: lab.gemm {{.*}} : memref<4x32xf32>
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 32], strides: [32, 1]
  // CHECK: lab.copy
  // CHECK: lab.gemm {{.*}} : memref<2x32xf32>
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<loop [4, 0, 0] stage [0] by [4, 32]>}
      : memref<10x32xf32>, memref<8x32xf32> -> memref<10x8xf32>
  return
}

// -----

// Sizes that are not known: whole tiles, then groups one by one, then the short
// group as a tile of its own; no affine.min is left.
// CHECK-DAG: #[[$WHOLE:.*]] = affine_map<()[s0] -> ((s0 floordiv 64) * 64)>
// CHECK-DAG: #[[$GROUPS:.*]] = affine_map<()[s0] -> ((s0 floordiv 32) * 32 - (s0 floordiv 64) * 64)>
// CHECK-DAG: #[[$SHORT:.*]] = affine_map<()[s0] -> (s0 mod 32)>
// CHECK-LABEL: func @dynamic(
// CHECK-NOT: affine.min
func.func @dynamic(%x: memref<?x?xf32>, %q: memref<?x?xi8>, %s: memref<?x?xf32>) {
  // CHECK-DAG: %[[W:.*]] = affine.apply #[[$WHOLE]]
  // CHECK-DAG: %[[G:.*]] = affine.apply #[[$GROUPS]]
  // CHECK-DAG: %[[T:.*]] = affine.apply #[[$SHORT]]
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (%{{.*}}, %[[W]]) step (1, 64)
  // CHECK:   lab.quantize {{.*}} : memref<1x64xf32, {{.*}}> -> memref<1x64xi8, {{.*}}>, memref<1x2xf32
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (%{{.*}}, %[[G]]) step (1, 32)
  // CHECK:   lab.quantize {{.*}} : memref<1x32xf32, {{.*}}> -> memref<1x32xi8, {{.*}}>, memref<1x1xf32
  // CHECK: scf.forall
  // CHECK:   lab.quantize {{.*}} : memref<1x?xf32
  lab.quantize %x -> %q, %s group = 32 {schedule = #lab.schedule<block [1, 64]>}
      : memref<?x?xf32> -> memref<?x?xi8>, memref<?x?xf32>
  return
}

// -----

// One op after the other: each is a launch of its own. Ops without a schedule
// are left alone.
// CHECK-LABEL: func @phases(
func.func @phases(%x: memref<256xf32>, %w: memref<2xf32>, %r: memref<f32>) {
  // CHECK: lab.reduce sum blocked {{.*}} -> memref<1xf32
  // CHECK: lab.phase = 0 : i64
  lab.reduce sum blocked %x -> %w block = 128 {schedule = #lab.schedule<block [128]>}
      : memref<256xf32> -> memref<2xf32>
  // CHECK: lab.reduce sum blocked {{.*}} -> memref<f32>
  // CHECK: lab.phase = 1 : i64
  lab.reduce sum blocked %w -> %r block = 128 {schedule = #lab.schedule<block [0]>}
      : memref<2xf32> -> memref<f32>
  // CHECK: lab.reduce max blocked %{{.*}} -> %{{.*}} block = 128 : memref<256xf32> -> memref<f32>
  // CHECK-NEXT: return
  lab.reduce max blocked %x -> %r block = 128 : memref<256xf32> -> memref<f32>
  return
}

// -----

// Tiles in equal parts of a group, the last one of the row shorter: 100 =
// 3 * 32 + 4 in groups of 64.
// CHECK-LABEL: func @parts_of_groups(
func.func @parts_of_groups(%q: memref<1x100xi8>, %s: memref<1x2xf32>, %y: memref<1x100xf32>) {
  // CHECK: scf.forall
  // CHECK:   lab.dequantize {{.*}} group = 64 : memref<1x32xi8, {{.*}}>, memref<1x1xf32, {{.*}}> -> memref<1x32xf32, {{.*}}>
  // CHECK: memref.subview %{{.*}}[0, 96] [1, 4] [1, 1]
  // CHECK: lab.dequantize {{.*}} group = 64 : memref<1x4xi8, {{.*}}>, memref<1x1xf32, {{.*}}> -> memref<1x4xf32, {{.*}}>
  lab.dequantize %q, %s -> %y group = 64 {schedule = #lab.schedule<block [1, 32]>}
      : memref<1x100xi8>, memref<1x2xf32> -> memref<1x100xf32>
  return
}

// -----

// Parts of a group, of which the row has not all.
// CHECK-LABEL: func @part_of_ragged_group(
func.func @part_of_ragged_group(%q: memref<2x31xi8>, %s: memref<2x1xf32>, %y: memref<2x61xf32>) {
  // CHECK: scf.forall
  // CHECK: lab.dequantize {{.*}} memref<2x8xi8, {{.*}} -> memref<2x16xf32,
  // CHECK: memref.subview %{{.*}}[0, 24] [2, 7] [1, 1]
  // CHECK: lab.dequantize {{.*}} memref<2x7xi8, {{.*}} -> memref<2x13xf32,
  lab.dequantize %q, %s -> %y group = 64 {code = i4, schedule = #lab.schedule<block [2, 16]>}
      : memref<2x31xi8>, memref<2x1xf32> -> memref<2x61xf32>
  return
}
