// Schedules that do not fit their op.
// RUN: labgen-opt %s --split-input-file --lab-tile --verify-diagnostics

func.func @not_a_schedule(%alpha: memref<f32>, %x: memref<5xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule must be a #lab.schedule attribute}}
  lab.axpy %alpha, %x, %x {schedule = "fast"} : memref<f32>, memref<5xf32>, memref<5xf32>
  return
}

// -----

func.func @dimensions(%alpha: memref<f32>, %x: memref<5xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule level 1 (block [4, 4]) has 2 tile sizes, the op has 1 dimensions; give one size per dimension, 0 leaves it whole}}
  lab.axpy %alpha, %x, %x {schedule = #lab.schedule<block [4, 4]>} : memref<f32>, memref<5xf32>, memref<5xf32>
  return
}

// -----

func.func @cut_group(%x: memref<4x100xf32>, %q: memref<4x100xi8>, %s: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.quantize' op schedule level 1 (block [1, 48]) has tile 48 of dimension 1, which is not a multiple of 32; nearest legal: 32}}
  lab.quantize %x -> %q, %s group = 32 {schedule = #lab.schedule<block [1, 48]>}
      : memref<4x100xf32> -> memref<4x100xi8>, memref<4x4xf32>
  return
}

// -----

func.func @smaller_than_group(%x: memref<4x100xf32>, %q: memref<4x100xi8>, %s: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.quantize' op schedule level 1 (block [1, 8]) has tile 8 of dimension 1, which is not a multiple of 32; nearest legal: 32}}
  lab.quantize %x -> %q, %s group = 32 {schedule = #lab.schedule<block [1, 8]>}
      : memref<4x100xf32> -> memref<4x100xi8>, memref<4x4xf32>
  return
}

// -----

func.func @odd_codes(%q: memref<4x4xi8>, %s: memref<4x1xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'lab.dequantize' op schedule level 1 (loop [0, 3]) has tile 3 of dimension 1, which is not a multiple of 2; nearest legal: 2}}
  lab.dequantize %q, %s -> %y group = channel {code = i4, schedule = #lab.schedule<loop [0, 3]>}
      : memref<4x4xi8>, memref<4x1xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @channel(%x: memref<4x100xf32>, %q: memref<4x100xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op schedule level 1 (block [1, 64]) tiles dimension 1 by 64, and its group spans it; nearest legal: 0}}
  lab.quantize %x -> %q, %s group = channel {schedule = #lab.schedule<block [1, 64]>}
      : memref<4x100xf32> -> memref<4x100xi8>, memref<4x1xf32>
  return
}

// -----

func.func @whole_sum(%x: memref<100xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op schedule level 1 (block [64]) tiles dimension 0 by 64, and its group spans it; nearest legal: 0}}
  lab.reduce sum blocked %x -> %r block = 64 {schedule = #lab.schedule<block [64]>}
      : memref<100xf32> -> memref<f32>
  return
}

// -----

func.func @shared_sum(%a: memref<4x64xf32>, %b: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 1 (block [0, 0, 16]) tiles dimension 2, which is summed over, so work units cannot share it; tile it by a loop level}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [0, 0, 16]>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @second_level(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 2 (loop [8]) has 1 tile sizes, the op has 3 dimensions; give one size per dimension, 0 leaves it whole}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [32, 32, 0], loop [8]>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  return
}

// -----

func.func @dynamic_k(%a: memref<4x?xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op overwrites c, so a tile at a variable k needs `accumulate`: split off the first k tile}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<loop [0, 0, 16]>} : memref<4x?xf32>, memref<4x?xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @no_such_operand(%a: memref<4x64xf32>, %b: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 1 (block [4, 4, 0]) copies operand 3; only operands 0 and 1 of a gemm can be copied, its matrices a and b}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [4, 4, 0] pack [3] by [4, 4]>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @packed_output(%a: memref<4x64xf32>, %b: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 1 (block [4, 4, 0]) copies operand 2; only operands 0 and 1 of a gemm can be copied, its matrices a and b}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [4, 4, 0] stage [2] by [4, 4]>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @packed_vector(%alpha: memref<f32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule level 1 (block [16]) copies operand 1; only operands 0 and 1 of a gemm can be copied, its matrices a and b}}
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [16] stage [1] by [1, 16]>}
      : memref<f32>, memref<64xf32>, memref<64xf32>
  return
}

// -----

