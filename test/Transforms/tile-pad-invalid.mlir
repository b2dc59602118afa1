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

func.func @scales(%a: memref<8x32xf32>, %b: memref<8x32xi8>, %s: memref<8x1xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{schedule pads operand 1, which has scales; dequantize it first}}
  lab.gemm %a, %b b_scale(%s : memref<8x1xf32>) -> %c group = 32 {schedule = #lab.schedule<block [8, 8, 0] threads 4 pad, loop [0, 0, 32] pad keep pack [0, 1] by [1, 4], thread [4, 4, 0]>}
      : memref<8x32xf32>, memref<8x32xi8> -> memref<8x8xf32>
  return
}
