// Casts and exps that cannot be, each refused with the nearest legal choice.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

// Rules that the target has no codes for.

func.func @ieee_f4(%x: memref<8xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op overflow=ieee does not go with out=f4E2M1FN, which has neither Inf nor NaN; use overflow=saturate}}
  lab.cast %x -> %y {out = f4E2M1FN, overflow = #lab.overflow<ieee>} : memref<8xf32> -> memref<4xi8>
  return
}

// -----

func.func @ieee_f6(%x: memref<8xf32>, %y: memref<6xi8>) {
  // expected-error @+1 {{'lab.cast' op overflow=ieee does not go with out=f6E3M2FN, which has neither Inf nor NaN; use overflow=saturate}}
  lab.cast %x -> %y {out = f6E3M2FN, overflow = #lab.overflow<ieee>} : memref<8xf32> -> memref<6xi8>
  return
}

// -----

func.func @ieee_integer(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op overflow=ieee does not go with out=i8, which has neither Inf nor NaN; use overflow=saturate}}
  lab.cast %x -> %y {overflow = #lab.overflow<ieee>} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @propagate_f4(%x: memref<8xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op nan=propagate does not go with out=f4E2M1FN, which has no NaN; use nan=max or nan=error}}
  lab.cast %x -> %y {out = f4E2M1FN, nan = #lab.nan<propagate>} : memref<8xf32> -> memref<4xi8>
  return
}

// -----

func.func @propagate_integer(%x: memref<8xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op nan=propagate does not go with out=i4, which has no NaN; use nan=max or nan=error}}
  lab.cast %x -> %y {out = i4, nan = #lab.nan<propagate>} : memref<8xf32> -> memref<4xi8>
  return
}

// -----

func.func @overflow_word(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+2 {{expected ::labgen::lab::Overflow to be one of: saturate, ieee}}
  // expected-error @+1 {{failed to parse Lab_OverflowAttr parameter}}
  lab.cast %x -> %y {out = f8E4M3FN, overflow = #lab.overflow<wrap>} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @nan_word(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+2 {{expected ::labgen::lab::NanRule to be one of: propagate, max}}
  // expected-error @+1 {{failed to parse Lab_NanRuleAttr parameter}}
  lab.cast %x -> %y {out = f8E4M3FN, nan = #lab.nan<zero>} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

// Formats.

func.func @index(%x: memref<8xindex>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.cast' op operand #0 must be 1D memref of f64, f32, bf16, f16, i32 or i8 (bytes of packed codes) values, but got 'memref<8xindex>'}}
  lab.cast %x -> %y : memref<8xindex> -> memref<8xf32>
  return
}

// -----

func.func @i64(%x: memref<8xf32>, %y: memref<8xi64>) {
  // expected-error @+1 {{'lab.cast' op operand #1 must be 1D memref of f64, f32, bf16, f16, i32 or i8 (bytes of packed codes) values, but got 'memref<8xi64>'}}
  lab.cast %x -> %y : memref<8xf32> -> memref<8xi64>
  return
}

// -----

func.func @unknown_float(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op y has no number format 'f8E3M4'; nearest legal: f32}}
  lab.cast %x -> %y {out = f8E3M4} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

// Storage.

func.func @f8_in_i16(%x: memref<8xf32>, %y: memref<8xi16>) {
  // expected-error @+1 {{'lab.cast' op operand #1 must be 1D memref of f64, f32, bf16, f16, i32 or i8 (bytes of packed codes) values, but got 'memref<8xi16>'}}
  lab.cast %x -> %y {out = f8E4M3FN} : memref<8xf32> -> memref<8xi16>
  return
}

// -----

func.func @tf32_in_f16(%x: memref<8xf16>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.cast' op x of format 'tf32' must be stored as 'f32', got 'f16'}}
  lab.cast %x -> %y {in = tf32} : memref<8xf16> -> memref<8xf32>
  return
}

// -----

func.func @f16_in_i8(%x: memref<8xi8>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.cast' op x of format 'f16' must be stored as 'f16', got 'i8'}}
  lab.cast %x -> %y {in = f16} : memref<8xi8> -> memref<8xf32>
  return
}

// -----

// Lengths.

func.func @longer(%x: memref<8xf32>, %y: memref<9xf16>) {
  // expected-error @+1 {{'lab.cast' op length of y is 9, expected 8}}
  lab.cast %x -> %y : memref<8xf32> -> memref<9xf16>
  return
}

// -----

func.func @packed_short(%x: memref<9xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op length of y is 4, expected 5}}
  lab.cast %x -> %y {out = f4E2M1FN} : memref<9xf32> -> memref<4xi8>
  return
}

// -----

func.func @packed_long(%x: memref<9xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op length of y is 8, expected 7}}
  lab.cast %x -> %y {out = f6E2M3FN} : memref<9xf32> -> memref<8xi8>
  return
}

// -----

func.func @packed_source(%x: memref<5xi8>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.cast' op length of x is 5, expected 4}}
  lab.cast %x -> %y {in = f4E2M1FN} : memref<5xi8> -> memref<8xf32>
  return
}

// -----

func.func @both_packed_dynamic(%x: memref<?xi8>, %y: memref<?xi8>) {
  // expected-error @+1 {{'lab.cast' op needs static sizes where x and y are both packed}}
  lab.cast %x -> %y {in = f4E2M1FN, out = f6E2M3FN} : memref<?xi8> -> memref<?xi8>
  return
}

// -----

func.func @rank(%x: memref<2x8xf32>, %y: memref<8xf16>) {
  // expected-error @+1 {{'lab.cast' op operand #0 must be 1D memref of f64, f32, bf16, f16, i32 or i8 (bytes of packed codes) values, but got 'memref<2x8xf32>'}}
  lab.cast %x -> %y : memref<2x8xf32> -> memref<8xf16>
  return
}

// -----

// Exp.

func.func @exp_f64(%x: memref<8xf64>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.exp' op operand #0 must be 1D memref of f32, bf16, f16 or i8 (bytes of packed codes) values, but got 'memref<8xf64>'}}
  lab.exp %x -> %y : memref<8xf64> -> memref<8xf32>
  return
}

// -----

func.func @exp_length(%x: memref<8xf32>, %y: memref<7xf32>) {
  // expected-error @+1 {{'lab.exp' op length of y is 7, expected 8}}
  lab.exp %x -> %y : memref<8xf32> -> memref<7xf32>
  return
}

// -----

func.func @exp_storage(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.exp' op y of format 'bf16' must be stored as 'bf16', got 'f32'}}
  lab.exp %x -> %y {out = bf16} : memref<8xf32> -> memref<8xf32>
  return
}
