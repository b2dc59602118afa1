// Every op and every attribute form of the dialect, through the printer and
// the parser twice, in the pretty and in the generic form.
// RUN: labgen-opt %s --verify-roundtrip | FileCheck %s
// RUN: labgen-opt %s --mlir-print-op-generic | labgen-opt | FileCheck %s
// RUN: labgen-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func @quantize
// GENERIC-LABEL: sym_name = "quantize"
func.func @quantize(%x: memref<64x256xf32>, %q: memref<64x256xi8>, %s: memref<64x8xf32>) {
  // Defaults are not printed.
  // CHECK: lab.quantize %{{.*}} -> %{{.*}}, %{{.*}} group = 32 : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  // GENERIC: "lab.quantize"(%{{.*}}, %{{.*}}, %{{.*}}) <{divisor = #lab.divisor<stored>, group = 32 : i64, inverse = #lab.inverse<divide>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, range = #lab.range<narrow>, round = #lab.rounding<even>, rule = #lab.rule<floor>}>
  lab.quantize %x -> %q, %s group = 32
      : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  // CHECK: lab.quantize {{.*}} group = 32 {divisor = #lab.divisor<unrounded>, inverse = #lab.inverse<reciprocal>, range = #lab.range<full>, round = #lab.rounding<away>}
  lab.quantize %x -> %q, %s group = 32
      {divisor = #lab.divisor<unrounded>, inverse = #lab.inverse<reciprocal>,
       range = #lab.range<full>, round = #lab.rounding<away>}
      : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  // CHECK: lab.quantize {{.*}} group = 32 {round = #lab.rounding<zero>}
  lab.quantize %x -> %q, %s group = 32
      {divisor = #lab.divisor<stored>, inverse = #lab.inverse<divide>,
       range = #lab.range<narrow>, round = #lab.rounding<zero>}
      : memref<64x256xf32> -> memref<64x256xi8>, memref<64x8xf32>
  return
}

// CHECK-LABEL: func @quantize_groups
// GENERIC-LABEL: sym_name = "quantize_groups"
func.func @quantize_groups(%x: memref<3x7xbf16>, %q: memref<3x4xi8>,
                           %sg: memref<3x2xf16>, %sc: memref<3x1xbf16>, %st: memref<1x1xf32>) {
  // Packed codes, a ragged last group, every scale type.
  // CHECK: lab.quantize {{.*}} group = 4 {code = i4} : memref<3x7xbf16> -> memref<3x4xi8>, memref<3x2xf16>
  // GENERIC: "lab.quantize"{{.*}}code = i4,
  lab.quantize %x -> %q, %sg group = 4 {code = i4}
      : memref<3x7xbf16> -> memref<3x4xi8>, memref<3x2xf16>
  // CHECK: lab.quantize {{.*}} group = channel {code = i4}
  // GENERIC: "lab.quantize"{{.*}} group = -1 : i64
  lab.quantize %x -> %q, %sc group = channel {code = i4}
      : memref<3x7xbf16> -> memref<3x4xi8>, memref<3x1xbf16>
  // CHECK: lab.quantize {{.*}} group = tensor {code = i4}
  // GENERIC: "lab.quantize"{{.*}} group = 0 : i64
  lab.quantize %x -> %q, %st group = tensor {code = i4}
      : memref<3x7xbf16> -> memref<3x4xi8>, memref<1x1xf32>
  return
}

// CHECK-LABEL: func @dynamic
func.func @dynamic(%x: memref<?x?xf16>, %q: memref<?x?xi8>, %s: memref<?x?xf32>,
                   %c: memref<?x?xf32>) {
  // CHECK: lab.quantize {{.*}} : memref<?x?xf16> -> memref<?x?xi8>, memref<?x?xf32>
  lab.quantize %x -> %q, %s group = 32 : memref<?x?xf16> -> memref<?x?xi8>, memref<?x?xf32>
  // CHECK: lab.dequantize {{.*}} : memref<?x?xi8>, memref<?x?xf32> -> memref<?x?xf16>
  lab.dequantize %q, %s -> %x group = 32 : memref<?x?xi8>, memref<?x?xf32> -> memref<?x?xf16>
  // CHECK: lab.gemm {{.*}} : memref<?x?xf16>, memref<?x?xf16> -> memref<?x?xf32>
  lab.gemm %x, %x -> %c : memref<?x?xf16>, memref<?x?xf16> -> memref<?x?xf32>
  return
}

// CHECK-LABEL: func @strided
func.func @strided(%x: memref<4x8xf32, strided<[64, 1], offset: ?>>, %y: memref<4x8xf32>) {
  // CHECK: lab.copy {{.*}} : memref<4x8xf32, strided<[64, 1], offset: ?>> -> memref<4x8xf32>
  lab.copy %x -> %y : memref<4x8xf32, strided<[64, 1], offset: ?>> -> memref<4x8xf32>
  return
}

// CHECK-LABEL: func @encode
// GENERIC-LABEL: sym_name = "encode"
func.func @encode(%x: memref<4x6xf32>, %s: memref<1x1xf32>, %q: memref<4x6xi8>, %p: memref<4x3xi8>) {
  // CHECK: lab.encode %{{.*}}, %{{.*}} -> %{{.*}} : memref<4x6xf32>, memref<1x1xf32> -> memref<4x6xi8>
  // GENERIC: "lab.encode"({{.*}}) <{inverse = #lab.inverse<divide>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0>, range = #lab.range<narrow>, round = #lab.rounding<even>}>
  lab.encode %x, %s -> %q : memref<4x6xf32>, memref<1x1xf32> -> memref<4x6xi8>
  // CHECK: lab.encode {{.*}} {code = i4, inverse = #lab.inverse<reciprocal>, range = #lab.range<full>, round = #lab.rounding<away>}
  lab.encode %x, %s -> %p {code = i4, inverse = #lab.inverse<reciprocal>,
      range = #lab.range<full>, round = #lab.rounding<away>}
      : memref<4x6xf32>, memref<1x1xf32> -> memref<4x3xi8>
  return
}

// CHECK-LABEL: func @dequantize
// GENERIC-LABEL: sym_name = "dequantize"
func.func @dequantize(%q: memref<3x7xi8>, %p: memref<3x4xi8>, %sg: memref<3x4xf16>,
                      %sc: memref<3x1xf32>, %st: memref<1x1xbf16>, %y: memref<3x7xf32>,
                      %h: memref<3x7xbf16>) {
  // CHECK: lab.dequantize {{.*}} group = 2 {code = i4} : memref<3x4xi8>, memref<3x4xf16> -> memref<3x7xf32>
  // GENERIC: "lab.dequantize"({{.*}}) <{code = i4, group = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}>
  lab.dequantize %p, %sg -> %y group = 2 {code = i4}
      : memref<3x4xi8>, memref<3x4xf16> -> memref<3x7xf32>
  // CHECK: lab.dequantize {{.*}} group = channel : memref<3x7xi8>, memref<3x1xf32> -> memref<3x7xbf16>
  lab.dequantize %q, %sc -> %h group = channel
      : memref<3x7xi8>, memref<3x1xf32> -> memref<3x7xbf16>
  // CHECK: lab.dequantize {{.*}} group = tensor : memref<3x7xi8>, memref<1x1xbf16> -> memref<3x7xf32>
  lab.dequantize %q, %st -> %y group = tensor
      : memref<3x7xi8>, memref<1x1xbf16> -> memref<3x7xf32>
  return
}

// CHECK-LABEL: func @axpy
// GENERIC-LABEL: sym_name = "axpy"
func.func @axpy(%a: memref<f64>, %x: memref<5xf64>, %y: memref<5xf64>,
                %ah: memref<f16>, %xh: memref<?xf16>, %yh: memref<5xf16>) {
  // CHECK: lab.axpy %{{.*}}, %{{.*}}, %{{.*}} : memref<f64>, memref<5xf64>, memref<5xf64>
  // GENERIC: "lab.axpy"(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<f64>, memref<5xf64>, memref<5xf64>) -> ()
  lab.axpy %a, %x, %y : memref<f64>, memref<5xf64>, memref<5xf64>
  // CHECK: lab.axpy {{.*}} : memref<f16>, memref<?xf16>, memref<5xf16>
  lab.axpy %ah, %xh, %yh : memref<f16>, memref<?xf16>, memref<5xf16>
  return
}

// CHECK-LABEL: func @reduce
// GENERIC-LABEL: sym_name = "reduce"
func.func @reduce(%x: memref<300xf32>, %r: memref<f32>, %h: memref<300xbf16>,
                  %d: memref<300xf64>, %rd: memref<f64>, %w: memref<3xf32>, %w2: memref<2xf32>) {
  // CHECK: lab.reduce sum sequential %{{.*}} -> %{{.*}} block = 16384 : memref<300xf32> -> memref<f32>
  // GENERIC: "lab.reduce"({{.*}}) <{block = 16384 : i64, kind = #lab.kind<sum>, order = #lab.order<sequential>}>
  lab.reduce sum sequential %x -> %r block = 16384 : memref<300xf32> -> memref<f32>
  // CHECK: lab.reduce dot blocked %{{.*}}, %{{.*}} -> %{{.*}} block = 128 : memref<300xbf16>, memref<300xbf16> -> memref<f32>
  lab.reduce dot blocked %h, %h -> %r block = 128
      : memref<300xbf16>, memref<300xbf16> -> memref<f32>
  // CHECK: lab.reduce sumsq pairwise %{{.*}} -> %{{.*}} block = 16 : memref<300xf64> -> memref<f64>
  lab.reduce sumsq pairwise %d -> %rd block = 16 : memref<300xf64> -> memref<f64>
  // CHECK: lab.reduce sum compensated
  lab.reduce sum compensated %x -> %r block = 2 : memref<300xf32> -> memref<f32>
  // CHECK: lab.reduce max blocked
  lab.reduce max blocked %x -> %r block = 16384 : memref<300xf32> -> memref<f32>
  // CHECK: lab.reduce absmax blocked
  lab.reduce absmax blocked %x -> %r block = 16384 : memref<300xf32> -> memref<f32>
  // One result per block, and one per span of several blocks.
  // CHECK: lab.reduce sum blocked %{{.*}} -> %{{.*}} block = 128 : memref<300xf32> -> memref<3xf32>
  lab.reduce sum blocked %x -> %w block = 128 : memref<300xf32> -> memref<3xf32>
  // CHECK: lab.reduce sum pairwise %{{.*}} -> %{{.*}} block = 16 span = 256 : memref<300xf32> -> memref<2xf32>
  // GENERIC: "lab.reduce"{{.*}} span = 256 : i64
  lab.reduce sum pairwise %x -> %w2 block = 16 span = 256 : memref<300xf32> -> memref<2xf32>
  return
}

// CHECK-LABEL: func @gemm
// GENERIC-LABEL: sym_name = "gemm"
func.func @gemm(%a: memref<2x8xf32>, %b: memref<3x8xf32>, %bh: memref<3x8xbf16>, %c: memref<2x3xf32>,
                %ai: memref<2x8xi8>, %bi: memref<3x8xi8>, %ci: memref<2x3xi32>,
                %b4: memref<3x4xi8>, %sa: memref<2x2xf32>, %sb: memref<3x2xf16>,
                %sc: memref<3x1xf32>, %st: memref<1x1xf32>) {
  // CHECK: lab.gemm %{{.*}}, %{{.*}} -> %{{.*}} : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  // GENERIC: "lab.gemm"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1>}>
  lab.gemm %a, %b -> %c : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  // One side widened already: what is left of packing the other.
  // CHECK: lab.gemm {{.*}} : memref<2x8xf32>, memref<3x8xbf16> -> memref<2x3xf32>
  lab.gemm %a, %bh -> %c : memref<2x8xf32>, memref<3x8xbf16> -> memref<2x3xf32>
  // CHECK: lab.gemm {{.*}} {accumulate} :
  lab.gemm %a, %b -> %c {accumulate} : memref<2x8xf32>, memref<3x8xf32> -> memref<2x3xf32>
  // CHECK: lab.gemm {{.*}} : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xi32>
  lab.gemm %ai, %bi -> %ci : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xi32>
  // CHECK: lab.gemm %{{.*}}, %{{.*}} b_scale(%{{.*}} : memref<3x2xf16>) -> %{{.*}} group = 4 {code = i4} : memref<2x8xf32>, memref<3x4xi8> -> memref<2x3xf32>
  lab.gemm %a, %b4 b_scale(%sb : memref<3x2xf16>) -> %c group = 4 {code = i4}
      : memref<2x8xf32>, memref<3x4xi8> -> memref<2x3xf32>
  // CHECK: lab.gemm {{.*}} group = channel {compute = i8}
  lab.gemm %a, %bi b_scale(%sc : memref<3x1xf32>) -> %c group = channel {compute = i8}
      : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  // CHECK: lab.gemm {{.*}} group = tensor {compute = f32}
  lab.gemm %a, %bi b_scale(%st : memref<1x1xf32>) -> %c group = tensor {compute = f32}
      : memref<2x8xf32>, memref<3x8xi8> -> memref<2x3xf32>
  // CHECK: lab.gemm %{{.*}}, %{{.*}} a_scale(%{{.*}} : memref<2x2xf32>) b_scale(%{{.*}} : memref<3x2xf16>) -> %{{.*}} group = 4 {compute = i8}
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1>
  lab.gemm %ai, %bi a_scale(%sa : memref<2x2xf32>) b_scale(%sb : memref<3x2xf16>) -> %c
      group = 4 {compute = i8} : memref<2x8xi8>, memref<3x8xi8> -> memref<2x3xf32>
  return
}

// CHECK-LABEL: func @copy
func.func @copy(%f: memref<4x8xf32>, %h: memref<4x8xf16>, %b: memref<4x8xbf16>, %i: memref<4x8xi8>) {
  // CHECK: lab.copy {{.*}} : memref<4x8xf16> -> memref<4x8xf32>
  lab.copy %h -> %f : memref<4x8xf16> -> memref<4x8xf32>
  // CHECK: lab.copy {{.*}} : memref<4x8xbf16> -> memref<4x8xf32>
  lab.copy %b -> %f : memref<4x8xbf16> -> memref<4x8xf32>
  // CHECK: lab.copy {{.*}} : memref<4x8xi8> -> memref<4x8xi8>
  lab.copy %i -> %i : memref<4x8xi8> -> memref<4x8xi8>
  return
}

// CHECK-LABEL: func @schedules
func.func @schedules(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // CHECK: {schedule = #lab.schedule<>}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  // CHECK: {schedule = #lab.schedule<kernel<dot>>}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<kernel<dot>>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  // CHECK: {schedule = #lab.schedule<block [32, 16, 0], loop [0, 0, 32] pack [1] stage [0] by [8, 16], loop [8, 0, 0], kernel<outer, prefetch = 512, nontemporal>>}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<block [32, 16, 0],
      loop [0, 0, 32] pack [1] stage [0] by [8, 16], loop [8, 0, 0],
      kernel<outer, prefetch = 512, nontemporal>>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  // CHECK: {schedule = #lab.schedule<loop [0, 0, 32] stage [0, 1] by [8, 16]>}
  lab.gemm %a, %a -> %c {schedule = #lab.schedule<loop [0, 0, 32] stage [0, 1] by [8, 16]>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  // What tiles carry.
  // CHECK: {kernel = #lab.kernel<outer>}
  lab.gemm %a, %a -> %c {kernel = #lab.kernel<outer>}
      : memref<64x64xf32>, memref<64x64xf32> -> memref<64x64xf32>
  return
}

// Formats MLIR has no memory type of its own for lie in bytes, and are named.
// CHECK-LABEL: func @formats
// GENERIC-LABEL: sym_name = "formats"
func.func @formats(%x: memref<4x64xf32>, %q8: memref<4x64xi8>, %q4: memref<4x32xi8>,
                   %q6: memref<4x48xi8>, %s: memref<4x2xi8>, %sf: memref<4x2xf32>,
                   %c: memref<4x4xf32>) {
  // CHECK: lab.quantize {{.*}} group = 32 {code = f4E2M1FN, rule = #lab.rule<rceil>, scale_type = f8E8M0FNU}
  // GENERIC: rule = #lab.rule<rceil>, scale_type = f8E8M0FNU}
  lab.quantize %x -> %q4, %s group = 32 {code = f4E2M1FN, scale_type = f8E8M0FNU, rule = #lab.rule<rceil>}
      : memref<4x64xf32> -> memref<4x32xi8>, memref<4x2xi8>
  // CHECK: lab.quantize {{.*}} {code = f6E3M2FN, rule = #lab.rule<ceil>, scale_type = f8E8M0FNU}
  lab.quantize %x -> %q6, %s group = 32 {code = f6E3M2FN, scale_type = f8E8M0FNU, rule = #lab.rule<ceil>}
      : memref<4x64xf32> -> memref<4x48xi8>, memref<4x2xi8>
  // CHECK: lab.quantize {{.*}} {code = f8E4M3FN, rule = #lab.rule<even>, scale_type = f8E8M0FNU}
  lab.quantize %x -> %q8, %s group = 32 {code = f8E4M3FN, scale_type = f8E8M0FNU, rule = #lab.rule<even>}
      : memref<4x64xf32> -> memref<4x64xi8>, memref<4x2xi8>
  // CHECK: lab.quantize {{.*}} {code = f8E5M2}
  lab.quantize %x -> %q8, %sf group = 32 {code = f8E5M2} : memref<4x64xf32> -> memref<4x64xi8>, memref<4x2xf32>
  // CHECK: lab.dequantize {{.*}} {code = f4E2M1FN, scale_type = f8E8M0FNU}
  lab.dequantize %q4, %s -> %x group = 32 {code = f4E2M1FN, scale_type = f8E8M0FNU}
      : memref<4x32xi8>, memref<4x2xi8> -> memref<4x64xf32>
  // CHECK: lab.gemm {{.*}} group = 32 {code = f8E4M3FN, scale_type = f8E8M0FNU}
  lab.gemm %x, %q8 b_scale(%s : memref<4x2xi8>) -> %c group = 32 {code = f8E4M3FN, scale_type = f8E8M0FNU}
      : memref<4x64xf32>, memref<4x64xi8> -> memref<4x4xf32>
  return
}

// CHECK-LABEL: func @cast
// GENERIC-LABEL: sym_name = "cast"
func.func @cast(%x: memref<9xf32>, %h: memref<9xf16>, %b: memref<9xi8>, %p: memref<5xi8>) {
  // CHECK: lab.cast %{{.*}} -> %{{.*}} : memref<9xf32> -> memref<9xf16>
  // GENERIC: "lab.cast"(%{{.*}}, %{{.*}}) <{round = #lab.rounding<even>}>
  lab.cast %x -> %h : memref<9xf32> -> memref<9xf16>
  // CHECK: lab.cast {{.*}} {nan = #lab.nan<max>, out = f8E5M2, overflow = #lab.overflow<ieee>, round = #lab.rounding<away>}
  lab.cast %x -> %b {out = f8E5M2, overflow = #lab.overflow<ieee>, nan = #lab.nan<max>, round = #lab.rounding<away>}
      : memref<9xf32> -> memref<9xi8>
  // CHECK: lab.cast {{.*}} {nan = #lab.nan<propagate>, out = f8E4M3FN, overflow = #lab.overflow<saturate>}
  lab.cast %x -> %b {out = f8E4M3FN, overflow = #lab.overflow<saturate>, nan = #lab.nan<propagate>}
      : memref<9xf32> -> memref<9xi8>
  // CHECK: lab.cast {{.*}} {in = f4E2M1FN, out = tf32}
  lab.cast %p -> %x {in = f4E2M1FN, out = tf32} : memref<5xi8> -> memref<9xf32>
  return
}

// CHECK-LABEL: func @exp
func.func @exp(%x: memref<9xf32>, %h: memref<9xf16>, %b: memref<9xi8>) {
  // CHECK: lab.exp %{{.*}} -> %{{.*}} : memref<9xf32> -> memref<9xf16>
  lab.exp %x -> %h : memref<9xf32> -> memref<9xf16>
  // CHECK: lab.exp {{.*}} {in = f8E4M3FN, out = f8E5M2}
  lab.exp %b -> %b {in = f8E4M3FN, out = f8E5M2} : memref<9xi8> -> memref<9xi8>
  return
}

// Scales of f8E4M3FN are relative to one global scale, which quantize writes
// unless it is known already.
// CHECK-LABEL: func @relative
// GENERIC-LABEL: sym_name = "relative"
func.func @relative(%x: memref<4x32xf32>, %q: memref<4x16xi8>, %s: memref<4x2xi8>,
                    %g: memref<1xf32>, %c: memref<4x4xf32>, %v: memref<4xf32>, %r: memref<f32>) {
  // CHECK: lab.quantize %{{.*}} -> %{{.*}}, %{{.*}} global(%{{.*}} : memref<1xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN}
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN}
      : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  // CHECK: lab.quantize {{.*}} {code = f4E2M1FN, global_known, scale_type = f8E4M3FN}
  // GENERIC: global_known
  lab.quantize %x -> %q, %s global(%g : memref<1xf32>) group = 16 {code = f4E2M1FN, global_known, scale_type = f8E4M3FN}
      : memref<4x32xf32> -> memref<4x16xi8>, memref<4x2xi8>
  // CHECK: lab.dequantize %{{.*}}, %{{.*}} -> %{{.*}} global(%{{.*}} : memref<1xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN}
  lab.dequantize %q, %s -> %x global(%g : memref<1xf32>) group = 16 {code = f4E2M1FN, scale_type = f8E4M3FN}
      : memref<4x16xi8>, memref<4x2xi8> -> memref<4x32xf32>
  // CHECK: lab.gemm %{{.*}}, %{{.*}} b_scale(%{{.*}} : memref<4x2xi8>) b_global(%{{.*}} : memref<1xf32>) -> %{{.*}} group = 16
  // GENERIC: operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1>
  lab.gemm %x, %q b_scale(%s : memref<4x2xi8>) b_global(%g : memref<1xf32>) -> %c group = 16
      {code = f4E2M1FN, scale_type = f8E4M3FN} : memref<4x32xf32>, memref<4x16xi8> -> memref<4x4xf32>
  // CHECK: lab.reduce finite_absmax blocked {{.*}} block = 16384 {divisor = 2.688000e+03 : f32}
  lab.reduce finite_absmax blocked %v -> %r block = 16384 {divisor = 2688.0 : f32} : memref<4xf32> -> memref<f32>
  return
}

// A gemm of codes without scales, packed on either side; a C that is narrower
// than its sums; the copy that widens codes.
// CHECK-LABEL: func @codes
func.func @codes(%a: memref<2x7xi8>, %b: memref<3x4xi8>, %c: memref<2x3xbf16>, %ci: memref<2x3xi32>,
                 %w: memref<3x7xf32>) {
  // CHECK: lab.gemm {{.*}} {a_code = f8E4M3FN, code = f4E2M1FN} : memref<2x7xi8>, memref<3x4xi8> -> memref<2x3xbf16>
  lab.gemm %a, %b -> %c {a_code = f8E4M3FN, code = f4E2M1FN}
      : memref<2x7xi8>, memref<3x4xi8> -> memref<2x3xbf16>
  // CHECK: lab.gemm {{.*}} {a_code = ui8, code = i4} : memref<2x7xi8>, memref<3x4xi8> -> memref<2x3xi32>
  lab.gemm %a, %b -> %ci {a_code = ui8, code = i4}
      : memref<2x7xi8>, memref<3x4xi8> -> memref<2x3xi32>
  // CHECK: lab.copy {{.*}} {code = f4E2M1FN} : memref<3x4xi8> -> memref<3x7xf32>
  lab.copy %b -> %w {code = f4E2M1FN} : memref<3x4xi8> -> memref<3x7xf32>
  return
}
