// f32 to f4E2M1FN as it runs: middles go away from zero, not to the even code,
// and zero loses its sign. Folded, NaN and Inf are 0; run, they are 6.
// When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --arith-expand="include-f4e2m1=true" --convert-to-llvm \
// RUN:   --reconcile-unrealized-casts -o %t
// RUN: mlir-runner %t -e middle_2_5 --entry-point-result=i32 | FileCheck %s --check-prefix=MIDDLE
// RUN: mlir-runner %t -e middle_5 --entry-point-result=i32 | FileCheck %s --check-prefix=LAST
// RUN: mlir-runner %t -e minus_quarter --entry-point-result=i32 | FileCheck %s --check-prefix=SIGN
// RUN: mlir-runner %t -e nan --entry-point-result=i32 | FileCheck %s --check-prefix=NAN
// RUN: mlir-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

func.func private @code(%x: f32) -> i32 {
  %y = arith.truncf %x : f32 to f4E2M1FN
  %bits = arith.bitcast %y : f4E2M1FN to i4
  %code = arith.extui %bits : i4 to i32
  return %code : i32
}

// Right: code 4 (2.0).
// MIDDLE: {{^}}5{{$}}
func.func @middle_2_5() -> i32 {
  %x = arith.constant 2.5 : f32
  %code = call @code(%x) : (f32) -> i32
  return %code : i32
}

// Right: code 6 (4.0).
// LAST: {{^}}7{{$}}
func.func @middle_5() -> i32 {
  %x = arith.constant 5.0 : f32
  %code = call @code(%x) : (f32) -> i32
  return %code : i32
}

// Right: code 8 (-0.0).
// SIGN: {{^}}0{{$}}
func.func @minus_quarter() -> i32 {
  %x = arith.constant -0.25 : f32
  %code = call @code(%x) : (f32) -> i32
  return %code : i32
}

// Right: the same both ways.
// NAN: {{^}}7{{$}}
func.func @nan() -> i32 {
  %x = arith.constant 0x7fc00000 : f32
  %code = call @code(%x) : (f32) -> i32
  return %code : i32
}

// FOLD-LABEL: @folded
// FOLD: %[[ZERO:.*]] = arith.constant 0x0 : f4E2M1FN
// FOLD: return %[[ZERO]]
func.func @folded() -> f4E2M1FN {
  %x = arith.constant 0x7fc00000 : f32
  %y = arith.truncf %x : f32 to f4E2M1FN
  return %y : f4E2M1FN
}
