// Tiles that no body is made for, and options that are not a vector length.
// RUN: labgen-opt %s --split-input-file --lab-lower-tiles --verify-diagnostics
// RUN: not labgen-opt %s --lab-lower-tiles=vector-bytes=7 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: not labgen-opt %s --lab-lower-tiles=vector-bytes=0 2>&1 | FileCheck %s --check-prefix=ZERO
// SEVEN: error: vector-bytes must be 16, 32 or 64, got 7
// ZERO: error: vector-bytes must be 16, 32 or 64, got 0

func.func @axpy(%alpha: memref<f32>, %x: memref<?xf32>) {
  // expected-error @+1 {{'lab.axpy' op tile is not static: 'memref<?xf32>'; tile it so that every size is known}}
  lab.axpy %alpha, %x, %x : memref<f32>, memref<?xf32>, memref<?xf32>
  return
}

// -----

func.func @reduce(%x: memref<?xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op tile is not static: 'memref<?xf32>'; tile it so that every size is known}}
  lab.reduce sum blocked %x -> %r block = 128 : memref<?xf32> -> memref<f32>
  return
}

// -----

func.func @quantize(%x: memref<1x8xf32>, %q: memref<1x?xi8>, %s: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op tile is not static: 'memref<1x?xi8>'; tile it so that every size is known}}
  lab.quantize %x -> %q, %s group = 8 : memref<1x8xf32> -> memref<1x?xi8>, memref<1x1xf32>
  return
}

// -----

func.func @encode(%x: memref<?x8xf32>, %q: memref<?x8xi8>, %s: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.encode' op tile is not static: 'memref<?x8xf32>'; tile it so that every size is known}}
  lab.encode %x, %s -> %q : memref<?x8xf32>, memref<1x1xf32> -> memref<?x8xi8>
  return
}

// -----

func.func @dequantize(%y: memref<1x8xf32>, %q: memref<1x8xi8>, %s: memref<1x?xf32>) {
  // expected-error @+1 {{'lab.dequantize' op tile is not static: 'memref<1x?xf32>'; tile it so that every size is known}}
  lab.dequantize %q, %s -> %y group = 8 : memref<1x8xi8>, memref<1x?xf32> -> memref<1x8xf32>
  return
}

// -----

func.func @copy(%x: memref<?x8xf32>) {
  // expected-error @+1 {{'lab.copy' op tile is not static: 'memref<?x8xf32>'; tile it so that every size is known}}
  lab.copy %x -> %x : memref<?x8xf32> -> memref<?x8xf32>
  return
}

// -----

func.func @outer(%a: memref<?x8xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{'lab.gemm' op tile is not static: 'memref<?x8xf32>'; tile it so that every size is known}}
  lab.gemm %a, %a -> %c : memref<?x8xf32>, memref<?x8xf32> -> memref<?x?xf32>
  return
}

// -----

func.func @dot(%a: memref<?x8xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{'lab.gemm' op tile is not static: 'memref<?x8xf32>'; tile it so that every size is known}}
  lab.gemm %a, %a -> %c {kernel = #lab.kernel<dot>} : memref<?x8xf32>, memref<?x8xf32> -> memref<?x?xf32>
  return
}

// -----

func.func @outer_codes(%a: memref<1x8xf32>, %b: memref<1x8xi8>, %s: memref<1x1xf32>, %c: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.gemm' op micro-kernel outer needs float or i8 operands; pack operand 1 (which dequantizes it), stage operand 0, or use micro-kernel dot}}
  lab.gemm %a, %b b_scale(%s : memref<1x1xf32>) -> %c group = 8 {kernel = #lab.kernel<outer>}
      : memref<1x8xf32>, memref<1x8xi8> -> memref<1x1xf32>
  return
}

// -----

func.func @narrow_sums(%a: memref<2x8xf16>, %b: memref<3x8xf16>, %c: memref<2x3xf16>) {
  // expected-error @+1 {{'lab.gemm' op has no body that sums in 'f16'; decompose it first, which sums in f32}}
  lab.gemm %a, %b -> %c : memref<2x8xf16>, memref<3x8xf16> -> memref<2x3xf16>
  return
}

// -----

func.func @chunk_of_codes(%a: memref<1x64xi8>, %c: memref<1x1xi32>) {
  // expected-error @+1 {{'lab.gemm' op schedule has width = 2, and a lane takes 8 codes at least; nearest legal: 8}}
  lab.gemm %a, %a -> %c {kernel = #lab.kernel<width = 2, lanes = 16>} : memref<1x64xi8>, memref<1x64xi8> -> memref<1x1xi32>
  return
}

// -----

// Each of four threads would add alpha x.
func.func @shared_axpy(%alpha: memref<f32>, %x: memref<8xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule's warp level lets 4 lanes share a tile, which this body does not deal; make it a thread level}}
  lab.axpy %alpha, %x, %x {kernel = #lab.kernel<lanes = 4>} : memref<f32>, memref<8xf32>, memref<8xf32>
  return
}

// -----

func.func @shared_outer(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule's warp level lets 4 lanes share a tile, which this body does not deal; make it a thread level}}
  lab.gemm %a, %b -> %c {kernel = #lab.kernel<outer, lanes = 4>} : memref<4x8xf32>, memref<4x8xf32> -> memref<4x4xf32>
  return
}

// -----

// What is summed in order has no parts.
func.func @shared_sequence(%x: memref<64xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op schedule's warp level lets 32 lanes share a tile, which this body does not deal; make it a thread level}}
  lab.reduce sum sequential %x -> %r block = 16384 {kernel = #lab.kernel<lanes = 32>} : memref<64xf32> -> memref<f32>
  return
}

// -----

func.func @unrolled_sums(%a: memref<64x8xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule leaves a tile of 4096 sums, each unrolled; legal: up to 1024, by smaller tiles of the last level}}
  lab.gemm %a, %a -> %c {kernel = #lab.kernel<dot>} : memref<64x8xf32>, memref<64x8xf32> -> memref<64x64xf32>
  return
}

// -----

func.func @unrolled_copy(%x: memref<?x?xf32>, %y: memref<64x64xf32>) {
  // expected-error @+1 {{'lab.copy' op schedule leaves a tile of 4096 elements, each unrolled; legal: up to 1024, by smaller pieces behind `by`}}
  lab.copy %x -> %y {pad} : memref<?x?xf32> -> memref<64x64xf32>
  return
}

// -----

// The attribute's older name would be overlooked.
func.func @older_name(%a: memref<1x8xf32>, %c: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.gemm' op has `leaf`, which has a new name; write `kernel = #lab.kernel<...>`}}
  lab.gemm %a, %a -> %c {leaf = {body = "dot"}} : memref<1x8xf32>, memref<1x8xf32> -> memref<1x1xf32>
  return
}

// -----

func.func @other_attribute(%a: memref<1x8xf32>, %c: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.gemm' op has kernel = "dot"; write `kernel = #lab.kernel<...>`}}
  lab.gemm %a, %a -> %c {kernel = "dot"} : memref<1x8xf32>, memref<1x8xf32> -> memref<1x1xf32>
  return
}
