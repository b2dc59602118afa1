// Functions that cannot become entry points.
// RUN: labgen-opt %s --split-input-file --lab-cpu-abi --verify-diagnostics

// expected-error @+1 {{'func.func' op argument 1 must be a contiguous memref of static shape, got 'f32'}}
func.func @scalar(%x: memref<4xf32>, %alpha: f32) {
  return
}

// -----

// expected-error @+1 {{'func.func' op argument 0 must be a contiguous memref of static shape, got 'memref<?xf32>'}}
func.func @dynamic(%x: memref<?xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op argument 0 must be a contiguous memref of static shape, got 'memref<4x4xf32, strided<[8, 1]>>'}}
func.func @gaps(%x: memref<4x4xf32, strided<[8, 1]>>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op argument 1 must be a contiguous memref of static shape, got 'i32'}}
func.func @short_range(%x: memref<4xf32>, %begin: i32, %end: i32) {
  return
}

// -----

// expected-error @+1 {{'func.func' op must return nothing; a lab writes to its arguments}}
func.func @result(%x: memref<4xf32>) -> f32 {
  %one = arith.constant 1.0 : f32
  return %one : f32
}

// -----

// expected-error @+1 {{'func.func' op must have one block; use structured loops}}
func.func @blocks(%x: memref<4xf32>) {
  cf.br ^next
^next:
  return
}

// -----

func.func @workspace(%x: memref<4xf32>, %begin: index, %end: index) {
  // expected-error @+1 {{'memref.alloc' op a workspace needs a static shape}}
  %w = memref.alloc(%end) : memref<?xf32>
  return
}

// -----

func.func @outside(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{'memref.store' op writes outside the work units of this lab; move it into a forall}}
  memref.store %one, %x[%c0] : memref<4xf32>
  scf.forall (%i) in (4) {
    memref.store %one, %x[%i] : memref<4xf32>
  } {lab.phase = 0 : i64, mapping = [#gpu.block<linear_dim_0>]}
  return
}

// -----

func.func @units(%x: memref<4xf32>, %begin: index, %end: index) {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{'scf.forall' op needs constant bounds to count its work units; give the lab a static shape}}
  scf.forall (%i) in (%end) {
    memref.store %one, %x[%i] : memref<4xf32>
  } {lab.phase = 0 : i64, mapping = [#gpu.block<linear_dim_0>]}
  return
}
