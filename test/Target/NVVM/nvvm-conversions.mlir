// Pairs of small floats by NVIDIA's instructions, where the chip has them.
// RUN: labgen-opt %s --lab-nvvm-conversions=chip=sm_120a --canonicalize | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: labgen-opt %s --lab-nvvm-conversions=chip=sm_90a --canonicalize | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: labgen-opt %s --lab-nvvm-conversions=chip=sm_80 --canonicalize | FileCheck %s --check-prefix=NONE --implicit-check-not=nvvm.
// RUN: not labgen-opt %s --lab-nvvm-conversions=chip=sm_77 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}sm_77
// NONE: arith.extf

// CHECK-LABEL: func @extend(
func.func @extend(%codes: vector<4xi8>) -> vector<4xf32> {
  // CHECK-COUNT-2: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
  // CHECK: arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
  %0 = arith.bitcast %codes : vector<4xi8> to vector<4xf8E4M3FN>
  %1 = arith.extf %0 : vector<4xf8E4M3FN> to vector<4xf32>
  return %1 : vector<4xf32>
}

// An odd lane goes with zeros.
// CHECK-LABEL: func @odd(
func.func @odd(%codes: vector<3xi8>) -> vector<3xf32> {
  // CHECK-COUNT-2: nvvm.convert.f8x2.to.f16x2
  // CHECK: arith.extf %{{.*}} : vector<3xf16> to vector<3xf32>
  %0 = arith.bitcast %codes : vector<3xi8> to vector<3xf8E5M2>
  %1 = arith.extf %0 : vector<3xf8E5M2> to vector<3xf32>
  return %1 : vector<3xf32>
}

// CHECK-LABEL: func @scales(
func.func @scales(%codes: vector<2xi8>) -> vector<2xf32> {
  // ALL: nvvm.convert.f8x2.to.bf16x2 %{{.*}} : vector<2xi8>(f8E8M0FNU) -> vector<2xbf16>
  // EIGHT: arith.extf %{{.*}} : vector<2xf8E8M0FNU> to vector<2xf32>
  %0 = arith.bitcast %codes : vector<2xi8> to vector<2xf8E8M0FNU>
  %1 = arith.extf %0 : vector<2xf8E8M0FNU> to vector<2xf32>
  return %1 : vector<2xf32>
}

// CHECK-LABEL: func @below_eight(
func.func @below_eight(%six: vector<2xi8>, %four: vector<2xi8>) -> (vector<2xf32>, vector<2xf32>) {
  // ALL: nvvm.convert.f6x2.to.f16x2 %{{.*}} : vector<2xi8>(f6E3M2FN) -> vector<2xf16>
  // ALL: nvvm.convert.f4x2.to.f16x2 %{{.*}} : i8(f4E2M1FN) -> vector<2xf16>
  // EIGHT: arith.extf %{{.*}} : vector<2xf6E3M2FN> to vector<2xf32>
  // EIGHT: arith.extf %{{.*}} : vector<2xf4E2M1FN> to vector<2xf32>
  %0 = arith.trunci %six : vector<2xi8> to vector<2xi6>
  %1 = arith.bitcast %0 : vector<2xi6> to vector<2xf6E3M2FN>
  %2 = arith.extf %1 : vector<2xf6E3M2FN> to vector<2xf32>
  %3 = arith.trunci %four : vector<2xi8> to vector<2xi4>
  %4 = arith.bitcast %3 : vector<2xi4> to vector<2xf4E2M1FN>
  %5 = arith.extf %4 : vector<2xf4E2M1FN> to vector<2xf32>
  return %2, %5 : vector<2xf32>, vector<2xf32>
}

// What is too large becomes NaN before an instruction that saturates. The upper
// value comes first.
// CHECK-LABEL: func @truncate(
// CHECK-SAME: %[[X:[a-z0-9]+]]: vector<2xf32>
func.func @truncate(%x: vector<2xf32>) -> vector<2xi8> {
  // CHECK: %[[TIE:.*]] = arith.constant dense<4.640000e+02> : vector<2xf32>
  // CHECK: %[[MAGNITUDE:.*]] = math.absf %[[X]]
  // CHECK: %[[BEYOND:.*]] = arith.cmpf ogt, %[[MAGNITUDE]], %[[TIE]]
  // CHECK: %[[Y:.*]] = arith.select %[[BEYOND]]
  // CHECK: %[[FROZEN:.*]] = llvm.freeze %[[Y]]
  // CHECK: %[[LOW:.*]] = vector.extract %[[FROZEN]][0]
  // CHECK: %[[HIGH:.*]] = vector.extract %[[FROZEN]][1]
  // CHECK: nvvm.convert.f32x2.to.f8x2 %[[HIGH]], %[[LOW]] {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
  %0 = arith.truncf %x : vector<2xf32> to vector<2xf8E4M3FN>
  %1 = arith.bitcast %0 : vector<2xf8E4M3FN> to vector<2xi8>
  return %1 : vector<2xi8>
}

