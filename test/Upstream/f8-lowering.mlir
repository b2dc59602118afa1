// Casts to 8-bit floats have no way to a CPU: the op is left as it is.
// Right: lowered. When this fails, docs/upstream.md has an entry to drop.
//
// RUN: mlir-opt %s --arith-expand="include-bf16=true include-f8e8m0=true include-f4e2m1=true" \
// RUN:   --convert-arith-to-llvm | FileCheck %s

// CHECK-LABEL: @narrow
// CHECK: arith.truncf %{{.*}} : f32 to f8E4M3FN
func.func @narrow(%x: f32) -> f8E4M3FN {
  %y = arith.truncf %x : f32 to f8E4M3FN
  return %y : f8E4M3FN
}

// CHECK-LABEL: @wide
// CHECK: arith.extf %{{.*}} : f8E5M2 to f32
func.func @wide(%x: f8E5M2) -> f32 {
  %y = arith.extf %x : f8E5M2 to f32
  return %y : f32
}
