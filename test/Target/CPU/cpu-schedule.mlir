// Schedules by the caches and the ISA of the CPU that is named, so that the test
// says the same on every machine. Numbers that follow from registers and vectors
// are spelled out, those that are tuned are not.
// RUN: labgen-opt %s --lab-cpu-schedule=cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: labgen-opt %s --lab-cpu-schedule=cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,WIDE,V4
// RUN: labgen-opt %s --lab-cpu-schedule=cpu=sapphirerapids | FileCheck %s --check-prefixes=CHECK,WIDE,VNNI
// RUN: labgen-opt %s --lab-cpu-schedule=cpu=znver5 | FileCheck %s --check-prefixes=CHECK,WIDE,VNNI
// RUN: labgen-opt %s --lab-cpu-schedule | FileCheck %s

// Rows are short: a unit takes several, all of k.
// CHECK-LABEL: func @quantize(
// CHECK: lab.quantize {{.*}} {schedule = #lab.schedule<block [64, 0]>}
func.func @quantize(%x: memref<64x256xf32>, %q: memref<64x256xi8>, %s: memref<64x8xf32>) {
  lab.quantize %x -> %q, %s group = 32 : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  return
}

// Rows are long: a unit takes part of one, whole groups of it.
// CHECK-LABEL: func @quantize_long(
// CHECK: lab.quantize {{.*}} {schedule = #lab.schedule<block [1, 16384]
func.func @quantize_long(%x: memref<4x1000000xf32>, %q: memref<4x1000000xi8>, %s: memref<4x31250xf32>) {
  lab.quantize %x -> %q, %s group = 32 : memref<4x1000000xf32> -> memref<4x1000000xi8>, memref<4x31250xf32>
  return
}

// 24 * 128 = 3072: a multiple of the group and of a line of codes.
// CHECK-LABEL: func @quantize_odd_group(
// CHECK: lab.quantize {{.*}} {schedule = #lab.schedule<block [1, 15360]
func.func @quantize_odd_group(%x: memref<4x1000000xf32>, %q: memref<4x1000000xi8>, %s: memref<4x41667xf32>) {
  lab.quantize %x -> %q, %s group = 24 : memref<4x1000000xf32> -> memref<4x1000000xi8>, memref<4x41667xf32>
  return
}

// A channel cannot be cut, however long it is.
// CHECK-LABEL: func @quantize_channel(
// CHECK: lab.quantize {{.*}} {schedule = #lab.schedule<block [1, 0]
func.func @quantize_channel(%x: memref<4x1000000xf32>, %q: memref<4x1000000xi8>, %s: memref<4x1xf32>) {
  lab.quantize %x -> %q, %s group = channel : memref<4x1000000xf32> -> memref<4x1000000xi8>, memref<4x1xf32>
  return
}

// CHECK-LABEL: func @dequantize(
// CHECK: lab.dequantize {{.*}} {code = i4, schedule = #lab.schedule<block [64, 0]>}
func.func @dequantize(%q: memref<64x128xi8>, %s: memref<64x8xf32>, %y: memref<64x256xf32>) {
  lab.dequantize %q, %s -> %y group = 32 {code = i4} : memref<64x128xi8>, memref<64x8xf32> -> memref<64x256xf32>
  return
}

// 4-bit floats are read by a table where registers can be permuted.
// CHECK-LABEL: func @dequantize_f4(
// V3: lab.dequantize {{.*}} {code = f4E2M1FN, schedule = #lab.schedule<block [64, 0]>}
// WIDE: lab.dequantize {{.*}} {code = f4E2M1FN, schedule = #lab.schedule<block [64, 0], kernel<extend = [f4E2M1FN]>>}
func.func @dequantize_f4(%q: memref<64x128xi8>, %s: memref<64x8xf32>, %y: memref<64x256xf32>) {
  lab.dequantize %q, %s -> %y group = 32 {code = f4E2M1FN} : memref<64x128xi8>, memref<64x8xf32> -> memref<64x256xf32>
  return
}

// CHECK-LABEL: func @gemv_f4(
// V3: lab.gemm {{.*}}kernel<dot>
// WIDE: lab.gemm {{.*}}kernel<dot, extend = [f4E2M1FN]>
func.func @gemv_f4(%a: memref<1x256xf32>, %b: memref<64x128xi8>, %s: memref<64x8xf32>, %c: memref<1x64xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<64x8xf32>) -> %c group = 32 {code = f4E2M1FN}
      : memref<1x256xf32>, memref<64x128xi8> -> memref<1x64xf32>
  return
}

// CHECK-LABEL: func @encode(
// CHECK: lab.encode {{.*}}schedule = #lab.schedule<block [64, 0]>
func.func @encode(%x: memref<64x256xf32>, %s: memref<1x1xf32>, %q: memref<64x256xi8>) {
  lab.encode %x, %s -> %q : memref<64x256xf32>, memref<1x1xf32> -> memref<64x256xi8>
  return
}

// CHECK-LABEL: func @axpy(
// CHECK: lab.axpy {{.*}} {schedule = #lab.schedule<block [8192]
func.func @axpy(%alpha: memref<f64>, %x: memref<100000xf64>) {
  lab.axpy %alpha, %x, %x : memref<f64>, memref<100000xf64>, memref<100000xf64>
  return
}

