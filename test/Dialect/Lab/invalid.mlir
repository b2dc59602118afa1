// Every message of the verifiers and parsers of the ops but gemm and copy
// (gemm-invalid.mlir), one fault a chunk.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

// Groups.

func.func @group_zero(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{group must be at least 1, got 0; nearest legal: 1 (or channel, tensor)}}
  lab.quantize %x -> %q, %s group = 0 : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @group_below_minus_one(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{group must be at least 1, got -2; nearest legal: 1 (or channel, tensor)}}
  lab.dequantize %q, %s -> %x group = -2 : memref<4x8xi8>, memref<4x1xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @group_word(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{expected a group: a number of elements, channel or tensor}}
  lab.quantize %x -> %q, %s group = row : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @group_too_long(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{integer value too large}}
  lab.quantize %x -> %q, %s group = 99999999999999999999 : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @group_generic(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op group must be at least 1, got -5; nearest legal: 1 (or channel, tensor)}}
  "lab.quantize"(%x, %q, %s) <{group = -5 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (memref<4x8xf32>, memref<4x8xi8>, memref<4x1xf32>) -> ()
  return
}

// -----

func.func @group_generic(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.dequantize' op group must be at least 1, got -5; nearest legal: 1 (or channel, tensor)}}
  "lab.dequantize"(%q, %s, %x) <{group = -5 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (memref<4x8xi8>, memref<4x1xf32>, memref<4x8xf32>) -> ()
  return
}

// -----

func.func @group_generic(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op group must be at least 1, got -5; nearest legal: 1 (or channel, tensor)}}
  "lab.gemm"(%a, %b, %s, %c) <{group = -5 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 1>}>
      : (memref<2x8xf32>, memref<3x8xi8>, memref<3x1xf32>, memref<2x3xf32>) -> ()
  return
}

// -----

// Operand ranks and unknown enum values: what ODS says.

func.func @rank(%x: memref<8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op operand #0 must be 2D memref of f32, bf16 or f16 values, but got 'memref<8xf32>'}}
  lab.quantize %x -> %q, %s group = 8 : memref<8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @rounding(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+3 {{expected ::labgen::lab::Rounding to be one of: even, away, zero}}
  // expected-error @+2 {{failed to parse Lab_RoundingAttr parameter}}
  lab.quantize %x -> %q, %s group = 8
      {round = #lab.rounding<up>} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @kind(%x: memref<8xf32>, %r: memref<f32>) {
  // expected-error @+1 {{custom op 'lab.reduce' expected one of [sum, dot, max, absmax, sumsq, finite_absmax, min] for what a reduction computes, got: product}}
  lab.reduce product blocked %x -> %r block = 8 : memref<8xf32> -> memref<f32>
  return
}

// -----

// quantize.

func.func @not_a_float(%x: memref<4x8xi32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op operand #0 must be 2D memref of f32, bf16 or f16 values, but got 'memref<4x8xi32>'}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xi32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @code_type(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op codes must be i8, i4, ui8, ui4 or an f8, f6 or f4 format, got 'i6'; nearest legal: i8}}
  lab.quantize %x -> %q, %s group = 8 {code = i6} : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @code_from_memory(%x: memref<4x8xf32>, %q: memref<4x8xi16>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op operand #1 must be 2D memref of i8 (bytes of packed codes, whose type `code` names) values, but got 'memref<4x8xi16>'}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<4x8xi16>, memref<4x1xf32>
  return
}

// -----

func.func @unsigned_codes(%x: memref<4x8xf32>, %q: memref<4x8xui8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op operand #1 must be 2D memref of i8 (bytes of packed codes, whose type `code` names) values, but got 'memref<4x8xui8>'}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<4x8xui8>, memref<4x1xf32>
  return
}

// -----

func.func @storage(%x: memref<4x8xf32>, %q: memref<4x8xi4>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op operand #1 must be 2D memref of i8 (bytes of packed codes, whose type `code` names) values, but got 'memref<4x8xi4>'}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<4x8xi4>, memref<4x1xf32>
  return
}

// -----

func.func @rows_of_codes(%x: memref<4x8xf32>, %q: memref<3x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op rows of codes is 3, expected 4 (one row per row of the matrix)}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<3x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @bytes_of_codes(%x: memref<4x7xf32>, %q: memref<4x3xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op bytes in a row of codes is 3, expected 4 (7 codes of 4 bits, each row starting on a byte)}}
  lab.quantize %x -> %q, %s group = 8 {code = i4} : memref<4x7xf32> -> memref<4x3xi8>, memref<4x1xf32>
  return
}

// -----

func.func @scale_type(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf64>) {
  // expected-error @+1 {{'lab.quantize' op operand #2 must be 2D memref of f32, bf16, f16 or i8 (the bits of f8 scales) values, but got 'memref<4x1xf64>'}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf64>
  return
}

// -----

func.func @scale_rows(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op rows of scales is 1, expected 4 (one row of scales per row)}}
  lab.quantize %x -> %q, %s group = 8 : memref<4x8xf32> -> memref<4x8xi8>, memref<1x1xf32>
  return
}

