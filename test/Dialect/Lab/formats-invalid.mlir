// Number formats and how they lie in memory: what the verifiers of lab.cast and
// lab.exp refuse, and what all ops with scales do, one fault a chunk.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

func.func @integer_codes(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xi8>) {
  // expected-error @+1 {{'lab.quantize' op scale=f8E8M0FNU does not go with i8 codes; use f32, f16 or bf16}}
  lab.quantize %x -> %q, %s group = 32 {scale_type = f8E8M0FNU} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x1xi8>
  return
}

// -----

func.func @scale_storage(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op scales of 'f8E8M0FNU' must be stored as 'i8', got 'f32'}}
  lab.quantize %x -> %q, %s group = 32 {code = f8E4M3FN, scale_type = f8E8M0FNU} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x1xf32>
  return
}

// -----

func.func @scale_stored_as_such(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xf16>) {
  // expected-error @+1 {{'lab.dequantize' op scales of 'f32' must be stored as 'f32', got 'f16'}}
  lab.dequantize %q, %s -> %x group = 32 {scale_type = f32} : memref<4x32xi8>, memref<4x1xf16> -> memref<4x32xf32>
  return
}

// -----

func.func @scale_format(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<1x1xi8>) {
  // expected-error @+1 {{'lab.encode' op scale=i8 is not a type of quantize's scale; use f32, f16, bf16, f8E8M0FNU or f8E4M3FN}}
  lab.encode %x, %s -> %q : memref<4x32xf32>, memref<1x1xi8> -> memref<4x32xi8>
  return
}

// -----

func.func @no_format(%x: memref<4xi16>, %y: memref<4xf32>) {
  // expected-error @+1 {{'lab.cast' op operand #0 must be 1D memref of f64, f32, bf16, f16, i32 or i8 (bytes of packed codes) values, but got 'memref<4xi16>'}}
  lab.cast %x -> %y : memref<4xi16> -> memref<4xf32>
  return
}

// -----

func.func @accumulators(%x: memref<4xf32>, %y: memref<4xi64>) {
  // expected-error @+1 {{'lab.cast' op operand #1 must be 1D memref of f64, f32, bf16, f16, i32 or i8 (bytes of packed codes) values, but got 'memref<4xi64>'}}
  lab.cast %x -> %y : memref<4xf32> -> memref<4xi64>
  return
}

// -----

func.func @storage(%x: memref<4xf32>, %y: memref<4xf16>) {
  // expected-error @+1 {{'lab.cast' op y of format 'bf16' must be stored as 'bf16', got 'f16'}}
  lab.cast %x -> %y {out = bf16} : memref<4xf32> -> memref<4xf16>
  return
}

// -----

func.func @packed_storage(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'lab.cast' op y of format 'f4E2M1FN' must be stored as 'i8', got 'f32'}}
  lab.cast %x -> %y {out = f4E2M1FN} : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @both_packed(%x: memref<?xi8>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op needs static sizes where x and y are both packed}}
  lab.cast %x -> %y {in = f4E2M1FN, out = i4} : memref<?xi8> -> memref<4xi8>
  return
}

// -----

func.func @length(%x: memref<9xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op length of y is 4, expected 5 (9 elements of 4 bits)}}
  lab.cast %x -> %y {out = i4} : memref<9xf32> -> memref<4xi8>
  return
}

// -----

func.func @length_of_x(%x: memref<4xi8>, %y: memref<9xf32>) {
  // expected-error @+1 {{'lab.cast' op length of x is 4, expected 5 (9 elements of 4 bits)}}
  lab.cast %x -> %y {in = i4} : memref<4xi8> -> memref<9xf32>
  return
}

// -----

func.func @overflow(%x: memref<8xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op overflow=ieee does not go with out=f4E2M1FN, which has neither Inf nor NaN; use overflow=saturate}}
  lab.cast %x -> %y {out = f4E2M1FN, overflow = #lab.overflow<ieee>} : memref<8xf32> -> memref<4xi8>
  return
}

// -----

func.func @nan(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op nan=propagate does not go with out=i8, which has no NaN; use nan=max or nan=error}}
  lab.cast %x -> %y {nan = #lab.nan<propagate>} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @exp_f64(%x: memref<8xf64>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.exp' op operand #0 must be 1D memref of f32, bf16, f16 or i8 (bytes of packed codes) values, but got 'memref<8xf64>'}}
  lab.exp %x -> %y : memref<8xf64> -> memref<8xf32>
  return
}

// -----

func.func @exp_out_f64(%x: memref<8xf32>, %y: memref<8xf64>) {
  // expected-error @+1 {{'lab.exp' op operand #1 must be 1D memref of f32, bf16, f16 or i8 (bytes of packed codes) values, but got 'memref<8xf64>'}}
  lab.exp %x -> %y : memref<8xf32> -> memref<8xf64>
  return
}

// -----

func.func @exp_length(%x: memref<8xf32>, %y: memref<9xf32>) {
  // expected-error @+1 {{'lab.exp' op length of y is 9, expected 8 (8 elements of 32 bits)}}
  lab.exp %x -> %y : memref<8xf32> -> memref<9xf32>
  return
}

