// Schedules that do not fit their op.
// RUN: labgen-opt %s --split-input-file --lab-tile --verify-diagnostics

func.func @not_a_schedule(%alpha: memref<f32>, %x: memref<5xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule must be a #lab.schedule attribute}}
  lab.axpy %alpha, %x, %x {schedule = "fast"} : memref<f32>, memref<5xf32>, memref<5xf32>
  return
}

// -----

func.func @dimensions(%alpha: memref<f32>, %x: memref<5xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule level has 2 tile sizes, the op has 1 dimensions}}
  lab.axpy %alpha, %x, %x {schedule = #lab.schedule<block [4, 4]>} : memref<f32>, memref<5xf32>, memref<5xf32>
  return
}

// -----

func.func @cut_group(%x: memref<4x100xf32>, %q: memref<4x100xi8>, %s: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.quantize' op tile 48 of dimension 1 is not a multiple of 32; nearest legal: 32}}
  lab.quantize %x -> %q, %s group = 32 {schedule = #lab.schedule<block [1, 48]>}
      : memref<4x100xf32> -> memref<4x100xi8>, memref<4x4xf32>
  return
}

// -----

func.func @smaller_than_group(%x: memref<4x100xf32>, %q: memref<4x100xi8>, %s: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.quantize' op tile 8 of dimension 1 is not a multiple of 32; nearest legal: 32}}
  lab.quantize %x -> %q, %s group = 32 {schedule = #lab.schedule<block [1, 8]>}
      : memref<4x100xf32> -> memref<4x100xi8>, memref<4x4xf32>
  return
}

// -----

func.func @odd_codes(%q: memref<4x4xi8>, %s: memref<4x1xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'lab.dequantize' op tile 3 of dimension 1 is not a multiple of 2; nearest legal: 2}}
  lab.dequantize %q, %s -> %y group = channel {code = i4, schedule = #lab.schedule<loop [0, 3]>}
      : memref<4x4xi8>, memref<4x1xf32> -> memref<4x8xf32>
  return
}

// -----

func.func @channel(%x: memref<4x100xf32>, %q: memref<4x100xi8>, %s: memref<4x1xf32>) {
  // expected-error @+1 {{'lab.quantize' op dimension 1 cannot be tiled by 64: its group spans it; nearest legal: 0}}
  lab.quantize %x -> %q, %s group = channel {schedule = #lab.schedule<block [1, 64]>}
      : memref<4x100xf32> -> memref<4x100xi8>, memref<4x1xf32>
  return
}

// -----

func.func @whole_sum(%x: memref<100xf32>, %r: memref<f32>) {
  // expected-error @+1 {{'lab.reduce' op dimension 0 cannot be tiled by 64: its group spans it; nearest legal: 0}}
  lab.reduce sum blocked %x -> %r block = 64 {schedule = #lab.schedule<block [64]>}
      : memref<100xf32> -> memref<f32>
  return
}

// -----

func.func @shared_sum(%a: memref<4x64xf32>, %b: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op dimension 2 is summed over, so work units cannot share it; tile it by a loop level}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [0, 0, 16]>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @second_level(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule level has 1 tile sizes, the op has 3 dimensions}}
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
  // expected-error @+1 {{'lab.gemm' op schedule packs operand 3, the op has 3}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [4, 4, 0] pack [3] by [4, 4]>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @packed_output(%a: memref<4x64xf32>, %b: memref<4x64xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule packs operand 2, which is written; only inputs can be packed}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [4, 4, 0] stage [2] by [4, 4]>}
      : memref<4x64xf32>, memref<4x64xf32> -> memref<4x4xf32>
  return
}

// -----

func.func @packed_vector(%alpha: memref<f32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-error @+1 {{'lab.axpy' op schedule packs operand 1, which is not a matrix of static size}}
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [16] stage [1] by [1, 16]>}
      : memref<f32>, memref<64xf32>, memref<64xf32>
  return
}

// -----

func.func @packed_dynamic(%a: memref<4x?xf32>, %b: memref<4x?xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{'lab.gemm' op schedule packs operand 1, which is not a matrix of static size}}
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [4, 4, 0] pack [1] by [4, 4]>}
      : memref<4x?xf32>, memref<4x?xf32> -> memref<4x4xf32>
  return
}
