// Number formats and how they lie in memory: what the verifiers of lab.cast and
// lab.exp refuse, and what all ops with scales do, one fault a chunk.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

func.func @integer_codes(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xi8>) {
  // expected-error @+1 {{'lab.quantize' op f8E8M0FNU scales go with f8, f6 and f4 codes, got 'i8'; nearest legal: scales of f32}}
  lab.quantize %x -> %q, %s group = 32 {scale_type = f8E8M0FNU} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x1xi8>
  return
}

// -----

func.func @scale_storage(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op f8E8M0FNU scales must be stored as i8 bytes, got 'f32'}}
  lab.quantize %x -> %q, %s group = 32 {code = f8E4M3FN, scale_type = f8E8M0FNU} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x1xf32>
  return
}

// -----

func.func @scale_stored_as_such(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<4x1xf16>) {
  // expected-error @+1 {{'lab.dequantize' op scales of 'f32' must be stored as such, got 'f16'}}
  lab.dequantize %q, %s -> %x group = 32 {scale_type = f32} : memref<4x32xi8>, memref<4x1xf16> -> memref<4x32xf32>
  return
}

// -----

func.func @scale_format(%x: memref<4x32xf32>, %q: memref<4x32xi8>, %s: memref<1x1xi8>) {
  // expected-error @+1 {{'lab.encode' op scale must be f32, f16, bf16, f8E8M0FNU or f8E4M3FN, got 'i8'; nearest legal: f32}}
  lab.encode %x, %s -> %q : memref<4x32xf32>, memref<1x1xi8> -> memref<4x32xi8>
  return
}

// -----

func.func @no_format(%x: memref<4xi16>, %y: memref<4xf32>) {
  // expected-error @+1 {{'lab.cast' op x has no number format 'i16'; nearest legal: f32}}
  lab.cast %x -> %y : memref<4xi16> -> memref<4xf32>
  return
}

// -----

func.func @accumulators(%x: memref<4xf32>, %y: memref<4xi64>) {
  // expected-error @+1 {{'lab.cast' op y has no number format 'i64'; nearest legal: f32}}
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
  // expected-error @+1 {{'lab.cast' op overflow = ieee needs a format with Inf or NaN, got 'f4E2M1FN'; nearest legal: saturate}}
  lab.cast %x -> %y {out = f4E2M1FN, overflow = #lab<overflow ieee>} : memref<8xf32> -> memref<4xi8>
  return
}

// -----

func.func @nan(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op nan = propagate needs a format with NaN, got 'i8'; nearest legal: max}}
  lab.cast %x -> %y {nan = #lab<nan propagate>} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @exp_f64(%x: memref<8xf64>, %y: memref<8xf32>) {
  // expected-error @+1 {{'lab.exp' op computes in f32, so f64 is no format of it; nearest legal: f32}}
  lab.exp %x -> %y : memref<8xf64> -> memref<8xf32>
  return
}

// -----

func.func @exp_out_f64(%x: memref<8xf32>, %y: memref<8xf64>) {
  // expected-error @+1 {{'lab.exp' op computes in f32, so f64 is no format of it; nearest legal: f32}}
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
  // expected-error @+1 {{'lab.quantize' op f8E4M3FN scales go with f4E2M1FN and f8E4M3FN codes, got 'f8E5M2'; nearest legal: scales of f32}}
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = 16 {code = f8E5M2, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x32xi8>, memref<4x2xi8>
  return
}

// -----

func.func @relative_storage(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xf32>, %g: memref<1xf32>) {
  // expected-error @+1 {{'lab.quantize' op f8E4M3FN scales must be stored as i8 bytes, got 'f32'}}
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xf32>
  return
}

// -----

func.func @global_type(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xi8>, %g: memref<1xf16>) {
  // expected-error @+1 {{'lab.quantize' op global must be memref<1xf32>, got 'memref<1xf16>'}}
  lab.quantize %x -> %q, %s global(%g : memref<1xf16>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  return
}

// -----

func.func @global_length(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xi8>, %g: memref<2xf32>) {
  // expected-error @+1 {{'lab.quantize' op global must be memref<1xf32>, got 'memref<2xf32>'}}
  lab.quantize %x -> %q, %s global(%g : memref<2xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  return
}
