// 4-bit floats by a table in a register, where the CPU has 64-byte ones.
// RUN: labgen-opt %s --lab-cpu-tables=cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: labgen-opt %s --lab-cpu-tables=cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,NARROW --implicit-check-not=call_intrinsic
// RUN: not labgen-opt %s --lab-cpu-tables=cpu=znver55 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown CPU 'znver55'

// CHECK-LABEL: func @two_registers(
// CHECK-SAME: %[[CODES:[a-z0-9]+]]: vector<32xi8>
func.func @two_registers(%codes: vector<32xi8>) -> vector<32xf32> {
  // WIDE: %[[TABLE:.*]] = arith.constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 6.000000e+00, -0.000000e+00, -5.000000e-01,
  // WIDE: %[[LOW:.*]] = vector.extract_strided_slice %[[CODES]] {offsets = [0], sizes = [16]
  // WIDE: %[[WIDE:.*]] = arith.extui %[[LOW]] : vector<16xi8> to vector<16xi32>
  // WIDE: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %[[WIDE]])
  // WIDE: vector.extract_strided_slice %[[CODES]] {offsets = [16], sizes = [16]
  // WIDE: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]],
  // WIDE: vector.shuffle
  // NARROW: arith.extf
  %0 = arith.trunci %codes : vector<32xi8> to vector<32xi4>
  %1 = arith.bitcast %0 : vector<32xi4> to vector<32xf4E2M1FN>
  %2 = arith.extf %1 : vector<32xf4E2M1FN> to vector<32xf32>
  return %2 : vector<32xf32>
}

// Lanes that come as floats are codes all the same.
// CHECK-LABEL: func @floats(
func.func @floats(%x: vector<16xf4E2M1FN>) -> vector<16xf32> {
  // WIDE: arith.bitcast %{{.*}} : vector<16xf4E2M1FN> to vector<16xi4>
  // WIDE: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
  // NARROW: arith.extf
  %0 = arith.extf %x : vector<16xf4E2M1FN> to vector<16xf32>
  return %0 : vector<16xf32>
}

// No table of 256, no part of a register.
// CHECK-LABEL: func @others(
func.func @others(%x: vector<16xf8E4M3FN>, %y: vector<8xf4E2M1FN>) -> (vector<16xf32>, vector<8xf32>) {
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: arith.extf {{.*}} vector<16xf8E4M3FN>
  // CHECK: arith.extf {{.*}} vector<8xf4E2M1FN>
  %0 = arith.extf %x : vector<16xf8E4M3FN> to vector<16xf32>
  %1 = arith.extf %y : vector<8xf4E2M1FN> to vector<8xf32>
  return %0, %1 : vector<16xf32>, vector<8xf32>
}
