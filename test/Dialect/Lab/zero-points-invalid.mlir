// What the verifiers say about zero points, and about the divisor of encode.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

func.func @needs_zero(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op codes of 'ui8' need zero points; nearest legal: i8}}
  lab.quantize %x -> %q, %s group = 8 {code = ui8} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @needs_zero(%x: memref<4x8xf32>, %q: memref<4x4xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.dequantize' op codes of 'ui4' need zero points; nearest legal: i4}}
  lab.dequantize %q, %s -> %x group = 8 {code = ui4} : memref<4x4xi8>, memref<4x1xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @needs_zero(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op codes of 'ui8' need zero points; nearest legal: i8}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 {code = ui8} : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @float_codes(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>, %z: memref<4x1xi8>) {
  // expected-error @+1 {{'lab.quantize' op zero points go with integer codes, got 'f8E4M3FN'; nearest legal: i8}}
  lab.quantize %x -> %q, %s zero(%z : memref<4x1xi8>) group = 8 {code = f8E4M3FN} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @storage(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>, %z: memref<4x1xui8>) {
  // expected-error @+1 {{'lab.quantize' op operand #3 must be 2D memref of i8 (bytes of zero points, packed as the codes are) values, but got 'memref<4x1xui8>'}}
  lab.quantize %x -> %q, %s zero(%z : memref<4x1xui8>) group = 8 {code = ui8} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @rows(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>, %z: memref<1x1xi8>) {
  // expected-error @+1 {{'lab.quantize' op rows of zero points is 1, expected 4 (one row per row)}}
  lab.quantize %x -> %q, %s zero(%z : memref<1x1xi8>) group = 8 : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @tensor_rows(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<1x1xf32>, %z: memref<4x1xi8>) {
  // expected-error @+1 {{'lab.dequantize' op rows of zero points is 4, expected 1 (group = tensor has one)}}
  lab.dequantize %q, %s -> %x zero(%z : memref<4x1xi8>) group = tensor : memref<4x8xi8>, memref<1x1xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @packed(%x: memref<4x8xf32>, %q: memref<4x4xi8>, %s: memref<4x3xf32>, %z: memref<4x3xi8>) {
  // expected-error @+1 {{'lab.quantize' op bytes in a row of zero points is 3, expected 2 (3 of 4 bits, each row starting on a byte)}}
  lab.quantize %x -> %q, %s zero(%z : memref<4x3xi8>) group = 3 {code = i4} : memref<4x8xf32> -> memref<4x4xi8>, memref<4x3xf32>
  return
}

// -----

func.func @without_scale(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %z: memref<3x1xi8>, %c: memref<2x3xi32>) {
  // expected-error @+1 {{'lab.gemm' op a_scale, b_zero, group and compute need b_scale}}
  lab.gemm %a, %b b_zero(%z : memref<3x1xi8>) -> %c : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xi32>
  return
}

// -----

func.func @range(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>, %z: memref<4x1xi8>) {
  // expected-error @+1 {{'lab.quantize' op range goes with symmetric i8 and i4 codes only; remove range}}
  lab.quantize %x -> %q, %s zero(%z : memref<4x1xi8>) group = 8 {range = #lab.range<full>} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @range(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op range goes with symmetric i8 and i4 codes only; remove range}}
  lab.quantize %x -> %q, %s group = 8 {code = f8E5M2, range = #lab.range<full>} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @divisor(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<1x1xf16>, %d: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.encode' op divisor must be memref<1x1xf32>, got 'memref<4x1xf32>'}}
  lab.encode %x, %s divisor(%d : memref<4x1xf32>) -> %q : memref<4x8xf32>, memref<1x1xf16> -> memref<4x8xi8>
  return
}
