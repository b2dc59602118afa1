// The body of every op on a static tile: vectors of the length asked for, tails
// in power-of-two pieces, no lab op left. What the bodies compute is tested by
// running them (Integration/CPU).
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s --implicit-check-not=lab.
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s --check-prefix=WIDE --implicit-check-not=lab.
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=16 --canonicalize --cse | FileCheck %s --check-prefix=NARROW --implicit-check-not=lab.
// RUN: labgen-opt %s --lab-lower-tiles | FileCheck %s --check-prefix=DEFAULT

// 77 = 2 * 4 * 8 in the loop, 8 + 4 + 1 after it.
// CHECK-LABEL: func @axpy(
// WIDE-LABEL: func @axpy(
// NARROW-LABEL: func @axpy(
// DEFAULT-LABEL: func @axpy(
// DEFAULT: vector<8xf32>
func.func @axpy(%alpha: memref<f32>, %x: memref<77xf32>, %y: memref<77xf32>) {
  // CHECK: scf.for %{{.*}} = %c0 to %c64 step %c32
  // CHECK-COUNT-4: math.fma %{{.*}} : vector<8xf32>
  // CHECK: }
  // CHECK: math.fma %{{.*}} : vector<8xf32>
  // CHECK: math.fma %{{.*}} : vector<4xf32>
  // CHECK: math.fma %{{.*}} : vector<1xf32>
  // CHECK-NOT: math.fma
  // CHECK: return
  // WIDE-COUNT-4: math.fma %{{.*}} : vector<16xf32>
  // WIDE: math.fma %{{.*}} : vector<8xf32>
  // WIDE: math.fma %{{.*}} : vector<4xf32>
  // WIDE: math.fma %{{.*}} : vector<1xf32>
  // NARROW: scf.for %{{.*}} = %c0 to %c64 step %c16
  // NARROW-COUNT-4: math.fma %{{.*}} : vector<4xf32>
  lab.axpy %alpha, %x, %y : memref<f32>, memref<77xf32>, memref<77xf32>
  return
}

// bf16 is widened and rounded by bits, once: ties to even, NaN quiet.
// CHECK-LABEL: func @axpy_bf16(
func.func @axpy_bf16(%alpha: memref<bf16>, %x: memref<8xbf16>, %y: memref<8xbf16>) {
  // CHECK: arith.extui %{{.*}} : vector<8xi16> to vector<8xi32>
  // CHECK: math.fma %{{.*}} : vector<8xf32>
  // CHECK: %[[HIGH:.*]] = vector.shuffle %{{.*}} [1, 3, 5, 7, 9, 11, 13, 15] : vector<16xi16>
  // CHECK: %[[LOW:.*]] = vector.shuffle %{{.*}} [0, 2, 4, 6, 8, 10, 12, 14] : vector<16xi16>
  // CHECK: arith.cmpi ugt, %[[LOW]], %{{.*}} : vector<8xi16>
  // CHECK: arith.cmpf uno
  // CHECK-NOT: arith.truncf
  // CHECK: vector.store %{{.*}} : memref<8xbf16>, vector<8xbf16>
  lab.axpy %alpha, %x, %y : memref<bf16>, memref<8xbf16>, memref<8xbf16>
  return
}

// CHECK-LABEL: func @axpy_f16(
func.func @axpy_f16(%alpha: memref<f16>, %x: memref<8xf16>, %y: memref<8xf16>) {
  // CHECK: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
  // CHECK: math.fma %{{.*}} : vector<8xf32>
  // CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
  lab.axpy %alpha, %x, %y : memref<f16>, memref<8xf16>, memref<8xf16>
  return
}

