// What cannot be split into launches.
// RUN: labgen-opt %s --lab-decompose --split-input-file --verify-diagnostics

func.func @reduce_dynamic(%x: memref<?xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op needs a static length to know its launches}}
  lab.reduce sum blocked %x -> %r block = 128 : memref<?xf32> -> memref<f32>
  return
}

// -----

func.func @quantize_dynamic(%x: memref<?x8xf32>, %q: memref<?x8xi8>, %s: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op group = tensor needs a static shape to know its launches}}
  lab.quantize %x -> %q, %s group = tensor : memref<?x8xf32> -> memref<?x8xi8>, memref<1x1xf32>
  return
}

// -----

func.func @gemm_dynamic(%a: memref<?x8xf32>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<?x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op compute = i8 needs a static shape to know its launches}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 {compute = i8}
      : memref<?x8xf32>, memref<3x8xi8> -> memref<?x3xf32>
  return
}

// -----

func.func @quantize_gaps(%x: memref<4x8xf32, strided<[16, 1]>>, %q: memref<4x8xi8>, %s: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op group = tensor needs an x without gaps between its rows, got 'memref<4x8xf32, strided<[16, 1]>>'; copy it first}}
  lab.quantize %x -> %q, %s group = tensor
      : memref<4x8xf32, strided<[16, 1]>> -> memref<4x8xi8>, memref<1x1xf32>
  return
}
