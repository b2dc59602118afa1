// Every verifier message of lab.gemm and lab.copy, one fault a chunk.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

func.func @gemm_m(%a: memref<2x8xf32>, %b: memref<3x8xf32>, %c: memref<4x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op rows of a is 2, expected 4 (m, the rows of c)}}
  lab.gemm %a, %b -> %c : memref<2x8xf32>, memref<3x8xf32> -> memref<4x3xf32>
  return
}

// -----

func.func @gemm_n(%a: memref<2x8xf32>, %b: memref<3x8xf32>, %c: memref<2x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op rows of b is 3, expected 4 (n, the columns of c)}}
  lab.gemm %a, %b -> %c : memref<2x8xf32>, memref<3x8xf32> -> memref<2x4xf32>
  return
}

// -----

func.func @gemm_k(%a: memref<2x8xf32>, %b: memref<3x9xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op columns of b is 9, expected 8 (k, the columns of a)}}
  lab.gemm %a, %b -> %c : memref<2x8xf32>, memref<3x9xf32> -> memref<2x3xf32>
  return
}

// -----

func.func @gemm_mixed(%a: memref<2x8xbf16>, %b: memref<3x8xf16>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a and b must have one element type (one of them may be widened to f32) or both be integers or both f8, f6 or f4 codes, got 'bf16' and 'f16'}}
  lab.gemm %a, %b -> %c : memref<2x8xbf16>, memref<3x8xf16> -> memref<2x3xf32>
  return
}

// -----

func.func @gemm_type(%a: memref<2x8xi16>, %b: memref<3x8xi16>, %c: memref<2x3xi32>) {
  // expected-error @+1 {{'lab.gemm' op operand #0 must be 2D memref of f64, f32, bf16, f16 or i8 (bytes of packed codes) values, but got 'memref<2x8xi16>'}}
  lab.gemm %a, %b -> %c : memref<2x8xi16>, memref<3x8xi16> -> memref<2x3xi32>
  return
}

// -----

func.func @gemm_unsigned(%a: memref<2x8xui8>, %b: memref<3x8xui8>, %c: memref<2x3xi32>) {
  // expected-error @+1 {{'lab.gemm' op operand #0 must be 2D memref of f64, f32, bf16, f16 or i8 (bytes of packed codes) values, but got 'memref<2x8xui8>'}}
  lab.gemm %a, %b -> %c : memref<2x8xui8>, memref<3x8xui8> -> memref<2x3xi32>
  return
}

// -----

func.func @gemm_out(%a: memref<2x8xf16>, %b: memref<3x8xf16>, %c: memref<2x3xf64>) {
  // expected-error @+1 {{'lab.gemm' op c must be 'f32' for 'f16' inputs, got 'f64'}}
  lab.gemm %a, %b -> %c : memref<2x8xf16>, memref<3x8xf16> -> memref<2x3xf64>
  return
}

// -----

func.func @gemm_out_integer(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op c must be 'i32' for 'i8' inputs, got 'f32'}}
  lab.gemm %a, %b -> %c : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @gemm_out_f64(%a: memref<2x8xf64>, %b: memref<3x8xf64>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op c must be 'f64' for 'f64' inputs, got 'f32'}}
  lab.gemm %a, %b -> %c : memref<2x8xf64>, memref<3x8xf64> -> memref<2x3xf32>
  return
}

// -----

func.func @gemm_group(%a: memref<2x8xf32>, %b: memref<3x8xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a_scale, b_zero, group and compute need b_scale}}
  lab.gemm %a, %b -> %c group = 4 : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  return
}

// -----

func.func @gemm_compute(%a: memref<2x8xf32>, %b: memref<3x8xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a_scale, b_zero, group and compute need b_scale}}
  lab.gemm %a, %b -> %c {compute = i8} : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  return
}

// -----

func.func @gemm_a_scale(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %s: memref<2x1xf32>, %c: memref<2x3xi32>) {
  // expected-error @+1 {{'lab.gemm' op a_scale, b_zero, group and compute need b_scale}}
  lab.gemm %a, %b a_scale(%s : memref<2x1xf32>) -> %c : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xi32>
  return
}

// -----

