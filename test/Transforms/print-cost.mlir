// Every op as a spec, with the bytes and FLOPs lib/Spec counts for it. The
// numbers are written out by hand: operand bytes once each, packed codes and
// scales billed, an inout read and written.
// RUN: labgen-opt %s --lab-print-cost --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @quantize
func.func @quantize(%x: memref<3x70xf32>, %q: memref<3x35xi8>, %s: memref<3x3xf16>,
                    %qc: memref<3x70xi8>, %sc: memref<3x1xf32>, %st: memref<1x1xbf16>) {
  // 3*70*4 in; 3*35 bytes of codes and 3*3*2 of scales out; abs, max, divide, round.
  // expected-remark @+2 {{quantize:m=3,k=70,in=f32,out=i4,group=32,scale=f16 reads 840 bytes, writes 123 bytes, 840 flops}}
  // CHECK: lab.quantize
  lab.quantize %x -> %q, %s group = 32 {code = i4} : memref<3x70xf32> -> memref<3x35xi8>, memref<3x3xf16>
  // expected-remark @+1 {{quantize:m=3,k=70,in=f32,out=i8,group=channel,scale=f32,range=full,round=away,inverse=reciprocal reads 840 bytes, writes 222 bytes, 840 flops}}
  lab.quantize %x -> %qc, %sc group = channel {round = #lab.rounding<away>, range = #lab.range<full>, inverse = #lab.inverse<reciprocal>} : memref<3x70xf32> -> memref<3x70xi8>, memref<3x1xf32>
  // expected-remark @+1 {{quantize:m=3,k=70,in=f32,out=i8,group=tensor,scale=bf16,divisor=unrounded reads 840 bytes, writes 212 bytes, 840 flops}}
  lab.quantize %x -> %qc, %st group = tensor {divisor = #lab.divisor<unrounded>} : memref<3x70xf32> -> memref<3x70xi8>, memref<1x1xbf16>
  return
}

// CHECK-LABEL: func @dequantize
func.func @dequantize(%q: memref<2x5xi8>, %s: memref<2x2xf32>, %y: memref<2x10xbf16>) {
  // expected-remark @+1 {{dequantize:m=2,k=10,in=i4,out=bf16,group=8,scale=f32 reads 26 bytes, writes 40 bytes, 20 flops}}
  lab.dequantize %q, %s -> %y group = 8 {code = i4} : memref<2x5xi8>, memref<2x2xf32> -> memref<2x10xbf16>
  return
}

// CHECK-LABEL: func @axpy
func.func @axpy(%a: memref<f32>, %x: memref<1000xf32>, %y: memref<1000xf32>,
                %ah: memref<f16>, %xh: memref<7xf16>) {
  // expected-remark @+1 {{axpy:n=1000,type=f32 reads 8004 bytes, writes 4000 bytes, 2000 flops}}
  lab.axpy %a, %x, %y : memref<f32>, memref<1000xf32>, memref<1000xf32>
  // expected-remark @+1 {{axpy:n=7,type=f16 reads 30 bytes, writes 14 bytes, 14 flops}}
  lab.axpy %ah, %xh, %xh : memref<f16>, memref<7xf16>, memref<7xf16>
  return
}

// CHECK-LABEL: func @reduce
func.func @reduce(%x: memref<300xf64>, %r: memref<f64>, %h: memref<300xbf16>, %rf: memref<f32>) {
  // expected-remark @+1 {{reduce:n=300,type=f64,kind=sum,order=pairwise reads 2400 bytes, writes 8 bytes, 300 flops}}
  lab.reduce sum pairwise %x -> %r block = 128 : memref<300xf64> -> memref<f64>
  // expected-remark @+1 {{reduce:n=300,type=bf16,kind=dot,block=256 reads 1200 bytes, writes 4 bytes, 600 flops}}
  lab.reduce dot blocked %h, %h -> %rf block = 256 : memref<300xbf16>, memref<300xbf16> -> memref<f32>
  return
}

// CHECK-LABEL: func @gemm
func.func @gemm(%a: memref<2x8xf32>, %b: memref<3x8xf32>, %c: memref<2x3xf32>, %ai: memref<2x8xi8>,
                %bi: memref<3x8xi8>, %ci: memref<2x3xi32>, %b4: memref<3x4xi8>, %s: memref<3x2xf16>) {
  // expected-remark @+1 {{gemm:m=2,n=3,k=8,a=f32,b=f32 reads 160 bytes, writes 24 bytes, 96 flops}}
  lab.gemm %a, %b -> %c : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  // expected-remark @+1 {{gemm:m=2,n=3,k=8,a=f32,b=f32,accumulate=yes reads 184 bytes, writes 24 bytes, 96 flops}}
  lab.gemm %a, %b -> %c {accumulate} : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  // expected-remark @+1 {{gemm:m=2,n=3,k=8,a=i8,b=i8 reads 40 bytes, writes 24 bytes, 96 flops}}
  lab.gemm %ai, %bi -> %ci : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xi32>
  // expected-remark @+1 {{gemm:m=2,n=3,k=8,a=f32,b=i4,group=4,scale=f16 reads 88 bytes, writes 24 bytes, 96 flops}}
  lab.gemm %a, %b4 b_scale(%s : memref<3x2xf16>) -> %c group = 4 {code = i4} : memref<2x8xf32>, memref<3x4xi8> -> memref<2x3xf32>
  // expected-remark @+1 {{gemm:m=2,n=3,k=8,a=f32,b=i8,group=4,scale=f16,compute=i8 reads 100 bytes, writes 24 bytes, 96 flops}}
  lab.gemm %a, %bi b_scale(%s : memref<3x2xf16>) -> %c group = 4 {compute = i8} : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// Packed formats count their bytes, an exp twenty operations.
// CHECK-LABEL: func @cast
func.func @cast(%x: memref<9xf32>, %p: memref<5xi8>, %h: memref<9xf16>) {
  // expected-remark @+1 {{cast:n=9,in=f32,out=f4E2M1FN reads 36 bytes, writes 5 bytes, 9 flops}}
  lab.cast %x -> %p {out = f4E2M1FN} : memref<9xf32> -> memref<5xi8>
  // expected-remark @+1 {{exp:n=9,in=f32,out=f16 reads 36 bytes, writes 18 bytes, 180 flops}}
  lab.exp %x -> %h : memref<9xf32> -> memref<9xf16>
  return
}

// What has no spec: sizes that are not known, partial results, codes on both
// sides of a scaled gemm.
// CHECK-LABEL: func @none
func.func @none(%a: memref<f32>, %x: memref<?xf32>, %v: memref<256xf32>, %r: memref<2xf32>,
                %ai: memref<2x8xi8>, %sa: memref<2x1xf32>, %c: memref<2x2xf32>) {
  // expected-remark @+1 {{no spec describes this op, so it has no cost}}
  lab.axpy %a, %x, %x : memref<f32>, memref<?xf32>, memref<?xf32>
  // expected-remark @+1 {{no spec describes this op, so it has no cost}}
  lab.reduce sum blocked %v -> %r block = 128 : memref<256xf32> -> memref<2xf32>
  // expected-remark @+1 {{no spec describes this op, so it has no cost}}
  lab.gemm %ai, %ai a_scale(%sa : memref<2x1xf32>) b_scale(%sa : memref<2x1xf32>) -> %c group = 8 : memref<2x8xi8>, memref<2x8xi8> -> memref<2x2xf32>
  return
}
