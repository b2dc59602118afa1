// From memrefs and foralls to entry points: a function a launch, pointers for
// arguments and workspaces, work units as a half-open range.
// RUN: labgen-opt %s --split-input-file --lab-cpu-abi --canonicalize | FileCheck %s

// Phases are launches; the foralls of one phase are its units, one after the
// other. Both launches take the workspace as well.
// CHECK: #[[$TILE:.*]] = affine_map<()[s0] -> (s0 * 32)>
// CHECK: #[[$REST:.*]] = affine_map<()[s0] -> (s0 - 6)>
// CHECK-NOT: func @two(
// CHECK-LABEL: func @two_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}, %[[Y:[a-z0-9]+]]: !llvm.ptr {{{.*}}}, %[[W:[a-z0-9]+]]: !llvm.ptr {{{.*}}}, %[[BEGIN:[a-z0-9]+]]: i64, %[[END:[a-z0-9]+]]: i64)
// CHECK-SAME: passthrough = {{\[}}["labgen-units", "4"], ["labgen-workspace", "16,80"]]
// CHECK-DAG: %[[B:.*]] = arith.index_cast %[[BEGIN]]
// CHECK-DAG: %[[E:.*]] = arith.index_cast %[[END]]
// CHECK-DAG: %[[FROM:.*]] = arith.maxsi %[[B]], %c0
// CHECK-DAG: %[[TO:.*]] = arith.minsi %[[E]], %c4
// CHECK: scf.for %[[U:.*]] = %[[FROM]] to %[[TO]] step %c1
// CHECK:   %[[I:.*]] = affine.apply #[[$TILE]]()[%[[U]]]
// CHECK:   vector.store %{{.*}}, %{{.*}}[%[[I]]] : memref<4xf32>, vector<1xf32>
// CHECK-NOT: scf.for
// CHECK-LABEL: func @two_1(
// CHECK-SAME: passthrough = {{\[}}["labgen-units", "7"], ["labgen-workspace", "16,80"]]
// CHECK-DAG: %[[FROM:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK-DAG: %[[TO:.*]] = arith.minsi %{{.*}}, %c6
// CHECK: scf.for %[[U:.*]] = %[[FROM]] to %[[TO]]
// CHECK:   %[[IJ:.*]]:2 = affine.delinearize_index %[[U]] into (2, 3)
// CHECK:   vector.store %{{.*}}, %{{.*}}[%[[IJ]]#0]
// CHECK:   vector.store %{{.*}}, %{{.*}}[%[[IJ]]#1]
// CHECK-DAG: %[[FROM2:.*]] = arith.maxsi %{{.*}}, %c6
// CHECK-DAG: %[[TO2:.*]] = arith.minsi %{{.*}}, %c7
// CHECK: scf.for %[[U2:.*]] = %[[FROM2]] to %[[TO2]]
// CHECK:   affine.apply #[[$REST]]()[%[[U2]]]
func.func @two(%x: memref<100xf32>, %y: memref<100xf32>) {
  %c = arith.constant dense<1.0> : vector<1xf32>
  %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %w2 = memref.alloc() {alignment = 64 : i64} : memref<10xf64>
  scf.forall (%i) = (0) to (100) step (32) {
    vector.store %c, %w[%i] : memref<4xf32>, vector<1xf32>
  } {lab.phase = 0 : i64, mapping = [#gpu.block<linear_dim_0>]}
  scf.forall (%i, %j) in (2, 3) {
    vector.store %c, %y[%i] : memref<100xf32>, vector<1xf32>
    vector.store %c, %x[%j] : memref<100xf32>, vector<1xf32>
  } {lab.phase = 1 : i64, mapping = [#gpu.block<linear_dim_0>, #gpu.block<linear_dim_1>]}
  scf.forall (%i) in (1) {
    vector.store %c, %y[%i] : memref<100xf32>, vector<1xf32>
  } {lab.phase = 1 : i64, mapping = [#gpu.block<linear_dim_0>]}
  return
}

// -----

// Code without work units is one launch that runs once.
// CHECK-LABEL: func @once(
// CHECK-SAME: "labgen-units", "1"
// CHECK: memref.store
func.func @once(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %x[%c0] : memref<4xf32>
  return
}

// -----

// A lab of nothing keeps an entry.
// CHECK-LABEL: func @nothing(
// CHECK-SAME: %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: i64, %{{.*}}: i64) attributes {passthrough = {{\[}}["labgen-units", "1"], ["labgen-workspace", ""]]}
// CHECK-NEXT: return
func.func @nothing(%x: memref<0xf32>) {
  return
}

// -----

// A file may take the range itself, as i64 or as index.
// CHECK-LABEL: func @range(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !llvm.ptr {{{.*}}}, %[[BEGIN:[a-z0-9]+]]: i64, %[[END:[a-z0-9]+]]: i64)
// CHECK-DAG: %[[B:.*]] = arith.index_cast %[[BEGIN]] : i64 to index
// CHECK-DAG: %[[E:.*]] = arith.index_cast %[[END]] : i64 to index
// CHECK: scf.for %{{.*}} = %[[B]] to %[[E]] step
func.func @range(%x: memref<4xf32>, %begin: index, %end: index) {
  %one = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    memref.store %one, %x[%i] : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func @range_i64(
// CHECK-SAME: %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: i64, %{{.*}}: i64)
func.func @range_i64(%x: memref<4xi64>, %begin: i64, %end: i64) {
  %c0 = arith.constant 0 : index
  memref.store %end, %x[%c0] : memref<4xi64>
  return
}

// -----

// Private functions stay: they are called.
// CHECK-LABEL: func @caller(
// CHECK: func private @callee(%{{.*}}: memref<4xf32>)
func.func @caller(%x: memref<4xf32>) {
  call @callee(%x) : (memref<4xf32>) -> ()
  return
}
func.func private @callee(%x: memref<4xf32>) {
  return
}