func.func @packed_dynamic(%a: memref<4x?xf32>, %b: memref<4x?xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 1 (block [4, 4, 0]) copies 4 x ? elements of operand 1 into local memory, which has 4194304 bytes at 8 an element; copy at a level of smaller tiles}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [4, 4, 0] pack [1] by [4, 4]>}
      : memref<4x?xf32>, memref<4x?xf32> -> memref<4x4xf32>
  return
}

// -----

// More than the stack of a thread.
func.func @large_copy(%a: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 1 (block [0, 0, 0]) copies 1024 x 1024 elements of operand 1 into local memory, which has 4194304 bytes at 8 an element; copy at a level of smaller tiles}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [0, 0, 0] pack [1] by [4, 4], loop [4, 4, 0]>}
      : memref<1024x1024xf32>, memref<1024x1024xf32> -> memref<1024x1024xf32>
  return
}

// -----

// Every level halves what is left, so that each tile has a rest of its own.
func.func @kinds_of_tiles(%a: memref<127x127xf32>, %c: memref<127x127xf32>) {
  // expected-error @below {{'lab.gemm' op schedule cuts its op into more than 512 kinds of tiles, a body each; choose tiles that divide those of the level before}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [64, 64, 0], loop [33, 33, 64], loop [17, 17, 33], loop [9, 9, 17], loop [5, 5, 9]>}
      : memref<127x127xf32>, memref<127x127xf32> -> memref<127x127xf32>
  return
}

// -----

// Dot products read rows of b along k; packed, they lie the other way.
func.func @packed_dot(%a: memref<4x64xf32>, %b: memref<4x64xi8>, %s: memref<4x2xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 1 (block [4, 4, 0]) packs operand 1, whose rows micro-kernel dot reads along k; stage it or use micro-kernel outer}}
  lab.gemm %a, %b b_scale(%s : memref<4x2xf32>) -> %c group = 32 {schedule = #lab.schedule<block [4, 4, 0] pack [1] by [4, 4], kernel<dot>>}
      : memref<4x64xf32>, memref<4x64xi8> -> memref<4x4xf32>
  return
}

// -----

// A packed tile lies as its body reads it, and a copy of it would not.
func.func @packed_twice(%a: memref<36x96xf32>, %b: memref<64x96xf32>, %c: memref<36x64xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level 2 (loop [6, 2, 0]) copies operand 1, which level 1 packs already; leave one of the two out}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<loop [0, 0, 96] pack [1] by [8, 32], loop [6, 2, 0] stage [1] by [6, 32], kernel<outer>>}
      : memref<36x96xf32>, memref<64x96xf32> -> memref<36x64xf32>
  return
}

// -----

func.func @body_of_no_gemm(%alpha: memref<f32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule names micro-kernel dot, which is a choice for a gemm, and this op has none; leave it out}}
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [16], kernel<dot>>}
      : memref<f32>, memref<64xf32>, memref<64xf32>
  return
}

// -----

// Parameters that the micro-kernel does not read.
func.func @dot_of_floats(%a: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule kernel parameter integer_dot is for integer products of micro-kernel dot, so nothing here would read it; leave it out}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [4, 4, 0], kernel<dot, integer_dot = pairs>>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @chunk(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @+1 {{'lab.exp' op schedule kernel parameter width is for dot products that lanes share, so nothing here would read it; leave it out}}
  lab.exp %x -> %y {schedule = #lab.schedule<block [16], kernel<width = 16>>}
      : memref<64xf32> -> memref<64xf32>
  return
}

// -----

func.func @unroll(%a: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule kernel parameter unroll is for dot products that lanes share, so nothing here would read it; leave it out}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [4, 4, 0], kernel<dot, unroll = 2>>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @prefetch(%a: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule kernel parameter prefetch is for micro-kernels that read a stream alone, so nothing here would read it; leave it out}}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [4, 4, 0], kernel<outer, prefetch = 64>>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @nontemporal(%alpha: memref<f32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule kernel parameter nontemporal is for casts, exp and quantizers of one thread a tile, so nothing here would read it; leave it out}}
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [16], kernel<nontemporal>>}
      : memref<f32>, memref<64xf32>, memref<64xf32>
  return
}

// -----

func.func @convert(%x: memref<64xf32>, %y: memref<64xi8>) {
  // expected-error @+1 {{'lab.cast' op schedule kernel parameter truncate names 'f8E5M2', which is no format of this op; leave it out}}
  lab.cast %x -> %y {schedule = #lab.schedule<block [16], kernel<truncate = [f8E5M2]>>} : memref<64xf32> -> memref<64xi8>
  return
}