// A clamp is the instruction's own, whichever way it is written.
// CHECK-LABEL: func @clamped(
func.func @clamped(%x: vector<2xf32>) -> (vector<2xi8>, vector<2xi8>) {
  // CHECK-NOT: arith.{{select|maxnumf|minnumf}}
  // CHECK-COUNT-2: nvvm.convert.f32x2.to.f8x2
  // CHECK-NOT: arith.{{select|maxnumf|minnumf}}
  // CHECK: return
  %max = arith.constant dense<4.480000e+02> : vector<2xf32>
  %min = arith.constant dense<-4.480000e+02> : vector<2xf32>
  %0 = arith.maxnumf %x, %min : vector<2xf32>
  %1 = arith.minnumf %0, %max : vector<2xf32>
  %2 = arith.truncf %1 : vector<2xf32> to vector<2xf8E4M3FN>
  %3 = arith.bitcast %2 : vector<2xf8E4M3FN> to vector<2xi8>
  %4 = arith.cmpf ogt, %x, %max : vector<2xf32>
  %5 = arith.select %4, %max, %x : vector<2xi1>, vector<2xf32>
  %6 = arith.cmpf olt, %5, %min : vector<2xf32>
  %7 = arith.select %6, %min, %5 : vector<2xi1>, vector<2xf32>
  %8 = arith.truncf %7 : vector<2xf32> to vector<2xf8E4M3FN>
  %9 = arith.bitcast %8 : vector<2xf8E4M3FN> to vector<2xi8>
  return %3, %9 : vector<2xi8>, vector<2xi8>
}

// Another limit is no clamp to the format.
// CHECK-LABEL: func @other_limit(
func.func @other_limit(%x: vector<2xf32>) -> vector<2xi8> {
  // CHECK: arith.maxnumf
  // CHECK: arith.minnumf
  // CHECK: math.absf
  // CHECK: nvvm.convert.f32x2.to.f8x2
  %max = arith.constant dense<4.640000e+02> : vector<2xf32>
  %min = arith.constant dense<-4.480000e+02> : vector<2xf32>
  %0 = arith.maxnumf %x, %min : vector<2xf32>
  %1 = arith.minnumf %0, %max : vector<2xf32>
  %2 = arith.truncf %1 : vector<2xf32> to vector<2xf8E4M3FN>
  %3 = arith.bitcast %2 : vector<2xf8E4M3FN> to vector<2xi8>
  return %3 : vector<2xi8>
}

// NaN becomes the largest value of a format without NaN by itself.
// CHECK-LABEL: func @without_nan(
func.func @without_nan(%x: vector<2xf32>) -> vector<2xi8> {
  // ALL-NOT: arith.select
  // ALL: nvvm.convert.f32x2.to.f4x2 %{{.*}}, %{{.*}} : i8(f4E2M1FN)
  // EIGHT: arith.select
  // EIGHT: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf4E2M1FN>
  %max = arith.constant dense<6.0> : vector<2xf32>
  %0 = arith.cmpf uno, %x, %x : vector<2xf32>
  %1 = arith.select %0, %max, %x : vector<2xi1>, vector<2xf32>
  %2 = arith.truncf %1 : vector<2xf32> to vector<2xf4E2M1FN>
  %3 = arith.bitcast %2 : vector<2xf4E2M1FN> to vector<2xi4>
  %4 = arith.extui %3 : vector<2xi4> to vector<2xi8>
  return %4 : vector<2xi8>
}

// The instruction makes no Inf.
// CHECK-LABEL: func @infinity(
func.func @infinity(%x: vector<2xf32>) -> vector<2xi8> {
  // CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf8E5M2>
  %0 = arith.truncf %x : vector<2xf32> to vector<2xf8E5M2>
  %1 = arith.bitcast %0 : vector<2xf8E5M2> to vector<2xi8>
  return %1 : vector<2xi8>
}