func.func @scaled_no_group(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op b_scale needs a group}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @scaled_codes(%a: memref<2x8xf32>, %b: memref<3x7xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op bytes in a row of codes is 7, expected 8 (8 codes of 8 bits, each row starting on a byte)}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 : memref<2x8xf32>, memref<3x7xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @scaled_scale(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %s: memref<2x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op rows of scales is 2, expected 3 (one row of scales per row)}}
  lab.gemm %a, %b b_scale(%s : memref<2x1xf32>) -> %c group = 8 : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @scaled_compute(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op compute must be f32 or i8, got 'f16'}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 {compute = f16}
      : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @scaled_out(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf64>) {
  // expected-error @+1 {{'lab.gemm' op c must be f32, bf16 or f16 with scaled weights, got 'f64'}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf64>
  return
}

// -----

func.func @scaled_a(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a must be f64, f32, bf16 or f16, got 'i8'; nearest legal: f32}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @a_codes(%a: memref<2x8xf32>, %b: memref<3x8xi8>, %sa: memref<2x1xf32>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a must be i8 codes where it has a_scale, got 'f32'}}
  lab.gemm %a, %b a_scale(%sa : memref<2x1xf32>) b_scale(%s : memref<3x1xf32>) -> %c group = 8
      : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @a_scales(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %sa: memref<2x2xf32>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op columns of scales is 2, expected 1 (ceil(8 / 8))}}
  lab.gemm %a, %b a_scale(%sa : memref<2x2xf32>) b_scale(%s : memref<3x1xf32>) -> %c group = 8
      : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @copy_rows(%x: memref<4x8xf32>, %y: memref<5x8xf32>) {
  // expected-error @+1 {{'lab.copy' op rows of dst is 5, expected 4 (as many as src)}}
  lab.copy %x -> %y : memref<4x8xf32> -> memref<5x8xf32>
  return
}

// -----

func.func @copy_columns(%x: memref<4x8xf32>, %y: memref<4x9xf32>) {
  // expected-error @+1 {{'lab.copy' op columns of dst is 9, expected 8 (as many as src)}}
  lab.copy %x -> %y : memref<4x8xf32> -> memref<4x9xf32>
  return
}

// -----

func.func @copy_narrows(%x: memref<4x8xf32>, %y: memref<4x8xf16>) {
  // expected-error @+1 {{'lab.copy' op dst must be 'f32' or a wider float, got 'f16'}}
  lab.copy %x -> %y : memref<4x8xf32> -> memref<4x8xf16>
  return
}

// -----

func.func @codes_of_both_kinds(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a and b must have one element type (one of them may be widened to f32) or both be integers or both f8, f6 or f4 codes, got 'f8E4M3FN' and 'i8'}}
  lab.gemm %a, %b -> %c {a_code = f8E4M3FN} : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @packed_codes(%a: memref<2x7xi8>, %b: memref<3x7xi8>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op bytes in a row of codes is 7, expected 4 (7 codes of 4 bits, each row starting on a byte)}}
  lab.gemm %a, %b -> %c {a_code = f8E4M3FN, code = f4E2M1FN} : memref<2x7xi8>, memref<3x7xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @a_code_and_scale(%a: memref<2x8xi8>, %b: memref<3x8xi8>, %s: memref<3x1xf32>, %c: memref<2x3xf32>) {
  // expected-error @+1 {{'lab.gemm' op a_code goes without b_scale; a of 'f8E4M3FN' codes has a_scale, or none}}
  lab.gemm %a, %b b_scale(%s : memref<3x1xf32>) -> %c group = 8 {a_code = f8E4M3FN} : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// -----

func.func @copy_integers(%src: memref<2x8xi8>, %dst: memref<2x8xf32>) {
  // expected-error @+1 {{'lab.copy' op code must be an f8, f6 or f4 format, got 'i8'}}
  lab.copy %src -> %dst {code = i8} : memref<2x8xi8> -> memref<2x8xf32>
  return
}

// -----

func.func @copy_narrow(%src: memref<2x8xi8>, %dst: memref<2x8xf16>) {
  // expected-error @+1 {{'lab.copy' op dst of codes must be f32, got 'f16'}}
  lab.copy %src -> %dst {code = f8E5M2} : memref<2x8xi8> -> memref<2x8xf16>
  return
}
