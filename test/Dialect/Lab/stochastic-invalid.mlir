// Seeds, positions and counts that do not go with what is asked for.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

func.func @no_seed(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op round = stochastic needs a seed; nearest legal: seed = 0 : ui64, or round = even}}
  lab.cast %x -> %y {round = #lab.rounding<stochastic>} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @seed_alone(%x: memref<8xf32>, %y: memref<8xi8>) {
  // expected-error @+1 {{'lab.cast' op seed goes with round = stochastic, got even; drop it}}
  lab.cast %x -> %y {seed = 1 : ui64} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @position_alone(%x: memref<8xf32>, %y: memref<8xi8>, %i: index) {
  // expected-error @+1 {{'lab.cast' op at goes with round = stochastic, got even; drop it}}
  lab.cast %x -> %y at [%i] : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @position_of_a_matrix(%x: memref<8xf32>, %y: memref<8xi8>, %i: index) {
  // expected-error @+1 {{'lab.cast' op at has 2 indices, expected 1 (the flat index of the first element)}}
  lab.cast %x -> %y at [%i, %i] {round = #lab.rounding<stochastic>, seed = 1 : ui64} : memref<8xf32> -> memref<8xi8>
  return
}

// -----

func.func @quantize_no_seed(%x: memref<2x8xf32>, %q: memref<2x8xi8>, %s: memref<2x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op round = stochastic needs a seed; nearest legal: seed = 0 : ui64, or round = even}}
  lab.quantize %x -> %q, %s group = 8 {round = #lab.rounding<stochastic>} : memref<2x8xf32> -> memref<2x8xi8>, memref<2x1xf32>
  return
}

// -----

func.func @encode_position(%x: memref<2x8xf32>, %s: memref<1x1xf32>, %q: memref<2x8xi8>, %i: index) {
  // expected-error @+1 {{'lab.encode' op at has 1 indices, expected 2 (the flat index of the first element, and how far apart rows are)}}
  lab.encode %x, %s -> %q at [%i] {round = #lab.rounding<stochastic>, seed = 1 : ui64} : memref<2x8xf32>, memref<1x1xf32> -> memref<2x8xi8>
  return
}

// -----

func.func @count_unpacked(%x: memref<8xf32>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.cast' op count goes with an x and a y that are both packed, got 'f32' and 'f4E2M1FN'; drop it}}
  lab.cast %x -> %y {out = f4E2M1FN, count = 7 : i64} : memref<8xf32> -> memref<4xi8>
  return
}

// -----

func.func @count_negative(%x: memref<4xi8>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.exp' op count must be at least 0, got -1}}
  lab.exp %x -> %y {in = f4E2M1FN, out = f4E2M1FN, count = -1 : i64} : memref<4xi8> -> memref<4xi8>
  return
}

// -----

func.func @count_too_small(%x: memref<4xi8>, %y: memref<4xi8>) {
  // expected-error @+1 {{'lab.exp' op length of x is 4, expected 3 (5 elements of 4 bits)}}
  lab.exp %x -> %y {in = f4E2M1FN, out = f4E2M1FN, count = 5 : i64} : memref<4xi8> -> memref<4xi8>
  return
}
