// Upstream's transform ops tile lab ops through TilingInterface, static and
// dynamic ones: each operand is sliced as the access interface says.
// RUN: labgen-opt %s --split-input-file --transform-interpreter --canonicalize --cse | FileCheck %s

// Scales follow k / group, packed 4-bit codes k / 2.
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0) -> (d0 * 8)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0) -> (d0 * 64)>
// CHECK-DAG: #[[$BYTES:.*]] = affine_map<(d0) -> (d0 * 32)>
// CHECK-DAG: #[[$SCALES:.*]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-LABEL: func @quantize(
// CHECK-SAME: %[[X:.*]]: memref<64x256xf32>, %[[Q:.*]]: memref<64x128xi8>, %[[S:.*]]: memref<64x8xf16>
func.func @quantize(%x: memref<64x256xf32>, %q: memref<64x128xi8>, %s: memref<64x8xf16>) {
  // CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (8, 4) {
  // CHECK-DAG: %[[R:.*]] = affine.apply #[[$ROWS]](%[[I]])
  // CHECK-DAG: %[[C:.*]] = affine.apply #[[$COLUMNS]](%[[J]])
  // CHECK-DAG: %[[XT:.*]] = memref.subview %[[X]][%[[R]], %[[C]]] [8, 64] [1, 1]
  // CHECK-DAG: %[[B:.*]] = affine.apply #[[$BYTES]](%[[J]])
  // CHECK-DAG: %[[QT:.*]] = memref.subview %[[Q]][%[[R]], %[[B]]] [8, 32] [1, 1]
  // CHECK-DAG: %[[G:.*]] = affine.apply #[[$SCALES]](%[[J]])
  // CHECK-DAG: %[[ST:.*]] = memref.subview %[[S]][%[[R]], %[[G]]] [8, 2] [1, 1]
  // CHECK: lab.quantize %[[XT]] -> %[[QT]], %[[ST]] group = 32 {code = i4}
  // CHECK-NOT: lab.quantize %
  lab.quantize %x -> %q, %s group = 32 {code = i4}
      : memref<64x256xf32> -> memref<64x128xi8>, memref<64x8xf16>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [8, 64]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A channel group is never cut, its scale is sliced by rows alone; a ragged
// last tile is as long as what is left.
// CHECK: #[[$REST:.*]] = affine_map<(d0) -> (d0 * -8 + 20, 8)>
// CHECK-LABEL: func @dequantize(
// CHECK-SAME: %[[Q:.*]]: memref<20x7xi8>, %[[S:.*]]: memref<20x1xf32>, %[[Y:.*]]: memref<20x7xf32>
func.func @dequantize(%q: memref<20x7xi8>, %s: memref<20x1xf32>, %y: memref<20x7xf32>) {
  // CHECK: scf.forall (%[[I:.*]]) in (3) {
  // CHECK-DAG: %[[N:.*]] = affine.min #[[$REST]](%[[I]])
  // CHECK-DAG: memref.subview %[[Q]][%{{.*}}, 0] [%[[N]], 7] [1, 1]
  // CHECK-DAG: memref.subview %[[S]][%{{.*}}, 0] [%[[N]], 1] [1, 1]
  // CHECK-DAG: memref.subview %[[Y]][%{{.*}}, 0] [%[[N]], 7] [1, 1]
  // CHECK: lab.dequantize {{.*}} group = channel
  lab.dequantize %q, %s -> %y group = channel
      : memref<20x7xi8>, memref<20x1xf32> -> memref<20x7xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.dequantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// m and n by loops; a tile that sees all of k still overwrites.
// CHECK-LABEL: func @gemm(
func.func @gemm(%a: memref<64x96xf32>, %b: memref<48x96xf32>, %c: memref<64x48xf32>) {
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c32
  // CHECK:   scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c16
  // CHECK-DAG: %[[A:.*]] = memref.subview %{{.*}}[%[[I]], 0] [32, 96] [1, 1]
  // CHECK-DAG: %[[B:.*]] = memref.subview %{{.*}}[%[[J]], 0] [16, 96] [1, 1]
  // CHECK-DAG: %[[C:.*]] = memref.subview %{{.*}}[%[[I]], %[[J]]] [32, 16] [1, 1]
  // CHECK:     lab.gemm %[[A]], %[[B]] -> %[[C]] : memref<32x96xf32
  lab.gemm %a, %b -> %c : memref<64x96xf32>, memref<48x96xf32> -> memref<64x48xf32>
  return
}

// Where c is added to, k may be cut too; scales move a group at a time.
// CHECK-LABEL: func @gemm_k(
func.func @gemm_k(%a: memref<64x96xf32>, %b: memref<48x96xi8>, %s: memref<48x3xf32>, %c: memref<64x48xf32>) {
  // CHECK: scf.for %[[I:.*]] =
  // CHECK:   scf.for %[[J:.*]] =
  // CHECK:     scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c32
  // CHECK-DAG: %[[G:.*]] = affine.apply #{{.*}}()[%[[K]]]
  // CHECK-DAG: memref.subview %{{.*}}[%[[I]], %[[K]]] [32, 32] [1, 1] : memref<64x96xf32>
  // CHECK-DAG: memref.subview %{{.*}}[%[[J]], %[[K]]] [16, 32] [1, 1] : memref<48x96xi8>
  // CHECK-DAG: memref.subview %{{.*}}[%[[J]], %[[G]]] [16, 1] [1, 1] : memref<48x3xf32>
  // CHECK:     lab.gemm {{.*}} group = 32 {accumulate}
  lab.gemm %a, %b b_scale(%s : memref<48x3xf32>) -> %c group = 32 {accumulate}
      : memref<64x96xf32>, memref<48x96xi8> -> memref<64x48xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %plain = transform.structured.match ops{["lab.gemm"]} attributes {group = 32 : i64} in %root : (!transform.any_op) -> !transform.any_op
    %t0, %l0:3 = transform.structured.tile_using_for %plain tile_sizes [32, 16, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} attributes {sym_name = "gemm"} in %root : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["lab.gemm"]} in %func : (!transform.any_op) -> !transform.any_op
    %t1, %l1:2 = transform.structured.tile_using_for %op tile_sizes [32, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Sizes that are not known: read from the operand that follows the dimension.
// CHECK-LABEL: func @axpy(
// CHECK-SAME: %[[ALPHA:.*]]: memref<f32>, %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>
func.func @axpy(%alpha: memref<f32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  // CHECK: %[[N:.*]] = memref.dim %[[X]]
  // CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c1000
  // CHECK:   %[[T:.*]] = affine.min #{{.*}}(%[[I]])[%[[N]]]
  // CHECK-DAG: %[[XT:.*]] = memref.subview %[[X]][%[[I]]] [%[[T]]] [1]
  // CHECK-DAG: %[[YT:.*]] = memref.subview %[[Y]][%[[I]]] [%[[T]]] [1]
  // CHECK:   lab.axpy %[[ALPHA]], %[[XT]], %[[YT]]
  lab.axpy %alpha, %x, %y : memref<f32>, memref<?xf32>, memref<?xf32>
  return
}

// CHECK-LABEL: func @quantize_dynamic(
func.func @quantize_dynamic(%x: memref<?x?xf32>, %q: memref<?x?xi8>, %s: memref<?x?xf32>) {
  // CHECK: scf.for
  // CHECK:   scf.for %[[J:.*]] =
  // CHECK:     %[[T:.*]] = affine.min #{{.*}}(%[[J]])
  // CHECK-DAG: %[[G:.*]] = affine.apply #{{.*}}()[%[[J]]]
  // CHECK-DAG: %[[GT:.*]] = affine.apply #{{.*}}()[%[[T]]]
  // CHECK:     memref.subview %{{.*}}[%{{.*}}, %[[G]]] [%{{.*}}, %[[GT]]]
  // CHECK:     lab.quantize
  lab.quantize %x -> %q, %s group = 32 : memref<?x?xf32> -> memref<?x?xi8>, memref<?x?xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.axpy"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [1000]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %q = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %t1, %l1:2 = transform.structured.tile_using_for %q tile_sizes [4, 128]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Partial sums are tiled by whole spans, one element of r each; encode and copy
// as any elementwise op.
// CHECK-LABEL: func @others(
func.func @others(%v: memref<1000xf32>, %r: memref<8xf32>, %x: memref<16x32xf32>,
                  %s: memref<1x1xf32>, %q: memref<16x16xi8>, %d: memref<16x32xf32>) {
  // CHECK: scf.forall (%{{.*}}) in (4)
  // CHECK: memref.subview %{{.*}} : memref<8xf32> to memref<?xf32
  // CHECK: lab.reduce sum blocked {{.*}} block = 128
  lab.reduce sum blocked %v -> %r block = 128 : memref<1000xf32> -> memref<8xf32>
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 2)
  // CHECK: memref.subview {{.*}} [4, 8] [1, 1] : memref<16x16xi8>
  // CHECK: lab.encode %{{.*}}, %{{.*}} -> %{{.*}} {code = i4} : memref<4x16xf32, {{.*}}>, memref<1x1xf32>
  lab.encode %x, %s -> %q {code = i4} : memref<16x32xf32>, memref<1x1xf32> -> memref<16x16xi8>
  // CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 2)
  // CHECK: lab.copy %{{.*}} -> %{{.*}} : memref<4x16xf32
  lab.copy %x -> %d : memref<16x32xf32> -> memref<16x32xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [256]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %two = transform.structured.match ops{["lab.encode", "lab.copy"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %two : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %t, %l = transform.structured.tile_using_forall %one tile_sizes [4, 16]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}

// -----

// Zero points of 4 bits lie at k / (2 group): a tile is a multiple of two
// groups.
// CHECK-DAG: #[[$BYTES:.*]] = affine_map<(d0) -> (d0 * 16)>
// CHECK-DAG: #[[$SCALES:.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: #[[$ZEROS:.*]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-LABEL: func @zero_points(
// CHECK-SAME: %[[S:[^:]*]]: memref<64x8xf16>, %[[Z:[^:]*]]: memref<64x4xi8>
func.func @zero_points(%s: memref<64x8xf16>, %z: memref<64x4xi8>, %x: memref<64x64xf32>,
                       %q: memref<64x32xi8>) {
  // CHECK: scf.forall (%[[J:.*]]) in (2) {
  // CHECK-DAG: %[[G:.*]] = affine.apply #[[$SCALES]](%[[J]])
  // CHECK-DAG: memref.subview %[[S]][0, %[[G]]] [64, 4] [1, 1]
  // CHECK-DAG: %[[B:.*]] = affine.apply #[[$ZEROS]](%[[J]])
  // CHECK-DAG: memref.subview %[[Z]][0, %[[B]]] [64, 2] [1, 1]
  // CHECK: lab.quantize {{.*}} zero({{.*}}) group = 8 {code = ui4}
  lab.quantize %x -> %q, %s zero(%z : memref<64x4xi8>) group = 8 {code = ui4}
      : memref<64x64xf32> -> memref<64x32xi8>, memref<64x8xf16>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["lab.quantize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
