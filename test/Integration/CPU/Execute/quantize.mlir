// quantize by hand, i8 with groups of four; scales are printed as bits.
//   0: absmax 127, so the scale is 1 and codes are the rounded values, ties to
//      even
//   1: zeros: scale 0, codes 0
//   2: a NaN: scale NaN, codes 0
//   3: an Inf: scale NaN, codes 0
//   4: the short last group, absmax 254: scale 2
// DEFINE: %{bytes} = 32
// DEFINE: %{run} = labgen-opt %s --labgen-cpu="cpu=x86-64-v3 vector-bytes=%{bytes} stop-after=vector" %lower | %runner | FileCheck %s
// RUN: %{run}
// REDEFINE: %{bytes} = 16
// RUN: %{run}
// REDEFINE: %{bytes} = 64
// RUN: %{run}
memref.global "private" constant @x : memref<1x18xf32> = dense<[[
    127.0, 0.5, -1.5, 2.5,
    0.0, -0.0, 0.0, 0.0,
    1.0, 0x7FC00000, 2.0, 3.0,
    1.0, 0x7F800000, 2.0, 3.0,
    -254.0, 3.0]]>

func.func @main() {
  %c0 = arith.constant 0 : index
  %x = memref.get_global @x : memref<1x18xf32>
  %q = memref.alloc() : memref<1x18xi8>
  %s = memref.alloc() : memref<1x5xf32>
  %bits = memref.alloc() : memref<1x5xi32>
  lab.quantize %x -> %q, %s group = 4 : memref<1x18xf32> -> memref<1x18xi8>, memref<1x5xf32>
  %codes = vector.load %q[%c0, %c0] : memref<1x18xi8>, vector<18xi8>
  // 0.5 -> 0, -1.5 -> -2, 2.5 -> 2; 3 / 2 -> 2.
  // CHECK: ( 127, 0, -2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -127, 2 )
  vector.print %codes : vector<18xi8>
  %scales = vector.load %s[%c0, %c0] : memref<1x5xf32>, vector<5xf32>
  %scaleBits = vector.bitcast %scales : vector<5xf32> to vector<5xi32>
  // 1.0, 0.0, NaN, NaN, 2.0
  // CHECK-NEXT: ( 1065353216, 0, 2143289344, 2143289344, 1073741824 )
  vector.print %scaleBits : vector<5xi32>

  // i4, one group a row of five: absmax 7, scale 1; two codes to the byte, low
  // nibble first, the pad nibble zero. Codes 7 -3 0 2 -7.
  %y = memref.alloc() : memref<1x5xf32>
  %v = arith.constant dense<[7.0, -3.4, 0.5, 1.5, -7.0]> : vector<5xf32>
  vector.store %v, %y[%c0, %c0] : memref<1x5xf32>, vector<5xf32>
  %p = memref.alloc() : memref<1x3xi8>
  %t = memref.alloc() : memref<1x1xf16>
  lab.quantize %y -> %p, %t group = channel {code = i4} : memref<1x5xf32> -> memref<1x3xi8>, memref<1x1xf16>
  %nibbles = vector.load %p[%c0, %c0] : memref<1x3xi8>, vector<3xi8>
  // 0xD7, 0x20, 0x09
  // CHECK-NEXT: ( -41, 32, 9 )
  vector.print %nibbles : vector<3xi8>

  // The whole matrix: absmax 254 over both rows, scale 2.
  %m = memref.alloc() : memref<2x2xf32>
  %row0 = arith.constant dense<[1.0, -254.0]> : vector<2xf32>
  %row1 = arith.constant dense<[5.0, 100.0]> : vector<2xf32>
  %c1 = arith.constant 1 : index
  vector.store %row0, %m[%c0, %c0] : memref<2x2xf32>, vector<2xf32>
  vector.store %row1, %m[%c1, %c0] : memref<2x2xf32>, vector<2xf32>
  %mq = memref.alloc() : memref<2x2xi8>
  %ms = memref.alloc() : memref<1x1xf32>
  lab.quantize %m -> %mq, %ms group = tensor : memref<2x2xf32> -> memref<2x2xi8>, memref<1x1xf32>
  %mq0 = vector.load %mq[%c0, %c0] : memref<2x2xi8>, vector<2xi8>
  %mq1 = vector.load %mq[%c1, %c0] : memref<2x2xi8>, vector<2xi8>
  // 1 / 2 -> 0 and 5 / 2 -> 2: ties to even.
  // CHECK-NEXT: ( 0, -127 )
  // CHECK-NEXT: ( 2, 50 )
  vector.print %mq0 : vector<2xi8>
  vector.print %mq1 : vector<2xi8>

  // Ties away from zero, towards zero, and the full range: absmax 127.5 gives
  // scale 1, -128 and 127 for +127.5.
  %z = memref.alloc() : memref<1x4xf32>
  %w = arith.constant dense<[127.5, -127.5, 0.5, -1.5]> : vector<4xf32>
  vector.store %w, %z[%c0, %c0] : memref<1x4xf32>, vector<4xf32>
  %zq = memref.alloc() : memref<1x4xi8>
  %zs = memref.alloc() : memref<1x1xf32>
  lab.quantize %z -> %zq, %zs group = 4 {range = #lab.range<full>, round = #lab.rounding<away>}
      : memref<1x4xf32> -> memref<1x4xi8>, memref<1x1xf32>
  %away = vector.load %zq[%c0, %c0] : memref<1x4xi8>, vector<4xi8>
  // CHECK-NEXT: ( 127, -128, 1, -2 )
  vector.print %away : vector<4xi8>
  lab.quantize %z -> %zq, %zs group = 4 {range = #lab.range<full>, round = #lab.rounding<zero>}
      : memref<1x4xf32> -> memref<1x4xi8>, memref<1x1xf32>
  %cut = vector.load %zq[%c0, %c0] : memref<1x4xi8>, vector<4xi8>
  // CHECK-NEXT: ( 127, -127, 0, -1 )
  vector.print %cut : vector<4xi8>
  return
}