// Units are whole spans; a sum that is one result is one unit.
// CHECK-LABEL: func @reduce(
// CHECK: lab.reduce {{.*}} {schedule = #lab.schedule<block [32768]
// CHECK: lab.reduce {{.*}} {schedule = #lab.schedule<block [0]
func.func @reduce(%x: memref<40000xf16>, %w: memref<3xf32>, %r: memref<f32>) {
  lab.reduce sum blocked %x -> %w block = 16384 : memref<40000xf16> -> memref<3xf32>
  lab.reduce sum blocked %w -> %r block = 16384 : memref<3xf32> -> memref<f32>
  return
}

// c in registers: 6 x 2 of 16 with AVX2, 8 x 3 of 32 with AVX-512; b packed in
// square blocks of a vector.
// CHECK-LABEL: func @gemm_f32(
// V3: loop [0, 0, {{[0-9]+}}] pack [1] by [8, 32], loop [6, 0, 0] stage [0] by [6, 32], loop [0, 16, 0], kernel<outer
// WIDE: loop [0, 0, {{[0-9]+}}] pack [1] by [16, 64], loop [8, 0, 0] stage [0] by [8, 64], loop [0, 48, 0], kernel<outer
func.func @gemm_f32(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  lab.gemm %a, %b -> %c : memref<512x512xf32>, memref<512x512xf32> -> memref<512x512xf32>
  return
}

// CHECK-LABEL: func @gemm_f64(
// V3: pack [1] by [4, 16], loop [6, 0, 0] stage [0] by [6, 16], loop [0, 8, 0], kernel<outer
// WIDE: pack [1] by [8, 32], loop [8, 0, 0] stage [0] by [8, 32], loop [0, 24, 0], kernel<outer
func.func @gemm_f64(%a: memref<512x512xf64>, %b: memref<512x512xf64>, %c: memref<512x512xf64>) {
  lab.gemm %a, %b -> %c : memref<512x512xf64>, memref<512x512xf64> -> memref<512x512xf64>
  return
}

// One row of a: packing b would cost more than it saves.
// CHECK-LABEL: func @gemv(
// CHECK: lab.gemm {{.*}} {schedule = #lab.schedule<block [1, {{.*}}kernel<dot
// CHECK-NOT: pack
func.func @gemv(%a: memref<1x512xbf16>, %b: memref<512x512xbf16>, %c: memref<1x512xf32>) {
  lab.gemm %a, %b -> %c : memref<1x512xbf16>, memref<512x512xbf16> -> memref<1x512xf32>
  return
}

// CHECK-LABEL: func @gemm_i8(
// V3: kernel<dot, integer_dot = pairs
// V4: kernel<dot, integer_dot = pairs
// VNNI: kernel<dot, integer_dot = quads
func.func @gemm_i8(%a: memref<512x512xi8>, %b: memref<512x512xi8>, %c: memref<512x512xi32>) {
  lab.gemm %a, %b -> %c : memref<512x512xi8>, memref<512x512xi8> -> memref<512x512xi32>
  return
}

// Weights are dequantized while they are packed, so k is cut at groups.
// CHECK-LABEL: func @gemm_w4(
// CHECK: loop [0, 0, 480] pack [1] {{.*}} kernel<outer
func.func @gemm_w4(%a: memref<512x960xf32>, %b: memref<512x480xi8>, %s: memref<512x10xf32>, %c: memref<512x512xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<512x10xf32>) -> %c group = 96 {code = i4}
      : memref<512x960xf32>, memref<512x480xi8> -> memref<512x512xf32>
  return
}

// An op that has a schedule keeps it, and so does a tile in a loop.
// CHECK-LABEL: func @given(
// CHECK: lab.axpy {{.*}} {schedule = #lab.schedule<block [7]>}
// CHECK: lab.axpy %{{.*}}, %{{.*}}, %{{.*}} : memref<f32>
func.func @given(%alpha: memref<f32>, %x: memref<100xf32>) {
  lab.axpy %alpha, %x, %x {schedule = #lab.schedule<block [7]>} : memref<f32>, memref<100xf32>, memref<100xf32>
  affine.for %i = 0 to 2 {
    lab.axpy %alpha, %x, %x : memref<f32>, memref<100xf32>, memref<100xf32>
  }
  return
}

// Sizes that are not known get a schedule as well.
// CHECK-LABEL: func @dynamic(
// CHECK: lab.quantize {{.*}}schedule = #lab.schedule<block [1, 16384]
// CHECK: lab.gemm {{.*}} kernel<outer
func.func @dynamic(%x: memref<?x?xf32>, %q: memref<?x?xi8>, %s: memref<?x?xf32>, %c: memref<?x?xf32>) {
  lab.quantize %x -> %q, %s group = 32 : memref<?x?xf32> -> memref<?x?xi8>, memref<?x?xf32>
  lab.gemm %x, %x -> %c {accumulate} : memref<?x?xf32>, memref<?x?xf32> -> memref<?x?xf32>
  return
}
