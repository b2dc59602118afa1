// f8E8M0FNU to f32: run, byte 0 (2^-127) gives 0; folded, byte 255 (NaN) gives
// Inf. When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --arith-expand="include-f8e8m0=true" --convert-to-llvm \
// RUN:   --reconcile-unrealized-casts -o %t
// RUN: mlir-runner %t -e smallest --entry-point-result=i32 | FileCheck %s --check-prefix=SMALLEST
// RUN: mlir-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

func.func private @bits(%byte: i8) -> i32 {
  %x = arith.bitcast %byte : i8 to f8E8M0FNU
  %y = arith.extf %x : f8E8M0FNU to f32
  %bits = arith.bitcast %y : f32 to i32
  return %bits : i32
}

// Right: 4194304 (0x00400000).
// SMALLEST: {{^}}0{{$}}
func.func @smallest() -> i32 {
  %byte = arith.constant 0 : i8
  %bits = call @bits(%byte) : (i8) -> i32
  return %bits : i32
}

// Right: 0x7FC00000.
// FOLD-LABEL: @folded
// FOLD: arith.constant 0x7F800000 : f32
func.func @folded() -> f32 {
  %x = arith.constant 0xff : f8E8M0FNU
  %y = arith.extf %x : f8E8M0FNU to f32
  return %y : f32
}
