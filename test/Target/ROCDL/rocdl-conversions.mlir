// Pairs of small floats by AMD's instructions, where the chip has them.
// RUN: labgen-opt %s --lab-rocdl-conversions=chip=gfx950 --canonicalize | FileCheck %s --check-prefixes=CHECK,OCP,F4
// RUN: labgen-opt %s --lab-rocdl-conversions=chip=gfx1201 --canonicalize | FileCheck %s --check-prefixes=CHECK,OCP
// RUN: labgen-opt %s --lab-rocdl-conversions=chip=gfx942 --canonicalize | FileCheck %s --check-prefixes=CHECK,FNUZ
// RUN: labgen-opt %s --lab-rocdl-conversions=chip=gfx1100 --canonicalize | FileCheck %s --check-prefix=CHECK --implicit-check-not=rocdl.
// RUN: not labgen-opt %s --lab-rocdl-conversions=chip=gfx77 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}gfx77

// Two pairs to the word.
// CHECK-LABEL: func @extend(
// CHECK-SAME: %[[CODES:[a-z0-9]+]]: vector<4xi8>
func.func @extend(%codes: vector<4xi8>) -> (vector<4xf32>, vector<4xf32>) {
  // OCP: %[[WORDS:.*]] = vector.bitcast %[[CODES]] : vector<4xi8> to vector<1xi32>
  // OCP: %[[WORD:.*]] = vector.extract %[[WORDS]][0]
  // OCP: rocdl.cvt.pk.f32.bf8 %[[WORD]][false] : vector<2xf32>
  // OCP: rocdl.cvt.pk.f32.bf8 %{{.*}}[true] : vector<2xf32>
  // OCP: arith.extf {{.*}}vector<4xf8E4M3FNUZ>
  // FNUZ: rocdl.cvt.pk.f32.fp8 %{{.*}}[false] : vector<2xf32>
  // FNUZ: rocdl.cvt.pk.f32.fp8 %{{.*}}[true] : vector<2xf32>
  // CHECK: return
  %0 = arith.bitcast %codes : vector<4xi8> to vector<4xf8E5M2>
  %1 = arith.extf %0 : vector<4xf8E5M2> to vector<4xf32>
  %2 = arith.bitcast %codes : vector<4xi8> to vector<4xf8E4M3FNUZ>
  %3 = arith.extf %2 : vector<4xf8E4M3FNUZ> to vector<4xf32>
  return %1, %3 : vector<4xf32>, vector<4xf32>
}

// The second pair goes beside the first; the lower value comes first.
// CHECK-LABEL: func @truncate(
// CHECK-SAME: %[[X:[a-z0-9]+]]: vector<4xf32>
func.func @truncate(%x: vector<4xf32>) -> vector<4xi8> {
  // OCP-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // OCP-DAG: %[[A:.*]] = vector.extract %[[X]][0]
  // OCP-DAG: %[[B:.*]] = vector.extract %[[X]][1]
  // OCP: %[[ONE:.*]] = rocdl.cvt.pk.fp8.f32 %[[A]], %[[B]] -> %[[ZERO]][false] : i32
  // OCP: rocdl.cvt.pk.fp8.f32 %{{.*}}, %{{.*}} -> %[[ONE]][true] : i32
  // FNUZ: arith.truncf
  // CHECK: return
  %0 = arith.truncf %x : vector<4xf32> to vector<4xf8E4M3FN>
  %1 = arith.bitcast %0 : vector<4xf8E4M3FN> to vector<4xi8>
  return %1 : vector<4xi8>
}

// Three lanes are two pairs.
// CHECK-LABEL: func @odd(
func.func @odd(%x: vector<3xf32>) -> vector<3xi8> {
  // FNUZ-COUNT-2: rocdl.cvt.pk.bf8.f32
  // CHECK: return %{{.*}} : vector<3xi8>
  %0 = arith.truncf %x : vector<3xf32> to vector<3xf8E5M2FNUZ>
  %1 = arith.bitcast %0 : vector<3xf8E5M2FNUZ> to vector<3xi8>
  return %1 : vector<3xi8>
}

// CHECK-LABEL: func @four_bits(
func.func @four_bits(%x: vector<2xf32>, %codes: vector<2xi8>) -> (vector<2xi8>, vector<2xf32>) {
  // F4: rocdl.cvt.scalef32.pk.fp4.f32
  // F4: rocdl.cvt.scalef32.pk.f32.fp4 %{{.*}}[0], %{{.*}} : vector<2xf32>
  // CHECK: return
  %0 = arith.truncf %x : vector<2xf32> to vector<2xf4E2M1FN>
  %1 = arith.bitcast %0 : vector<2xf4E2M1FN> to vector<2xi4>
  %2 = arith.extui %1 : vector<2xi4> to vector<2xi8>
  %3 = arith.trunci %codes : vector<2xi8> to vector<2xi4>
  %4 = arith.bitcast %3 : vector<2xi4> to vector<2xf4E2M1FN>
  %5 = arith.extf %4 : vector<2xf4E2M1FN> to vector<2xf32>
  return %2, %5 : vector<2xi8>, vector<2xf32>
}