// -----

func.func @scale_rows_tensor(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op rows of scales is 4, expected 1 (group = tensor has one scale)}}
  lab.quantize %x -> %q, %s group = tensor : memref<4x8xf32> -> memref<4x8xi8>, memref<4x1xf32>
  return
}

// -----

func.func @scale_columns(%x: memref<4x9xf32>, %q: memref<4x9xi8>, %s: memref<4x2xf32>) {
  // expected-error @+1 {{'lab.quantize' op columns of scales is 2, expected 3 (ceil(9 / 4))}}
  lab.quantize %x -> %q, %s group = 4 : memref<4x9xf32> -> memref<4x9xi8>, memref<4x2xf32>
  return
}

// -----

func.func @scale_columns_channel(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<4x2xf32>) {
  // expected-error @+1 {{'lab.quantize' op columns of scales is 2, expected 1 (group = channel has one a row)}}
  lab.quantize %x -> %q, %s group = channel : memref<4x8xf32> -> memref<4x8xi8>, memref<4x2xf32>
  return
}

// -----

func.func @scale_columns_tensor(%x: memref<4x8xf32>, %q: memref<4x8xi8>, %s: memref<1x2xf32>) {
  // expected-error @+1 {{'lab.quantize' op columns of scales is 2, expected 1 (group = tensor has one scale)}}
  lab.quantize %x -> %q, %s group = tensor : memref<4x8xf32> -> memref<4x8xi8>, memref<1x2xf32>
  return
}

// -----

// encode and dequantize use the same checks; one fault of each of their own.

func.func @encode_x(%x: memref<4x8xi8>, %s: memref<1x1xf32>) {
  // expected-error @+1 {{'lab.encode' op operand #0 must be 2D memref of f32, bf16 or f16 values, but got 'memref<4x8xi8>'}}
  lab.encode %x, %s -> %x : memref<4x8xi8>, memref<1x1xf32> -> memref<4x8xi8>
  return
}

// -----

func.func @encode_codes(%x: memref<4x8xf32>, %s: memref<1x1xf32>, %q: memref<4x8xi8>) {
  // expected-error @+1 {{'lab.encode' op bytes in a row of codes is 8, expected 4 (8 codes of 4 bits, each row starting on a byte)}}
  lab.encode %x, %s -> %q {code = i4} : memref<4x8xf32>, memref<1x1xf32> -> memref<4x8xi8>
  return
}

// -----

func.func @encode_scale(%x: memref<4x8xf32>, %s: memref<4x1xf32>, %q: memref<4x8xi8>) {
  // expected-error @+1 {{'lab.encode' op rows of scales is 4, expected 1 (group = tensor has one scale)}}
  lab.encode %x, %s -> %q : memref<4x8xf32>, memref<4x1xf32> -> memref<4x8xi8>
  return
}

// -----

func.func @dequantize_y(%q: memref<4x8xi8>, %s: memref<4x1xf32>, %y: memref<4x8xi8>) {
  // expected-error @+1 {{'lab.dequantize' op operand #2 must be 2D memref of f32, bf16 or f16 values, but got 'memref<4x8xi8>'}}
  lab.dequantize %q, %s -> %y group = 8 : memref<4x8xi8>, memref<4x1xf32> -> memref<4x8xi8>
  return
}

// -----

func.func @dequantize_codes(%q: memref<5x8xi8>, %s: memref<4x1xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'lab.dequantize' op rows of codes is 5, expected 4 (one row per row of the matrix)}}
  lab.dequantize %q, %s -> %y group = 8 : memref<5x8xi8>, memref<4x1xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @dequantize_scale(%q: memref<4x8xi8>, %s: memref<4x2xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'lab.dequantize' op columns of scales is 2, expected 1 (ceil(8 / 8))}}
  lab.dequantize %q, %s -> %y group = 8 : memref<4x8xi8>, memref<4x2xf32> -> memref<4x8xf32>
  return
}

// -----

// axpy.

func.func @axpy_type(%a: memref<i32>, %x: memref<5xi32>) {
  // expected-error @+1 {{'lab.axpy' op operand #0 must be 0D memref of f64, f32, bf16 or f16 values, but got 'memref<i32>'}}
  lab.axpy %a, %x, %x : memref<i32>, memref<5xi32>, memref<5xi32>
  return
}

// -----

