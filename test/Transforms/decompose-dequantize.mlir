// Weights with scales are dequantized by a launch of their own above a number
// of rows; below it, and for integer products, the gemm stays as it is.
//
// RUN: labgen-opt %s --pass-pipeline='builtin.module(func.func(lab-decompose{dequantize-above=8}))' | FileCheck %s
// RUN: labgen-opt %s --lab-decompose | FileCheck %s --check-prefix=NEVER

// NEVER-NOT: lab.dequantize

// CHECK-LABEL: func @many
// CHECK: %[[W:.*]] = memref.alloc() {{.*}} : memref<5x64xf32>
// CHECK: lab.dequantize %{{.*}}, %{{.*}} -> %[[W]] group = 32
// CHECK: lab.gemm %{{.*}}, %[[W]] -> %{{.*}} {accumulate} : memref<9x64xf32>, memref<5x64xf32> -> memref<9x5xf32>
func.func @many(%a: memref<9x64xf32>, %b: memref<5x64xi8>, %s: memref<5x2xf32>, %c: memref<9x5xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<5x2xf32>) -> %c group = 32 {accumulate}
      : memref<9x64xf32>, memref<5x64xi8> -> memref<9x5xf32>
  return
}

// CHECK-LABEL: func @few
// CHECK-NOT: lab.dequantize
// CHECK: lab.gemm {{.*}} b_scale
func.func @few(%a: memref<8x64xf32>, %b: memref<5x64xi8>, %s: memref<5x2xf32>, %c: memref<8x5xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<5x2xf32>) -> %c group = 32
      : memref<8x64xf32>, memref<5x64xi8> -> memref<8x5xf32>
  return
}
