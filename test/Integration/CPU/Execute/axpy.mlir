// axpy by hand: one fused multiply-add, one rounding.
// DEFINE: %{bytes} = 32
// DEFINE: %{run} = labgen-opt %s --labgen-cpu="cpu=x86-64-v3 vector-bytes=%{bytes} stop-after=vector" %lower | %runner | FileCheck %s
// RUN: %{run}
// REDEFINE: %{bytes} = 16
// RUN: %{run}
// REDEFINE: %{bytes} = 64
// RUN: %{run}
memref.global "private" constant @a : memref<f32> = dense<2.0>
memref.global "private" constant @x : memref<11xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]>
// (1 + 2^-12)^2 - 1 - 2^-11 = 2^-24: an unfused product would lose it.
memref.global "private" constant @b : memref<f32> = dense<0x3F800800>
memref.global "private" constant @half : memref<bf16> = dense<1.0>

func.func @main() {
  %c0 = arith.constant 0 : index
  %a = memref.get_global @a : memref<f32>
  %x = memref.get_global @x : memref<11xf32>
  %y = memref.alloc() : memref<11xf32>
  %ones = arith.constant dense<1.0> : vector<11xf32>
  vector.store %ones, %y[%c0] : memref<11xf32>, vector<11xf32>
  lab.axpy %a, %x, %y : memref<f32>, memref<11xf32>, memref<11xf32>
  %r = vector.load %y[%c0] : memref<11xf32>, vector<11xf32>
  // CHECK: ( 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 )
  vector.print %r : vector<11xf32>

  %b = memref.get_global @b : memref<f32>
  %u = memref.alloc() : memref<1xf32>
  %v = memref.alloc() : memref<1xf32>
  %uv = arith.constant dense<0x3F800800> : vector<1xf32>
  %vv = arith.constant dense<0xBF801000> : vector<1xf32>
  vector.store %uv, %u[%c0] : memref<1xf32>, vector<1xf32>
  vector.store %vv, %v[%c0] : memref<1xf32>, vector<1xf32>
  lab.axpy %b, %u, %v : memref<f32>, memref<1xf32>, memref<1xf32>
  %fused = vector.load %v[%c0] : memref<1xf32>, vector<1xf32>
  %fusedBits = vector.bitcast %fused : vector<1xf32> to vector<1xi32>
  // 2^-24 = 0x33800000
  // CHECK-NEXT: ( 864026624 )
  vector.print %fusedBits : vector<1xi32>

  // bf16 has 8 bits: 1 + 256 = 257 is a tie and goes to 256, 3 + 256 = 259 to
  // 260; a NaN stays one.
  %one = memref.get_global @half : memref<bf16>
  %h = memref.alloc() : memref<3xbf16>
  %g = memref.alloc() : memref<3xbf16>
  %hv = arith.constant dense<[1.0, 3.0, 0x7FC0]> : vector<3xbf16>
  %gv = arith.constant dense<256.0> : vector<3xbf16>
  vector.store %hv, %h[%c0] : memref<3xbf16>, vector<3xbf16>
  vector.store %gv, %g[%c0] : memref<3xbf16>, vector<3xbf16>
  lab.axpy %one, %h, %g : memref<bf16>, memref<3xbf16>, memref<3xbf16>
  %narrow = vector.load %g[%c0] : memref<3xbf16>, vector<3xbf16>
  %bits = vector.bitcast %narrow : vector<3xbf16> to vector<3xi16>
  // 0x4380, 0x4382, 0x7FC0
  // CHECK-NEXT: ( 17280, 17282, 32704 )
  vector.print %bits : vector<3xi16>
  return
}
