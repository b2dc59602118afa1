// Steps of integer dot products become the CPU's instructions where it has
// them, and stay what they are where it has not.
// RUN: labgen-opt %s --lab-cpu-dots=cpu=sapphirerapids | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: labgen-opt %s --lab-cpu-dots=cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,MADD
// RUN: not labgen-opt %s --lab-cpu-dots=cpu=znver55 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown CPU 'znver55'

// CHECK-LABEL: func @fours(
// CHECK-SAME: %[[ACC:[a-z0-9]+]]: vector<8xi32>, %[[A:[a-z0-9]+]]: vector<32xi8>, %[[B:[a-z0-9]+]]: vector<32xi8>
func.func @fours(%acc: vector<8xi32>, %a: vector<32xi8>, %b: vector<32xi8>) -> vector<8xi32> {
  // VNNI-NEXT: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%[[ACC]], %[[B]], %[[A]])
  // MADD-NOT: llvm.call_intrinsic
  // MADD: vector.multi_reduction
  %0 = arith.extsi %a : vector<32xi8> to vector<32xi32>
  %1 = arith.extui %b : vector<32xi8> to vector<32xi32>
  %2 = arith.muli %0, %1 : vector<32xi32>
  %3 = vector.shape_cast %2 : vector<32xi32> to vector<8x4xi32>
  %4 = vector.multi_reduction <add>, %3, %acc [1] : vector<8x4xi32> to vector<8xi32>
  return %4 : vector<8xi32>
}

// The sum of A's codes: a product with ones, which fold away.
// CHECK-LABEL: func @sum_of_fours(
func.func @sum_of_fours(%acc: vector<16xi32>, %a: vector<64xi8>) -> vector<16xi32> {
  // VNNI: %[[ONE:.*]] = arith.constant dense<1> : vector<64xi8>
  // VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[ONE]], %{{.*}})
  // MADD: vector.multi_reduction
  %0 = arith.extsi %a : vector<64xi8> to vector<64xi32>
  %1 = vector.shape_cast %0 : vector<64xi32> to vector<16x4xi32>
  %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<16x4xi32> to vector<16xi32>
  return %2 : vector<16xi32>
}

// A constant goes through as the byte it was.
// CHECK-LABEL: func @constant(
func.func @constant(%acc: vector<8xi32>, %a: vector<32xi8>) -> vector<8xi32> {
  // VNNI: %[[BIAS:.*]] = arith.constant dense<-128> : vector<32xi8>
  // VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%{{.*}}, %[[BIAS]], %{{.*}})
  // MADD: vector.multi_reduction
  %c128 = arith.constant dense<128> : vector<32xi32>
  %0 = arith.extsi %a : vector<32xi8> to vector<32xi32>
  %1 = arith.muli %0, %c128 : vector<32xi32>
  %2 = vector.shape_cast %1 : vector<32xi32> to vector<8x4xi32>
  %3 = vector.multi_reduction <add>, %2, %acc [1] : vector<8x4xi32> to vector<8xi32>
  return %3 : vector<8xi32>
}

// Signed by signed is no vpdpbusd.
// CHECK-LABEL: func @signed(
func.func @signed(%acc: vector<8xi32>, %a: vector<32xi8>, %b: vector<32xi8>) -> vector<8xi32> {
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: vector.multi_reduction
  %0 = arith.extsi %a : vector<32xi8> to vector<32xi32>
  %1 = arith.extsi %b : vector<32xi8> to vector<32xi32>
  %2 = arith.muli %0, %1 : vector<32xi32>
  %3 = vector.shape_cast %2 : vector<32xi32> to vector<8x4xi32>
  %4 = vector.multi_reduction <add>, %3, %acc [1] : vector<8x4xi32> to vector<8xi32>
  return %4 : vector<8xi32>
}

// CHECK-LABEL: func @twos(
func.func @twos(%acc: vector<8xi32>, %a: vector<16xi8>, %b: vector<16xi8>) -> vector<8xi32> {
  // CHECK-DAG: %[[A:.*]] = arith.extsi %{{.*}} : vector<16xi8> to vector<16xi16>
  // CHECK-DAG: %[[B:.*]] = arith.extui %{{.*}} : vector<16xi8> to vector<16xi16>
  // CHECK: %[[SUMS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%[[A]], %[[B]])
  // CHECK: arith.addi %{{.*}}, %[[SUMS]] : vector<8xi32>
  %0 = arith.extsi %a : vector<16xi8> to vector<16xi32>
  %1 = arith.extui %b : vector<16xi8> to vector<16xi32>
  %2 = arith.muli %0, %1 : vector<16xi32>
  %3 = vector.shape_cast %2 : vector<16xi32> to vector<8x2xi32>
  %4 = vector.multi_reduction <add>, %3, %acc [1] : vector<8x2xi32> to vector<8xi32>
  return %4 : vector<8xi32>
}

// A CPU with 32-byte registers has no step of 64.
// CHECK-LABEL: func @wide(
func.func @wide(%acc: vector<16xi32>, %a: vector<32xi8>, %b: vector<32xi8>) -> vector<16xi32> {
  // VNNI: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
  // MADD-NOT: llvm.call_intrinsic
  // MADD: vector.multi_reduction
  %0 = arith.extsi %a : vector<32xi8> to vector<32xi32>
  %1 = arith.extsi %b : vector<32xi8> to vector<32xi32>
  %2 = arith.muli %0, %1 : vector<32xi32>
  %3 = vector.shape_cast %2 : vector<32xi32> to vector<16x2xi32>
  %4 = vector.multi_reduction <add>, %3, %acc [1] : vector<16x2xi32> to vector<16xi32>
  return %4 : vector<16xi32>
}

// Words of 16 bits may overflow the sum of two: they stay.
// CHECK-LABEL: func @words(
func.func @words(%acc: vector<8xi32>, %a: vector<16xi16>, %b: vector<16xi16>) -> vector<8xi32> {
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: vector.multi_reduction
  %0 = arith.extsi %a : vector<16xi16> to vector<16xi32>
  %1 = arith.extsi %b : vector<16xi16> to vector<16xi32>
  %2 = arith.muli %0, %1 : vector<16xi32>
  %3 = vector.shape_cast %2 : vector<16xi32> to vector<8x2xi32>
  %4 = vector.multi_reduction <add>, %3, %acc [1] : vector<8x2xi32> to vector<8xi32>
  return %4 : vector<8xi32>
}