func.func @axpy_mixed(%a: memref<f32>, %x: memref<5xf16>, %y: memref<5xf64>) {
  // expected-error @+1 {{'lab.axpy' op failed to verify that all of {alpha, x, y} have same element type}}
  lab.axpy %a, %x, %y : memref<f32>, memref<5xf16>, memref<5xf64>
  return
}

// -----

func.func @axpy_length(%a: memref<f32>, %x: memref<5xf32>, %y: memref<6xf32>) {
  // expected-error @+1 {{'lab.axpy' op length of y is 6, expected 5 (as long as x)}}
  lab.axpy %a, %x, %y : memref<f32>, memref<5xf32>, memref<6xf32>
  return
}

// -----

// reduce.

func.func @reduce_type(%x: memref<8xi8>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op operand #0 must be 1D memref of f64, f32, bf16 or f16 values, but got 'memref<8xi8>'}}
  lab.reduce sum blocked %x -> %r block = 8 : memref<8xi8> -> memref<f32>
  return
}

// -----

func.func @dot_of_one(%x: memref<8xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op dot needs a second vector y}}
  lab.reduce dot blocked %x -> %r block = 8 : memref<8xf32> -> memref<f32>
  return
}

// -----

func.func @sum_of_two(%x: memref<8xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op sum takes one vector; only dot takes y}}
  lab.reduce sum blocked %x, %x -> %r block = 8 : memref<8xf32>, memref<8xf32> -> memref<f32>
  return
}

// -----

func.func @dot_types(%x: memref<8xf32>, %y: memref<8xf16>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op x and y must have one element type, got 'f32' and 'f16'}}
  lab.reduce dot blocked %x, %y -> %r block = 8 : memref<8xf32>, memref<8xf16> -> memref<f32>
  return
}

// -----

func.func @dot_lengths(%x: memref<8xf32>, %y: memref<9xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op length of y is 9, expected 8 (as long as x)}}
  lab.reduce dot blocked %x, %y -> %r block = 8 : memref<8xf32>, memref<9xf32> -> memref<f32>
  return
}

// -----

func.func @accumulator(%x: memref<8xbf16>, %r: memref<bf16>) {
  // expected-error @+1 {{'lab.reduce' op operand #1 must be 0D/1D memref of f64, f32 or f16 values, but got 'memref<bf16>'}}
  lab.reduce sum blocked %x -> %r block = 8 : memref<8xbf16> -> memref<bf16>
  return
}

// -----

func.func @accumulator_half(%x: memref<8xf16>, %r: memref<bf16>) {
  // expected-error @+1 {{'lab.reduce' op operand #1 must be 0D/1D memref of f64, f32 or f16 values, but got 'memref<bf16>'}}
  lab.reduce sum blocked %x -> %r block = 8 : memref<8xf16> -> memref<bf16>
  return
}

// -----

func.func @accumulator_f64(%x: memref<8xf64>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op r must have the accumulator's type 'f64', got 'f32'}}
  lab.reduce sum blocked %x -> %r block = 8 : memref<8xf64> -> memref<f32>
  return
}

// -----

func.func @block(%x: memref<8xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op block must be at least 1, got 0; nearest legal: 1}}
  lab.reduce sum blocked %x -> %r block = 0 : memref<8xf32> -> memref<f32>
  return
}

// -----

func.func @span_of_whole(%x: memref<8xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op span needs a rank-1 r, one element per span}}
  lab.reduce sum blocked %x -> %r block = 8 span = 8 : memref<8xf32> -> memref<f32>
  return
}

// -----

func.func @span(%x: memref<100xf32>, %r: memref<4xf32>) {
  // expected-error @+1 {{'lab.reduce' op span must be a positive multiple of block 8, got 30; nearest legal: 24}}
  lab.reduce sum blocked %x -> %r block = 8 span = 30 : memref<100xf32> -> memref<4xf32>
  return
}

// -----

func.func @span_negative(%x: memref<100xf32>, %r: memref<4xf32>) {
  // expected-error @+1 {{'lab.reduce' op span must be a positive multiple of block 8, got -8; nearest legal: 8}}
  lab.reduce sum blocked %x -> %r block = 8 span = -8 : memref<100xf32> -> memref<4xf32>
  return
}

// -----

func.func @partial_length(%x: memref<100xf32>, %r: memref<4xf32>) {
  // expected-error @+1 {{'lab.reduce' op length of r is 4, expected 5 (ceil(100 / 24))}}
  lab.reduce sum blocked %x -> %r block = 8 span = 24 : memref<100xf32> -> memref<4xf32>
  return
}

// -----

// As many results as elements would be left.
func.func @reduce_block_one(%x: memref<8xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op block=1 is too small for order=blocked; use block=2 or more}}
  lab.reduce sum blocked %x -> %r block = 1 : memref<8xf32> -> memref<f32>
  return
}
