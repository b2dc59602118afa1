// Integer dot products in the steps the schedule names, in two vector lengths;
// no target is named.
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=32 --canonicalize --cse | FileCheck %s --implicit-check-not=lab.
// RUN: labgen-opt %s --lab-lower-tiles=vector-bytes=64 --canonicalize --cse | FileCheck %s --check-prefix=WIDE --implicit-check-not=lab.

// CHECK-LABEL: func @gemm_quads(
// WIDE-LABEL: func @gemm_quads(
func.func @gemm_quads(%a: memref<1x64xi8>, %b: memref<1x64xi8>, %c: memref<1x1xi32>) {
  // CHECK: arith.constant dense<-128> : vector<32xi8>
  // CHECK: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1] : vector<8x4xi32> to vector<8xi32>
  // CHECK-NOT: llvm.call_intrinsic
  // WIDE: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1] : vector<16x4xi32> to vector<16xi32>
  lab.gemm %a, %b -> %c {kernel = #lab.kernel<dot, integer_dot = quads>} : memref<1x64xi8>, memref<1x64xi8> -> memref<1x1xi32>
  return
}

// CHECK-LABEL: func @gemm_pairs(
// WIDE-LABEL: func @gemm_pairs(
func.func @gemm_pairs(%a: memref<1x64xi8>, %b: memref<1x64xi8>, %c: memref<1x1xi32>) {
  // CHECK: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1] : vector<8x2xi32> to vector<8xi32>
  // CHECK-NOT: llvm.call_intrinsic
  // WIDE: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1] : vector<16x2xi32> to vector<16xi32>
  lab.gemm %a, %b -> %c {kernel = #lab.kernel<dot, integer_dot = pairs>} : memref<1x64xi8>, memref<1x64xi8> -> memref<1x1xi32>
  return
}

// CHECK-LABEL: func @gemm_generic(
// WIDE-LABEL: func @gemm_generic(
func.func @gemm_generic(%a: memref<1x64xi8>, %b: memref<1x64xi8>, %c: memref<1x1xi32>) {
  // CHECK: arith.muli %{{.*}} : vector<8xi32>
  // CHECK-NOT: llvm.call_intrinsic
  // WIDE: arith.muli %{{.*}} : vector<16xi32>
  lab.gemm %a, %b -> %c : memref<1x64xi8>, memref<1x64xi8> -> memref<1x1xi32>
  return
}

// Codes on both sides: integers within a group, f32 across groups.
// CHECK-LABEL: func @gemm_scaled(
func.func @gemm_scaled(%a: memref<1x64xi8>, %sa: memref<1x2xf32>, %b: memref<1x64xi8>, %sb: memref<1x2xf16>, %c: memref<1x1xf32>) {
  // CHECK: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1] : vector<8x4xi32> to vector<8xi32>
  // CHECK: arith.sitofp %{{.*}} : vector<8xi32> to vector<8xf32>
  // CHECK: math.fma %{{.*}} : vector<8xf32>
  // CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<8xf32> into f32
  lab.gemm %a, %b a_scale(%sa : memref<1x2xf32>) b_scale(%sb : memref<1x2xf16>) -> %c group = 32
      {compute = i8, kernel = #lab.kernel<integer_dot = quads>} : memref<1x64xi8>, memref<1x64xi8> -> memref<1x1xf32>
  return
}

// Float dot products: scales of a register of groups are decoded at once, the
// one of the ninth group by itself.
// CHECK-LABEL: func @scaled(
func.func @scaled(%a: memref<1x72xf32>, %b: memref<1x72xi8>, %s: memref<1x9xf16>, %c: memref<1x1xf32>) {
  // CHECK: %[[NEAR:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
  // CHECK: vector.load %{{.*}} : memref<1x9xf16>, vector<8xf16>
  // CHECK: vector.store %{{.*}}, %[[NEAR]]
  // CHECK: scf.for
  // CHECK: vector.load %[[NEAR]][%{{.*}}] : memref<8xf32>, vector<1xf32>
  // CHECK: math.fma
  // CHECK: vector.load %{{.*}} : memref<1x9xf16>, vector<1xf16>
  // CHECK: math.fma
  lab.gemm %a, %b b_scale(%s : memref<1x9xf16>) -> %c group = 8 {kernel = #lab.kernel<dot>}
      : memref<1x72xf32>, memref<1x72xi8> -> memref<1x1xf32>
  return
}
