// Schedules for GPUs: 16 bytes a thread and several such pieces, lanes that
// share a group, a row or a partial sum. A schedule that is there stays.
//
// RUN: labgen-opt %s --lab-gpu-schedule | FileCheck %s
// RUN: labgen-opt %s --lab-gpu-schedule=target=nvvm:sm_89 | FileCheck %s --check-prefix=NVVM
// RUN: labgen-opt %s --lab-gpu-schedule=target=rocdl:gfx950 | FileCheck %s --check-prefix=OCP
// RUN: labgen-opt %s --lab-gpu-schedule=target=rocdl:gfx942 | FileCheck %s --check-prefix=FNUZ

// RUN: labgen-opt %s --lab-gpu-schedule=target=nvvm:sm_100a | FileCheck %s --check-prefix=BELOW8

// Ops are told which of their small floats the chip has instructions for; a
// cast that may give Inf is not told of one that saturates.
// NVVM: lab.cast {{.*}}thread [4], kernel<truncate = [f8E4M3FN]>>
// NVVM-LABEL: func @fnuz
// NVVM-NOT: {{extend|truncate}} =
// BELOW8-LABEL: func @from_f4
// BELOW8: lab.dequantize {{.*}}kernel<extend = [f4E2M1FN, f8E8M0FNU]>>
// BELOW8: lab.gemm {{.*}}kernel<dot, extend = [f4E2M1FN, f8E8M0FNU]
// OCP: lab.cast {{.*}}thread [4], kernel<truncate = [f8E4M3FN]>>
// FNUZ-NOT: {{extend|truncate}} =
// FNUZ-LABEL: func @fnuz
// FNUZ: lab.cast {{.*}}thread [4], kernel<truncate = [f8E4M3FNUZ]>>
// FNUZ-NOT: {{extend|truncate}} =

// CHECK-LABEL: func @axpy
// CHECK: lab.axpy {{.*}} #lab.schedule<block [4096] threads 256, loop [1024], thread [4]>
func.func @axpy(%alpha: memref<f32>, %x: memref<100000xf32>, %y: memref<100000xf32>) {
  lab.axpy %alpha, %x, %y : memref<f32>, memref<100000xf32>, memref<100000xf32>
  return
}

// The wider side of a cast sets the piece.
// CHECK-LABEL: func @cast
// CHECK: #lab.schedule<block [4096] threads 256, loop [1024], thread [4]>
func.func @cast(%x: memref<9000xf32>, %y: memref<9000xi8>) {
  lab.cast %x -> %y {out = f8E4M3FN} : memref<9000xf32> -> memref<9000xi8>
  return
}

// Eight lanes to a group of 32 f32, rows that fill a block cut into pieces.
// CHECK-LABEL: func @quantize
// CHECK: #lab.schedule<block [1, 4096] threads 256, loop [1, 1024], warp [1, 32] lanes 8>
func.func @quantize(%x: memref<64x16384xf32>, %q: memref<64x16384xi8>, %s: memref<64x512xf32>) {
  lab.quantize %x -> %q, %s group = 32
      : memref<64x16384xf32> -> memref<64x16384xi8>, memref<64x512xf32>
  return
}

// Codes of odd groups share bytes: one thread writes them.
// CHECK-LABEL: func @shared_bytes
// CHECK: thread [1, 14]>
func.func @shared_bytes(%x: memref<4x70xf32>, %q: memref<4x35xi8>, %s: memref<4x10xf32>) {
  lab.quantize %x -> %q, %s group = 7 {code = i4}
      : memref<4x70xf32> -> memref<4x35xi8>, memref<4x10xf32>
  return
}

// A wave to a partial sum; one thread where the order is sequential.
// CHECK-LABEL: func @sums
// CHECK: #lab.schedule<block [131072] threads 256, warp [16384] lanes 32>
// CHECK: #lab.schedule<block [0], thread [0]>
func.func @sums(%x: memref<40000xf32>, %w: memref<3xf32>, %r: memref<f32>) {
  lab.reduce sum blocked %x -> %w block = 16384 span = 16384
      : memref<40000xf32> -> memref<3xf32>
  lab.reduce sum sequential %x -> %r block = 16384 : memref<40000xf32> -> memref<f32>
  return
}

