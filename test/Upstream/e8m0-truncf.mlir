// f32 to f8E8M0FNU: run, the exponent is cut off and the sign dropped; as a
// constant it goes to nearest with ties up. Zero, which has no code, gives
// 2^-127, where the NaN would tell.
// When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --arith-expand="include-f8e8m0=true" --convert-to-llvm \
// RUN:   --reconcile-unrealized-casts -o %t
// RUN: mlir-runner %t -e above_middle --entry-point-result=i32 | FileCheck %s --check-prefix=NEAREST
// RUN: mlir-runner %t -e negative --entry-point-result=i32 | FileCheck %s --check-prefix=SIGN
// RUN: mlir-runner %t -e zero --entry-point-result=i32 | FileCheck %s --check-prefix=ZERO
// RUN: mlir-opt %s | FileCheck %s --check-prefix=CONSTANT

func.func private @byte(%x: f32) -> i32 {
  %y = arith.truncf %x : f32 to f8E8M0FNU
  %bits = arith.bitcast %y : f8E8M0FNU to i8
  %byte = arith.extui %bits : i8 to i32
  return %byte : i32
}

// Right: 128 (2.0), the nearest.
// NEAREST: {{^}}127{{$}}
func.func @above_middle() -> i32 {
  %x = arith.constant 1.6 : f32
  %byte = call @byte(%x) : (f32) -> i32
  return %byte : i32
}

// Right: 255 (NaN).
// SIGN: {{^}}128{{$}}
func.func @negative() -> i32 {
  %x = arith.constant -2.0 : f32
  %byte = call @byte(%x) : (f32) -> i32
  return %byte : i32
}

// Right: 255 (NaN).
// ZERO: {{^}}0{{$}}
func.func @zero() -> i32 {
  %x = arith.constant 0.0 : f32
  %byte = call @byte(%x) : (f32) -> i32
  return %byte : i32
}

// Right: 2.0, whose byte 128 is even.
// CONSTANT-LABEL: @tie
// CONSTANT: arith.constant 4.000000e+00 : f8E8M0FNU
func.func @tie() -> f8E8M0FNU {
  %x = arith.constant 3.0 : f8E8M0FNU
  return %x : f8E8M0FNU
}
