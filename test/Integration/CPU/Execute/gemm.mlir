// 2 x 2 products by hand: C = A B^T, rows of B are output channels.
//   A = 1 2 3    B = 1 0 1    C =  4 -1
//       4 5 6        2 0 -1       10  2
// DEFINE: %{bytes} = 32
// DEFINE: %{cpu} = x86-64-v3
// DEFINE: %{run} = labgen-opt %s --labgen-cpu="cpu=%{cpu} vector-bytes=%{bytes} stop-after=vector" %lower | %runner | FileCheck %s
// RUN: %{run}
// REDEFINE: %{bytes} = 64
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %if avx512f %{ %{run} %}
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %if avx512_vnni %{ %{run} %}
memref.global "private" constant @a : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>
memref.global "private" constant @b : memref<2x3xf32> = dense<[[1.0, 0.0, 1.0], [2.0, 0.0, -1.0]]>
memref.global "private" constant @ai : memref<2x3xi8> = dense<[[1, 2, 3], [4, 5, 6]]>
memref.global "private" constant @bi : memref<2x3xi8> = dense<[[1, 0, 1], [2, 0, -1]]>
memref.global "private" constant @extreme : memref<1x2xi8> = dense<-128>
// i4 codes 1 0 | 1 and 2 0 | -1.
memref.global "private" constant @b4 : memref<2x2xi8> = dense<[[1, 1], [2, 15]]>
// Groups of two along k: the last code of a row has a scale of its own.
memref.global "private" constant @s : memref<2x2xf32> = dense<[[2.0, 0.5], [1.0, 4.0]]>
// Rows that quantize exactly: absmax 127, scale 1.
memref.global "private" constant @exact : memref<2x3xf32> = dense<[[127.0, 2.0, 127.0], [-127.0, 5.0, 127.0]]>

func.func private @print(%c: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %v = vector.transfer_read %c[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<2x2xf32>, vector<2x2xf32>
  vector.print %v : vector<2x2xf32>
  return
}

func.func @main() {
  %a = memref.get_global @a : memref<2x3xf32>
  %b = memref.get_global @b : memref<2x3xf32>
  %c = memref.alloc() : memref<2x2xf32>
  // CHECK: ( ( 4, -1 ), ( 10, 2 ) )
  lab.gemm %a, %b -> %c : memref<2x3xf32>, memref<2x3xf32> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()
  // Once more on top.
  // CHECK-NEXT: ( ( 8, -2 ), ( 20, 4 ) )
  lab.gemm %a, %b -> %c {accumulate} : memref<2x3xf32>, memref<2x3xf32> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()
  // By outer products, b packed and a staged, k cut in ragged tiles.
  // CHECK-NEXT: ( ( 4, -1 ), ( 10, 2 ) )
  lab.gemm %a, %b -> %c {schedule = #lab.schedule<block [1, 2, 0], loop [0, 0, 2] pack [1] stage [0] by [2, 2], kernel<outer>>}
      : memref<2x3xf32>, memref<2x3xf32> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()

  // Scaled weights: row 0 of B is 2 * (1 0) and 0.5 * 1, row 1 is 1 * (2 0) and
  // 4 * -1.   1 * 2 + 3 * 0.5 = 3.5;  2 - 12 = -10;  8 + 3 = 11;  8 - 24 = -16
  %bi = memref.get_global @bi : memref<2x3xi8>
  %b4 = memref.get_global @b4 : memref<2x2xi8>
  %s = memref.get_global @s : memref<2x2xf32>
  // CHECK-NEXT: ( ( 3.5, -10 ), ( 11, -16 ) )
  lab.gemm %a, %bi b_scale(%s : memref<2x2xf32>) -> %c group = 2 : memref<2x3xf32>, memref<2x3xi8> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()
  // CHECK-NEXT: ( ( 3.5, -10 ), ( 11, -16 ) )
  lab.gemm %a, %b4 b_scale(%s : memref<2x2xf32>) -> %c group = 2 {code = i4} : memref<2x3xf32>, memref<2x2xi8> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()
  // The same with weights dequantized while they are packed.
  // CHECK-NEXT: ( ( 3.5, -10 ), ( 11, -16 ) )
  lab.gemm %a, %b4 b_scale(%s : memref<2x2xf32>) -> %c group = 2
      {code = i4, schedule = #lab.schedule<block [2, 2, 0] pack [1] by [2, 2], kernel<outer>>}
      : memref<2x3xf32>, memref<2x2xi8> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()
  // A quantized on the fly, exactly: codes are its values (the short group of
  // one code too). 254 + 63.5 = 317.5; 254 - 508 = -254; -254 + 63.5 = -190.5;
  // -254 - 508 = -762
  %exact = memref.get_global @exact : memref<2x3xf32>
  // CHECK-NEXT: ( ( 317.5, -254 ), ( -190.5, -762 ) )
  lab.gemm %exact, %b4 b_scale(%s : memref<2x2xf32>) -> %c group = 2 {code = i4, compute = i8}
      : memref<2x3xf32>, memref<2x2xi8> -> memref<2x2xf32>
  call @print(%c) : (memref<2x2xf32>) -> ()

  // Integers are exact, at the ends of their range too: 2 * 128 * 128.
  %ai = memref.get_global @ai : memref<2x3xi8>
  %ci = memref.alloc() : memref<2x2xi32>
  lab.gemm %ai, %bi -> %ci : memref<2x3xi8>, memref<2x3xi8> -> memref<2x2xi32>
  %c0 = arith.constant 0 : index
  %i0 = arith.constant 0 : i32
  %vi = vector.transfer_read %ci[%c0, %c0], %i0 {in_bounds = [true, true]} : memref<2x2xi32>, vector<2x2xi32>
  // CHECK-NEXT: ( ( 4, -1 ), ( 10, 2 ) )
  vector.print %vi : vector<2x2xi32>
  %e = memref.get_global @extreme : memref<1x2xi8>
  %ce = memref.alloc() : memref<1x1xi32>
  lab.gemm %e, %e -> %ce : memref<1x2xi8>, memref<1x2xi8> -> memref<1x1xi32>
  %sum = memref.load %ce[%c0, %c0] : memref<1x1xi32>
  // CHECK-NEXT: 32768
  vector.print %sum : i32

  // k = 0 writes zeros.
  %none = memref.alloc() : memref<2x0xf32>
  lab.gemm %none, %none -> %c : memref<2x0xf32>, memref<2x0xf32> -> memref<2x2xf32>
  // CHECK-NEXT: ( ( 0, 0 ), ( 0, 0 ) )
  call @print(%c) : (memref<2x2xf32>) -> ()
  return
}
