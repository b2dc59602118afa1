// Zero points: operands of quantize, encode, dequantize and gemm, of the type of
// the codes and packed as they are.
// RUN: labgen-opt %s --verify-roundtrip | FileCheck %s
// RUN: labgen-opt %s --mlir-print-op-generic | labgen-opt | FileCheck %s
// RUN: labgen-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func @quantize
// GENERIC-LABEL: sym_name = "quantize"
func.func @quantize(%x: memref<4x70xf32>, %q: memref<4x70xi8>, %p: memref<4x35xi8>,
                    %s: memref<4x3xf16>, %z: memref<4x3xi8>, %z4: memref<4x2xi8>,
                    %sc: memref<4x1xf32>, %zc: memref<4x1xi8>, %st: memref<1x1xf32>,
                    %zt: memref<1x1xi8>) {
  // CHECK: lab.quantize %{{.*}} -> %{{.*}}, %{{.*}} zero(%{{.*}} : memref<4x3xi8>) group = 32 : memref<4x70xf32> -> memref<4x70xi8>, memref<4x3xf16>
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>
  lab.quantize %x -> %q, %s zero(%z : memref<4x3xi8>) group = 32
      : memref<4x70xf32> -> memref<4x70xi8>, memref<4x3xf16>
  // Three groups: three zero points of 4 bits in two bytes.
  // CHECK: lab.quantize {{.*}} zero(%{{.*}} : memref<4x2xi8>) group = 32 {code = ui4}
  lab.quantize %x -> %p, %s zero(%z4 : memref<4x2xi8>) group = 32 {code = ui4}
      : memref<4x70xf32> -> memref<4x35xi8>, memref<4x3xf16>
  // CHECK: lab.quantize {{.*}} group = channel {code = i4, divisor = #lab.divisor<unrounded>}
  lab.quantize %x -> %p, %sc zero(%zc : memref<4x1xi8>) group = channel
      {code = i4, divisor = #lab.divisor<unrounded>}
      : memref<4x70xf32> -> memref<4x35xi8>, memref<4x1xf32>
  // CHECK: lab.quantize {{.*}} group = tensor {code = ui8}
  lab.quantize %x -> %q, %st zero(%zt : memref<1x1xi8>) group = tensor {code = ui8}
      : memref<4x70xf32> -> memref<4x70xi8>, memref<1x1xf32>
  return
}

// CHECK-LABEL: func @encode
// GENERIC-LABEL: sym_name = "encode"
func.func @encode(%x: memref<4x6xf32>, %s: memref<1x1xf16>, %z: memref<1x1xi8>,
                  %d: memref<1x1xf32>, %q: memref<4x6xi8>, %e: memref<1x1xi8>,
                  %g: memref<1xf32>) {
  // CHECK: lab.encode %{{.*}}, %{{.*}} zero(%{{.*}} : memref<1x1xi8>) divisor(%{{.*}} : memref<1x1xf32>) -> %{{.*}} {code = ui8}
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 0>
  lab.encode %x, %s zero(%z : memref<1x1xi8>) divisor(%d : memref<1x1xf32>) -> %q {code = ui8}
      : memref<4x6xf32>, memref<1x1xf16> -> memref<4x6xi8>
  // CHECK: lab.encode %{{.*}}, %{{.*}} global(%{{.*}} : memref<1xf32>) -> %{{.*}} {code = f8E4M3FN, scale_type = f8E4M3FN}
  lab.encode %x, %e global(%g : memref<1xf32>) -> %q {code = f8E4M3FN, scale_type = f8E4M3FN}
      : memref<4x6xf32>, memref<1x1xi8> -> memref<4x6xi8>
  return
}

// CHECK-LABEL: func @dequantize
// GENERIC-LABEL: sym_name = "dequantize"
func.func @dequantize(%q: memref<3x7xi8>, %s: memref<3x4xf16>, %z: memref<3x4xi8>,
                      %y: memref<3x7xf32>) {
  // CHECK: lab.dequantize %{{.*}}, %{{.*}} -> %{{.*}} zero(%{{.*}} : memref<3x4xi8>) group = 2 {code = ui8}
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>
  lab.dequantize %q, %s -> %y zero(%z : memref<3x4xi8>) group = 2 {code = ui8}
      : memref<3x7xi8>, memref<3x4xf16> -> memref<3x7xf32>
  return
}

// CHECK-LABEL: func @gemm
// GENERIC-LABEL: sym_name = "gemm"
func.func @gemm(%a: memref<2x8xf32>, %b: memref<3x4xi8>, %s: memref<3x4xf16>,
                %z: memref<3x2xi8>, %c: memref<2x3xf32>) {
  // CHECK: lab.gemm %{{.*}}, %{{.*}} b_scale(%{{.*}} : memref<3x4xf16>) b_zero(%{{.*}} : memref<3x2xi8>) -> %{{.*}} group = 2 {code = ui4}
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 1>
  lab.gemm %a, %b b_scale(%s : memref<3x4xf16>) b_zero(%z : memref<3x2xi8>) -> %c group = 2
      {code = ui4} : memref<2x8xf32>, memref<3x4xi8> -> memref<2x3xf32>
  return
}

// CHECK-LABEL: func @min
func.func @min(%x: memref<300xf32>, %r: memref<f32>) {
  // CHECK: lab.reduce min blocked
  lab.reduce min blocked %x -> %r block = 16384 : memref<300xf32> -> memref<f32>
  return
}
