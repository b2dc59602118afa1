// Small floats that no target reads are read by integer operations; what LLVM
// extends by itself stays.
// RUN: labgen-opt %s --lab-expand-floats --canonicalize | FileCheck %s

// CHECK-LABEL: func @four_bits(
// CHECK-SAME: %[[CODES:[a-z0-9]+]]: vector<16xi8>
func.func @four_bits(%codes: vector<16xi8>) -> vector<16xf32> {
  // CHECK-NOT: f4E2M1FN
  // CHECK: arith.andi %[[CODES]], %{{.*}} : vector<16xi8>
  // CHECK: return %{{.*}} : vector<16xf32>
  %0 = arith.trunci %codes : vector<16xi8> to vector<16xi4>
  %1 = arith.bitcast %0 : vector<16xi4> to vector<16xf4E2M1FN>
  %2 = arith.extf %1 : vector<16xf4E2M1FN> to vector<16xf32>
  return %2 : vector<16xf32>
}

// CHECK-LABEL: func @eight_bits(
func.func @eight_bits(%codes: vector<8xi8>) -> vector<8xf32> {
  // CHECK-NOT: f8E4M3FNUZ
  // CHECK: return %{{.*}} : vector<8xf32>
  %0 = arith.bitcast %codes : vector<8xi8> to vector<8xf8E4M3FNUZ>
  %1 = arith.extf %0 : vector<8xf8E4M3FNUZ> to vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @half(
func.func @half(%x: vector<8xf16>) -> vector<8xf32> {
  // CHECK: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
  %0 = arith.extf %x : vector<8xf16> to vector<8xf32>
  return %0 : vector<8xf32>
}

// What is too large becomes NaN or Inf; the largest value where there is
// neither.
// CHECK-LABEL: func @truncate(
func.func @truncate(%x: vector<8xf32>) -> (vector<8xi8>, vector<8xi8>) {
  // CHECK-NOT: arith.truncf
  // CHECK-NOT: f8E5M2
  // CHECK-NOT: f6E3M2FN
  // CHECK: return %{{.*}} : vector<8xi8>, vector<8xi8>
  %0 = arith.truncf %x : vector<8xf32> to vector<8xf8E5M2>
  %1 = arith.bitcast %0 : vector<8xf8E5M2> to vector<8xi8>
  %2 = arith.truncf %x : vector<8xf32> to vector<8xf6E3M2FN>
  %3 = arith.bitcast %2 : vector<8xf6E3M2FN> to vector<8xi6>
  %4 = arith.extui %3 : vector<8xi6> to vector<8xi8>
  return %1, %4 : vector<8xi8>, vector<8xi8>
}

// Lanes that stay floats keep their codes.
// CHECK-LABEL: func @lanes(
func.func @lanes(%x: vector<4xf32>) -> vector<4xf8E5M2> {
  // CHECK-NOT: arith.truncf
  // CHECK: arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E5M2>
  %0 = arith.truncf %x : vector<4xf32> to vector<4xf8E5M2>
  return %0 : vector<4xf8E5M2>
}

// Other types are LLVM's, and scalars no body writes.
// CHECK-LABEL: func @others(
func.func @others(%x: vector<4xf32>, %y: f8E5M2) -> (vector<4xf16>, f32) {
  // CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
  // CHECK: arith.extf %{{.*}} : f8E5M2 to f32
  %0 = arith.truncf %x : vector<4xf32> to vector<4xf16>
  %1 = arith.extf %y : f8E5M2 to f32
  return %0, %1 : vector<4xf16>, f32
}

// Conversions that folds have joined go by way of f32.
// CHECK-LABEL: func @joined(
func.func @joined(%i: vector<4xi8>, %x: vector<4xf16>, %y: vector<4xf8E5M2>)
    -> (vector<4xi8>, vector<4xi8>, vector<4xf64>, vector<4xf16>) {
  // CHECK: arith.sitofp %{{.*}} : vector<4xi8> to vector<4xf32>
  // CHECK: arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
  // CHECK: arith.extf %{{.*}} : vector<4xf{{16|32}}> to vector<4xf64>
  // CHECK-NOT: arith.{{truncf|extf|sitofp}} {{.*}}xf8
  // CHECK: return
  %0 = arith.sitofp %i : vector<4xi8> to vector<4xf8E4M3FN>
  %1 = arith.bitcast %0 : vector<4xf8E4M3FN> to vector<4xi8>
  %2 = arith.truncf %x : vector<4xf16> to vector<4xf8E5M2>
  %3 = arith.bitcast %2 : vector<4xf8E5M2> to vector<4xi8>
  %4 = arith.extf %y : vector<4xf8E5M2> to vector<4xf64>
  %5 = arith.extf %y : vector<4xf8E5M2> to vector<4xf16>
  return %1, %3, %4, %5 : vector<4xi8>, vector<4xi8>, vector<4xf64>, vector<4xf16>
}
