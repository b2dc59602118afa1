// dequantize by hand: code times the scale of its group.
// DEFINE: %{bytes} = 32
// DEFINE: %{run} = labgen-opt %s --labgen-cpu="cpu=x86-64-v3 vector-bytes=%{bytes} stop-after=vector" %lower | %runner | FileCheck %s
// RUN: %{run}
// REDEFINE: %{bytes} = 16
// RUN: %{run}
// REDEFINE: %{bytes} = 64
// RUN: %{run}
memref.global "private" constant @q : memref<2x5xi8> = dense<[[1, -2, 3, -127, 127], [0, 1, 2, 3, 4]]>
// Scales 0.5, 2; NaN, 0.25.
memref.global "private" constant @s : memref<2x2xf32> = dense<[[0.5, 2.0], [0x7FC00000, 0.25]]>
// i4 codes 7 -8 | 1 -1 | 3: 0x87, 0xF1, 0x03.
memref.global "private" constant @p : memref<1x3xi8> = dense<[[-121, -15, 3]]>
memref.global "private" constant @t : memref<1x1xf16> = dense<[[1.5]]>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = memref.get_global @q : memref<2x5xi8>
  %s = memref.get_global @s : memref<2x2xf32>
  %y = memref.alloc() : memref<2x5xf32>
  lab.dequantize %q, %s -> %y group = 3 : memref<2x5xi8>, memref<2x2xf32> -> memref<2x5xf32>
  %y0 = vector.load %y[%c0, %c0] : memref<2x5xf32>, vector<5xf32>
  %y1 = vector.load %y[%c1, %c0] : memref<2x5xf32>, vector<5xf32>
  // CHECK: ( 0.5, -1, 1.5, -254, 254 )
  // A NaN scale makes its group NaN, even where the code is 0.
  // CHECK-NEXT: ( {{-?}}nan, {{-?}}nan, {{-?}}nan, 0.75, 1 )
  vector.print %y0 : vector<5xf32>
  vector.print %y1 : vector<5xf32>

  %p = memref.get_global @p : memref<1x3xi8>
  %t = memref.get_global @t : memref<1x1xf16>
  %z = memref.alloc() : memref<1x5xf32>
  lab.dequantize %p, %t -> %z group = tensor {code = i4} : memref<1x3xi8>, memref<1x1xf16> -> memref<1x5xf32>
  %z0 = vector.load %z[%c0, %c0] : memref<1x5xf32>, vector<5xf32>
  // CHECK-NEXT: ( 10.5, -12, 1.5, -1.5, 4.5 )
  vector.print %z0 : vector<5xf32>

  // Rounded once, to bf16: 127 * 2 = 254 is exact, 127 * 1.5 = 190.5 lies half
  // way between 190 and 191 and goes to the even 190.
  %b = memref.alloc() : memref<1x5xbf16>
  %c = memref.alloc() : memref<1x5xi8>
  %codes = arith.constant dense<[127, 125, 1, 0, -127]> : vector<5xi8>
  vector.store %codes, %c[%c0, %c0] : memref<1x5xi8>, vector<5xi8>
  lab.dequantize %c, %t -> %b group = channel : memref<1x5xi8>, memref<1x1xf16> -> memref<1x5xbf16>
  %b0 = vector.load %b[%c0, %c0] : memref<1x5xbf16>, vector<5xbf16>
  %wide = arith.extf %b0 : vector<5xbf16> to vector<5xf32>
  // 125 * 1.5 = 187.5: between 187 and 188, to 188.
  // CHECK-NEXT: ( 190, 188, 1.5, 0, -190 )
  vector.print %wide : vector<5xf32>
  return
}