// What the schedule tells a body: how far ahead to read.
// CHECK-LABEL: func @prefetch(
func.func @prefetch(%alpha: memref<f32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  // CHECK: %[[AHEAD:.*]] = arith.addi %{{.*}}, %c128
  // CHECK: memref.prefetch %{{.*}}[%[[AHEAD]]], read, locality<3>, data
  lab.axpy %alpha, %x, %y {kernel = #lab.kernel<prefetch = 512>} : memref<f32>, memref<64xf32>, memref<64xf32>
  return
}

// blocked: 128 accumulators are 16 registers, folded by halves; 200 = 128 + 72.
// CHECK-LABEL: func @sum_blocked(
func.func @sum_blocked(%x: memref<384xf32>, %r: memref<f32>) {
  // CHECK: %{{.*}}:16 = scf.for %{{.*}} = %c0 to %c384 step %c128
  // CHECK-COUNT-16: arith.addf %{{.*}} : vector<8xf32>
  // CHECK: scf.yield
  // CHECK-COUNT-15: arith.addf %{{.*}} : vector<8xf32>
  // CHECK: arith.addf %{{.*}} : vector<4xf32>
  // CHECK: arith.addf %{{.*}} : vector<2xf32>
  // CHECK: arith.addf %{{.*}} : vector<1xf32>
  // CHECK: memref.store
  lab.reduce sum blocked %x -> %r block = 16384 : memref<384xf32> -> memref<f32>
  return
}

// Elements that are missing leave their accumulators alone.
// CHECK-LABEL: func @sum_ragged(
func.func @sum_ragged(%x: memref<3xf32>, %r: memref<f32>) {
  // CHECK: arith.constant dense<[true, true, true, false, false, false, false, false]> : vector<8xi1>
  // CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
  lab.reduce sum blocked %x -> %r block = 16384 : memref<3xf32> -> memref<f32>
  return
}

// CHECK-LABEL: func @sum_sequential(
func.func @sum_sequential(%x: memref<384xf32>, %r: memref<f32>) {
  // CHECK: scf.for %{{.*}} = %c0 to %c384 step %c1 iter_args({{.*}}) -> (vector<1xf32>)
  // CHECK: arith.addf %{{.*}} : vector<1xf32>
  lab.reduce sum sequential %x -> %r block = 16384 : memref<384xf32> -> memref<f32>
  return
}

// compensated: the product is rounded first, then a Kahan step; the sum is made
// again where it is not finite, without corrections that are not.
// CHECK-LABEL: func @dot_compensated(
func.func @dot_compensated(%x: memref<256xf32>, %y: memref<256xf32>, %r: memref<f32>) {
  // CHECK: %{{.*}}:32 = scf.for
  // CHECK: %[[P:.*]] = arith.mulf
  // CHECK-NEXT: %[[Y:.*]] = arith.subf %[[P]], %[[C:.*]] : vector<8xf32>
  // CHECK-NEXT: %[[T:.*]] = arith.addf %[[S:.*]], %[[Y]]
  // CHECK-NEXT: %[[D:.*]] = arith.subf %[[T]], %[[S]]
  // CHECK-NEXT: arith.subf %[[D]], %[[Y]]
  // CHECK-NOT: arith.select
  // CHECK: scf.if
  // CHECK: %[[T2:.*]] = arith.addf %[[S2:.*]], %{{.*}} : vector<8xf32>
  // CHECK-NEXT: %[[D2:.*]] = arith.subf %[[T2]], %[[S2]]
  // CHECK-NEXT: %[[C2:.*]] = arith.subf %[[D2]]
  // CHECK-NEXT: %[[A:.*]] = math.absf %[[D2]]
  // CHECK-NEXT: %[[F:.*]] = arith.cmpf olt, %[[A]]
  // CHECK-NEXT: arith.select %[[F]], %[[C2]]
  // CHECK-NOT: math.fma
  // CHECK: return
  lab.reduce dot compensated %x, %y -> %r block = 16384 : memref<256xf32>, memref<256xf32> -> memref<f32>
  return
}

// pairwise: the runs' sums in local memory, neighbours added level by level.
// CHECK-LABEL: func @sum_pairwise(
func.func @sum_pairwise(%x: memref<48xf32>, %r: memref<f32>) {
  // CHECK: %[[NODES:.*]] = memref.alloca() {alignment = 64 : i64} : memref<3xf32>
  // CHECK: vector.store %{{.*}}, %[[NODES]]
  // CHECK: %[[L:.*]] = vector.load %[[NODES]][%c0]
  // CHECK: %[[R:.*]] = vector.load %[[NODES]][%c1]
  // CHECK: arith.addf %[[L]], %[[R]] : vector<1xf32>
  lab.reduce sum pairwise %x -> %r block = 16 : memref<48xf32> -> memref<f32>
  return
}

// max propagates NaN and starts from -Inf; absmax from 0.
// CHECK-LABEL: func @max(
func.func @max(%x: memref<256xf16>, %r: memref<f32>) {
  // CHECK: arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK: arith.maximumf %{{.*}} : vector<8xf32>
  // CHECK-NOT: arith.maxnumf
  lab.reduce max blocked %x -> %r block = 16384 : memref<256xf16> -> memref<f32>
  return
}

// CHECK-LABEL: func @absmax(
func.func @absmax(%x: memref<256xf64>, %r: memref<f64>) {
  // CHECK: math.absf %{{.*}} : vector<4xf64>
  // CHECK: arith.maximumf %{{.*}} : vector<4xf64>
  lab.reduce absmax blocked %x -> %r block = 16384 : memref<256xf64> -> memref<f64>
  return
}

// An empty reduction writes its identity.
// CHECK-LABEL: func @max_of_nothing(
func.func @max_of_nothing(%x: memref<0xf32>, %r: memref<f32>) {
  // CHECK: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // CHECK-NEXT: memref.store %[[INF]]
  lab.reduce max blocked %x -> %r block = 16384 : memref<0xf32> -> memref<f32>
  return
}

// Partial results: one per span, the last of what is left.
// CHECK-LABEL: func @partial(
func.func @partial(%x: memref<300xf32>, %r: memref<3xf32>) {
  // CHECK: scf.for %[[I:.*]] = %c0 to %c2 step %c1
  // CHECK:   vector.store %{{.*}}, %{{.*}}[%[[I]]] : memref<3xf32>, vector<1xf32>
  // CHECK: vector.store %{{.*}}, %{{.*}}[%c2] : memref<3xf32>, vector<1xf32>
  lab.reduce sum blocked %x -> %r block = 128 : memref<300xf32> -> memref<3xf32>
  return
}

// Codes times a scale, one multiplication, one rounding.
// CHECK-LABEL: func @dequantize(
func.func @dequantize(%q: memref<1x32xi8>, %s: memref<1x1xf16>, %y: memref<1x32xf32>) {
  // CHECK: arith.extf %{{.*}} : vector<1xf16> to vector<1xf32>
  // CHECK: arith.sitofp %{{.*}} : vector<32xi32> to vector<32xf32>
  // CHECK: arith.mulf
  // CHECK: vector.store %{{.*}} : memref<1x32xf32>, vector<32xf32>
  lab.dequantize %q, %s -> %y group = 32 : memref<1x32xi8>, memref<1x1xf16> -> memref<1x32xf32>
  return
}

// The scales of a register of groups are decoded at once and broadcast from
// memory near by; a step takes two of these groups. Small floats come by f16.
// CHECK-LABEL: func @dequantize_batch(
func.func @dequantize_batch(%q: memref<1x136xi8>, %s: memref<1x9xf16>, %y: memref<1x136xbf16>) {
  // CHECK: %[[NEAR:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  // CHECK: vector.load %{{.*}} : memref<1x9xf16>, vector<8xf16>
  // CHECK: vector.store %{{.*}}, %[[NEAR]]
  // CHECK: scf.for
  // CHECK-COUNT-2: vector.load %[[NEAR]][%{{.*}}] : memref<8xf32>, vector<1xf32>
  // CHECK: vector.load %{{.*}} : memref<1x136xi8>, vector<32xi8>
  // CHECK: arith.extf %{{.*}} : vector<32xf16> to vector<32xf32>
  // CHECK: vector.store %{{.*}} : memref<1x136xbf16>, vector<32xbf16>
  lab.dequantize %q, %s -> %y group = 16 {code = f8E4M3FN}
      : memref<1x136xi8>, memref<1x9xf16> -> memref<1x136xbf16>
  return
}

// 4-bit floats in words of any target, where the schedule says that this one
// has instructions.
// CHECK-LABEL: func @dequantize_table(
func.func @dequantize_table(%q: memref<1x16xi8>, %s: memref<1x1xf32>, %y: memref<1x32xf32>) {
  // CHECK: arith.extf %{{.*}} : vector<32xf4E2M1FN> to vector<32xf32>
  // CHECK-NOT: llvm.
  lab.dequantize %q, %s -> %y group = 32 {code = f4E2M1FN, kernel = #lab.kernel<extend = [f4E2M1FN]>}
      : memref<1x16xi8>, memref<1x1xf32> -> memref<1x32xf32>
  return
}

// Two codes to the byte, low nibble first: both are moved up and down again.
// CHECK-LABEL: func @dequantize_i4(
func.func @dequantize_i4(%q: memref<1x4xi8>, %s: memref<1x1xf32>, %y: memref<1x8xf32>) {
  // CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<1x4xi8>, vector<4xi8>
  // CHECK: %[[UP:.*]] = arith.shli %[[B]]
  // CHECK: %[[LOW:.*]] = arith.shrsi %[[UP]]
  // CHECK: %[[HIGH:.*]] = arith.shrsi %[[B]]
  // CHECK: vector.interleave %[[LOW]], %[[HIGH]] : vector<4xi8>
  lab.dequantize %q, %s -> %y group = 8 {code = i4} : memref<1x4xi8>, memref<1x1xf32> -> memref<1x8xf32>
  return
}

// The largest bits of a group, the scale, codes by a corrected quotient.
// CHECK-LABEL: func @quantize(
func.func @quantize(%x: memref<1x8xf32>, %q: memref<1x8xi8>, %s: memref<1x1xf32>) {
  // CHECK: arith.constant dense<1.270000e+02> : vector<1xf32>
  // CHECK: vector.reduction <maxui>
  // CHECK: arith.divf
  // CHECK: vector.store %{{.*}} : memref<1x1xf32>, vector<1xf32>
  // CHECK: math.fma
  // CHECK: math.fma
  // CHECK: vector.store %{{.*}} : memref<1x8xi8>, vector<8xi8>
  lab.quantize %x -> %q, %s group = 8 : memref<1x8xf32> -> memref<1x8xi8>, memref<1x1xf32>
  return
}

// By reciprocals where these are in f32, and the full range, as the attributes say.
// CHECK-LABEL: func @quantize_rules(
func.func @quantize_rules(%x: memref<1x8xf32>, %q: memref<1x8xi8>, %s: memref<1x1xf32>) {
  // CHECK: arith.constant dense<1.275000e+02> : vector<1xf32>
  // CHECK: arith.cmpf ole, %{{.*}} : vector<1xf32>
  // CHECK: %[[X:.*]] = arith.mulf %{{.*}} : vector<8xf32>
  // CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[X]]
  // CHECK-NEXT: %[[REST:.*]] = math.fma %[[Q]], %{{.*}}, %[[X]]
  // CHECK-NEXT: math.fma %[[REST]], %{{.*}}, %[[Q]]
  // CHECK: math.copysign
  // CHECK: arith.fptosi
  // CHECK: return
  lab.quantize %x -> %q, %s group = 8 {inverse = #lab.inverse<reciprocal>, range = #lab.range<full>, round = #lab.rounding<away>}
      : memref<1x8xf32> -> memref<1x8xi8>, memref<1x1xf32>
  return
}

// CHECK-LABEL: func @encode(
func.func @encode(%x: memref<1x16xf32>, %s: memref<1x1xf32>, %q: memref<1x8xi8>) {
  // CHECK: memref<1x1xf32>, vector<1xf32>
  // CHECK-NOT: vector.reduction
  // CHECK: vector.store %{{.*}} : memref<1x8xi8>, vector<4xi8>
  lab.encode %x, %s -> %q {code = i4} : memref<1x16xf32>, memref<1x1xf32> -> memref<1x8xi8>
  return
}

// Outer products: a tile of c in registers, one element of a and a row of
// k-major b a step.
// CHECK-LABEL: func @gemm_outer(
// WIDE-LABEL: func @gemm_outer(
func.func @gemm_outer(%a: memref<2x32xf32>, %b: memref<16x32xf32, strided<[1, 16]>>, %c: memref<2x16xf32>) {
  // CHECK: %{{.*}}:4 = scf.for %{{.*}} = %c0 to %c32 step %c4 {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
  // CHECK-COUNT-16: math.fma %{{.*}} : vector<8xf32>
  // CHECK: scf.yield
  // CHECK-COUNT-4: vector.store
  // WIDE: %{{.*}}:2 = scf.for
  // WIDE-COUNT-8: math.fma %{{.*}} : vector<16xf32>
  lab.gemm %a, %b -> %c {kernel = #lab.kernel<outer>}
      : memref<2x32xf32>, memref<16x32xf32, strided<[1, 16]>> -> memref<2x16xf32>
  return
}

// Added to: c is read first.
// CHECK-LABEL: func @gemm_accumulate(
func.func @gemm_accumulate(%a: memref<1x4xf32>, %b: memref<8x4xf32, strided<[1, 8]>>, %c: memref<1x8xf32>) {
  // CHECK: vector.load %{{.*}} : memref<1x8xf32>, vector<8xf32>
  // CHECK: math.fma
  lab.gemm %a, %b -> %c {accumulate} : memref<1x4xf32>, memref<8x4xf32, strided<[1, 8]>> -> memref<1x8xf32>
  return
}

// k = 0 writes zeros.
// CHECK-LABEL: func @gemm_nothing(
func.func @gemm_nothing(%a: memref<1x0xf32>, %b: memref<8x0xf32>, %c: memref<1x8xf32>) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
  // CHECK: vector.store %[[ZERO]]
  // CHECK-NOT: math.fma
  // CHECK: return
  lab.gemm %a, %b -> %c : memref<1x0xf32>, memref<8x0xf32> -> memref<1x8xf32>
  return
}

// Dot products of rows that lie along k; the lanes are folded at the end.
// CHECK-LABEL: func @gemm_dot(
func.func @gemm_dot(%a: memref<2x640xf32>, %b: memref<2x640xf32>, %c: memref<2x2xf32>) {
  // CHECK: scf.for
  // CHECK: math.fma %{{.*}} : vector<8xf32>
  // CHECK-COUNT-4: vector.reduction <add>
  lab.gemm %a, %b -> %c {kernel = #lab.kernel<dot>} : memref<2x640xf32>, memref<2x640xf32> -> memref<2x2xf32>
  return
}

// A copy whose destination runs the other way goes by square blocks.
// CHECK-LABEL: func @copy_transposed(
func.func @copy_transposed(%x: memref<8x8xf32>, %y: memref<8x8xf32, strided<[1, 8]>>) {
  // CHECK-COUNT-8: vector.load
  // CHECK-COUNT-24: vector.shuffle
  // CHECK-COUNT-8: vector.store
  lab.copy %x -> %y : memref<8x8xf32> -> memref<8x8xf32, strided<[1, 8]>>
  return
}

// CHECK-LABEL: func @copy_widens(
func.func @copy_widens(%x: memref<1x8xf16>, %y: memref<1x8xf32>) {
  // CHECK: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
  lab.copy %x -> %y : memref<1x8xf16> -> memref<1x8xf32>
  return
}
