// arith.scaling_truncf divides by its scale: byte 0, which quantizers store for
// a group of zeros, is read as 0.0, and 0 / 0 becomes the largest code; so does
// whatever a NaN scale divides.
// When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --arith-expand="include-f4e2m1=true include-f8e8m0=true" \
// RUN:   --convert-to-llvm --reconcile-unrealized-casts -o %t
// RUN: mlir-runner %t -e zero_group --entry-point-result=i32 | FileCheck %s

func.func private @code(%x: f32, %byte: i8) -> i32 {
  %scale = arith.bitcast %byte : i8 to f8E8M0FNU
  %y = arith.scaling_truncf %x, %scale : f32, f8E8M0FNU to f4E2M1FN
  %bits = arith.bitcast %y : f4E2M1FN to i4
  %code = arith.extui %bits : i4 to i32
  return %code : i32
}

// Right: code 0.
// CHECK: {{^}}7{{$}}
func.func @zero_group() -> i32 {
  %x = arith.constant 0.0 : f32
  %byte = arith.constant 0 : i8
  %code = call @code(%x, %byte) : (f32, i8) -> i32
  return %code : i32
}
