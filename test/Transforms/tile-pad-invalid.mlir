// Schedules that accumulate what cannot stay in registers.
//
// RUN: labgen-opt %s --split-input-file --verify-diagnostics --lab-tile

func.func @no_gemm(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  // expected-error @+1 {{schedule level 1 (block [8, 8, 0]) has 3 tile sizes, the op has 2 dimensions; give one size per dimension, 0 leaves it whole}}
  lab.copy %x -> %y {schedule = #lab.schedule<block [8, 8, 0] threads 4, loop [0, 0, 4] accumulate, thread [4, 4, 0]>}
      : memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @ragged(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule level 2 (loop [0, 0, 4]) accumulates tiles of 3 in dimension 0, which has 8; make it a whole number of them, by another tile or by `pad` at the level before}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 4] pad accumulate pack [0, 1] by [1, 4], thread [3, 4, 0]>}
      : memref<8x8xf32>, memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @threads(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule level 2 (loop [0, 0, 4]) accumulates 4 tiles in the memory of 8 threads; give level 1 `threads 4`, or the thread level other tiles}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 8 pad, loop [0, 0, 4] pad accumulate pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x8xf32>, memref<8x8xf32> -> memref<8x8xf32>
  return
}

// -----

func.func @nibble(%a: memref<8x33xf32>, %b: memref<8x17xi8>, %s: memref<8x2xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule level 2 (loop [0, 0, 32]) pads dimension 2, whose 33 codes end within a byte; leave `pad` out}}
  lab.gemm %a, %b b_scale(%s : memref<8x2xf32>) -> %c group = 32 {code = i4, schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 32] pad accumulate pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x33xf32>, memref<8x17xi8> -> memref<8x8xf32>
  return
}

// -----

func.func @across_groups(%a: memref<8x48xf32>, %b: memref<8x48xi8>, %s: memref<8x2xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule level 2 (loop [0, 0, 16]) has tile 16 of dimension 2, which is not a multiple of 24; nearest legal: 24}}
  lab.gemm %a, %b b_scale(%s : memref<8x2xf32>) -> %c group = 24 {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 16] pad accumulate pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x48xf32>, memref<8x48xi8> -> memref<8x8xf32>
  return
}

// -----

// Two parts of a group would share a byte.
func.func @part_of_a_byte(%a: memref<8x32xf32>, %b: memref<8x16xi8>, %s: memref<8x1xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule level 2 (loop [0, 0, 1]) has tile 1 of dimension 2, which is not a multiple of 32; nearest legal: 32}}
  lab.gemm %a, %b b_scale(%s : memref<8x1xf32>) -> %c group = 32 {code = i4, schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 1] pad accumulate pack [0, 1] by [1, 1], thread [4, 4, 0]>}
      : memref<8x32xf32>, memref<8x16xi8> -> memref<8x8xf32>
  return
}

// -----

func.func @not_copied(%a: memref<7x8xf32>, %b: memref<8x8xf32>, %c: memref<7x8xf32>) {
  // expected-error @+1 {{schedule level 1 (block [8, 8, 0]) pads dimension 0, and no level copies operand 0; pack or stage it, or leave `pad` out}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 4] pad accumulate pack [1] by [1, 4], thread [4, 4, 0]>}
      : memref<7x8xf32>, memref<8x8xf32> -> memref<7x8xf32>
  return
}

// -----

func.func @codes_of_floats(%a: memref<7x8xi8>, %b: memref<8x8xi8>, %c: memref<7x8xf32>) {
  // expected-error @+1 {{schedule level 1 (block [8, 8, 0]) pads tiles of operand 0, whose codes are copied as whole tiles only; leave `pad` out}}
  lab.gemm %a, %b -> %c {a_code = f8E4M3FN, code = f8E4M3FN, schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 4] pad accumulate pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<7x8xi8>, memref<8x8xi8> -> memref<7x8xf32>
  return
}