// Half a warp to rows of weights, 16 bytes of each a lane at a time, several
// such loads under way; rows enough for the chip's threads.
// CHECK-LABEL: func @few_rows
// CHECK: #lab.schedule<block [2, 64, 0] threads 256, warp [2, 4, 0] lanes 16, kernel<dot, width = 32, unroll = 1>>
// CHECK: #lab.schedule<block [2, 16, 0] threads 256, warp [2, 1, 0] lanes 16, kernel<dot, width = 16, unroll = 8>>
func.func @few_rows(%a: memref<2x4096xf32>, %b: memref<4096x2048xi8>, %s: memref<4096x32xf16>, %c: memref<2x4096xf32>,
                    %b1: memref<256x4096xi8>, %s1: memref<256x32xf16>, %c1: memref<2x256xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<4096x32xf16>) -> %c group = 128 {code = i4}
      : memref<2x4096xf32>, memref<4096x2048xi8> -> memref<2x4096xf32>
  lab.gemm %a, %b1 b_scale(%s1 : memref<256x32xf16>) -> %c1 group = 128
      : memref<2x4096xf32>, memref<256x4096xi8> -> memref<2x256xf32>
  return
}

// Rows at multiples of 4 bytes, or of one: no wider loads; short rows need fewer
// lanes.
// CHECK-LABEL: func @odd_rows
// CHECK: warp [1, 1, 0] lanes 16, kernel<dot, width = 4
// CHECK: warp [1, 1, 0] lanes 4, kernel<dot, width = 4
func.func @odd_rows(%a: memref<1x100xf32>, %b: memref<9x100xi8>, %s: memref<9x1xf32>, %c: memref<1x9xf32>,
                    %a1: memref<1x13xf32>, %b1: memref<9x13xi8>) {
  lab.gemm %a, %b b_scale(%s : memref<9x1xf32>) -> %c group = 128
      : memref<1x100xf32>, memref<9x100xi8> -> memref<1x9xf32>
  lab.gemm %a1, %b1 b_scale(%s : memref<9x1xf32>) -> %c group = 128
      : memref<1x13xf32>, memref<9x13xi8> -> memref<1x9xf32>
  return
}

// Above few rows: tiles in shared memory, 32 bytes of codes of a row deep.
// CHECK-LABEL: func @many_rows
// CHECK: loop [0, 0, 64] pad accumulate pack [0, 1] by [1, 4], thread [2, 2, 0], kernel<outer>
func.func @many_rows(%a: memref<9x4096xf32>, %b: memref<256x2048xi8>, %s: memref<256x32xf16>, %c: memref<9x256xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<256x32xf16>) -> %c group = 128 {code = i4}
      : memref<9x4096xf32>, memref<256x2048xi8> -> memref<9x256xf32>
  return
}

// CHECK-LABEL: func @kept
// CHECK: #lab.schedule<block [64] threads 16, thread [4]>
func.func @kept(%alpha: memref<f32>, %x: memref<128xf32>, %y: memref<128xf32>) {
  lab.axpy %alpha, %x, %y {schedule = #lab.schedule<block [64] threads 16, thread [4]>}
      : memref<f32>, memref<128xf32>, memref<128xf32>
  return
}

// CHECK-LABEL: func @fnuz
func.func @fnuz(%x: memref<9000xf32>, %y: memref<9000xi8>) {
  lab.cast %x -> %y {out = f8E4M3FNUZ} : memref<9000xf32> -> memref<9000xi8>
  return
}

// CHECK-LABEL: func @from_f4
func.func @from_f4(%q: memref<64x256xi8>, %s: memref<64x16xi8>, %a: memref<1x512xf32>,
                   %y: memref<64x512xf32>, %c: memref<1x64xf32>) {
  lab.dequantize %q, %s -> %y group = 32 {code = f4E2M1FN, scale_type = f8E8M0FNU}
      : memref<64x256xi8>, memref<64x16xi8> -> memref<64x512xf32>
  lab.gemm %a, %q b_scale(%s : memref<64x16xi8>) -> %c group = 32
      {code = f4E2M1FN, scale_type = f8E8M0FNU}
      : memref<1x512xf32>, memref<64x256xi8> -> memref<1x64xf32>
  return
}