// -----

func.func @relative_alone(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xi8>) {
  // expected-error @+1 {{'lab.quantize' op scales of f8E4M3FN and a global scale go together, got scales of 'f8E4M3FN' without global}}
  lab.quantize %x -> %q, %s group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  return
}

// -----

func.func @global_alone(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x2xf32>, %g: memref<1xf32>) {
  // expected-error @+1 {{'lab.dequantize' op scales of f8E4M3FN and a global scale go together, got scales of 'f32' with global}}
  lab.dequantize %q, %s -> %x global(%g : memref<1xf32>) group = 16 : memref<4x32xi8>, memref<4x2xf32> -> memref<4x32xf32>
  return
}

// -----

func.func @relative_codes(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x2xi8>, %g: memref<1xf32>) {
  // expected-error @+1 {{'lab.quantize' op scale=f8E4M3FN does not go with f8E5M2 codes; use f32, f16, bf16 or f8E8M0FNU}}
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = 16 {code = f8E5M2, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x2xi8>
  return
}

// -----

func.func @relative_storage(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xf32>, %g: memref<1xf32>) {
  // expected-error @+1 {{'lab.quantize' op scales of 'f8E4M3FN' must be stored as 'i8', got 'f32'}}
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xf32>
  return
}

// -----

func.func @global_type(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xi8>, %g: memref<1xf16>) {
  // expected-error @+1 {{'lab.quantize' op operand #3 must be 1D memref of f32 values, but got 'memref<1xf16>'}}
  lab.quantize %x -> %q, %s global(%g : memref<1xf16>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  return
}

// -----

func.func @global_length(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xi8>, %g: memref<2xf32>) {
  // expected-error @+1 {{'lab.quantize' op global must be memref<1xf32>, got 'memref<2xf32>'}}
  lab.quantize %x -> %q, %s global(%g : memref<2xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  return
}

// -----

// A whole lab ends in the rules of the spec.
func.func @e8m0_group(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x2xi8>) {
  // expected-error @+1 {{'lab.quantize' op scale=f8E8M0FNU needs group=32; use group=32 or scale=f32}}
  lab.quantize %x -> %q, %s group = 16 {code = f8E4M3FN, scale_type = f8E8M0FNU} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x2xi8>
  return
}

// -----

func.func @e8m0_unrounded(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xi8>) {
  // expected-error @+1 {{'lab.quantize' op divisor=unrounded does not go with scale=f8E8M0FNU, whose rule makes the scale; use divisor=stored}}
  lab.quantize %x -> %q, %s group = 32 {code = f8E4M3FN, divisor = #lab.divisor<unrounded>, scale_type = f8E8M0FNU} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x1xi8>
  return
}

// -----

func.func @quantize_f64(%x: memref<4x32xf64>, %q: memref<4x32xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op operand #0 must be 2D memref of f32, bf16 or f16 values, but got 'memref<4x32xf64>'}}
  lab.quantize %x -> %q, %s group = 32 : memref<4x32xf64> -> memref<4x32xi8>, memref<4x1xf32>
  return
}

// -----

func.func @dequantize_e8m0_group(%q: memref<4x32xi8>, %s: memref<4x2xi8>, %y: memref<4x32xf32>) {
  // expected-error @+1 {{'lab.dequantize' op scale=f8E8M0FNU needs group=32; use group=32 or scale=f32}}
  lab.dequantize %q, %s -> %y group = 16 {code = f8E4M3FN, scale_type = f8E8M0FNU} : memref<4x32xi8>, memref<4x2xi8> -> memref<4x32xf32>
  return
}

// -----

func.func @dequantize_f64(%q: memref<4x32xi8>, %s: memref<4x1xf32>, %y: memref<4x32xf64>) {
  // expected-error @+1 {{'lab.dequantize' op operand #2 must be 2D memref of f32, bf16 or f16 values, but got 'memref<4x32xf64>'}}
  lab.dequantize %q, %s -> %y group = 32 : memref<4x32xi8>, memref<4x1xf32> -> memref<4x32xf64>
  return
}

// -----

// A rule holds whatever the sizes are.
func.func @dynamic(%x: memref<?x?xf32>, %q: memref<?x?xi8>, %s: memref<?x?xi8>) {
  // expected-error @+1 {{'lab.quantize' op scale=f8E8M0FNU needs group=32; use group=32 or scale=f32}}
  lab.quantize %x -> %q, %s group = 16 {code = f8E4M3FN, scale_type = f8E8M0FNU} : memref<?x?xf32> -> memref<?x?xi8>, memref<?x?xi8>
  return
}

// -----

// An encoder keeps to the rules of the quantizer it was part of.
func.func @encode_range(%x: memref<4x32xf32>, %s: memref<1x1xf32>, %q: memref<4x32xi8>) {
  // expected-error @+1 {{'lab.encode' op range goes with symmetric i8 and i4 codes only; remove range}}
  lab.encode %x, %s -> %q {code = f8E4M3FN, range = #lab.range<full>} : memref<4x32xf32>, memref<1x1xf32> -> memref<4x32xi8>
  return
}
