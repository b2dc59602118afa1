// Schedules that keep what cannot be kept.
//
// RUN: labgen-opt %s --split-input-file --verify-diagnostics --lab-tile

func.func @no_gemm(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  // expected-error @+1 {{schedule keeps a result; only a gemm has one that is summed up over tiles}}
  lab.copy %x -> %y {schedule = #lab.schedule<block [8, 8] threads 4, loop [0, 4] keep, thread [4, 4]>}
      : memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @no_thread(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule keeps a result over a level that is not followed by one thread level, the last}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 4] pad keep>}
      : memref<8x8xf32>, memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @ragged(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule keeps tiles of 3 in a dimension of 8; it must be a whole number of tiles}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 4] pad keep pack [0, 1] by [1, 4], thread [3, 4, 0]>}
      : memref<8x8xf32>, memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @threads(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule keeps 4 tiles in the memory of 8 threads; each thread keeps one}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 8 pad, loop [0, 0, 4] pad keep pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x8xf32>, memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @nibble(%a: memref<8x33xf32>, %b: memref<8x17xi8>, %s: memref<8x2xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule pads dimension 2, whose 33 codes end within a byte; dequantize them first}}
  lab.gemm %a, %b b_scale(%s : memref<8x2xf32>) -> %c group = 32 {code = i4, schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 32] pad keep pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x33xf32>, memref<8x17xi8> -> memref<8x8xf32>
  return
}

// -----

func.func @across_groups(%a: memref<8x48xf32>, %b: memref<8x48xi8>, %s: memref<8x2xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{tile 16 of dimension 2 is not a multiple of 24; nearest legal: 24}}
  lab.gemm %a, %b b_scale(%s : memref<8x2xf32>) -> %c group = 24 {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 16] pad keep pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x48xf32>, memref<8x48xi8> -> memref<8x8xf32>
  return
}

// -----

func.func @shared(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule lets 2 threads share a tile that is kept; legal: 1}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 4] pad keep pack [0, 1] by [1, 4], thread [4, 4, 0] threads 2>}
      : memref<8x8xf32>, memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

// Two parts of a group would share a byte.
func.func @part_of_a_byte(%a: memref<8x32xf32>, %b: memref<8x16xi8>, %s: memref<8x1xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{tile 1 of dimension 2 is not a multiple of 32; nearest legal: 32}}
  lab.gemm %a, %b b_scale(%s : memref<8x1xf32>) -> %c group = 32 {code = i4, schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 1] pad keep pack [0, 1] by [1, 1], thread [4, 4, 0]>}
      : memref<8x32xf32>, memref<8x16xi8> -> memref<8x8xf32>
  return
}
