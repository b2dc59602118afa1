// Above a number of rows, weights with scales that no tile can dequantize (groups
// of odd lengths, rows that end within a byte) are dequantized by a launch of
// their own; other gemms stay as they are.
//
// RUN: labgen-opt %s --pass-pipeline='builtin.module(func.func(lab-decompose{dequantize-above=8}))' | FileCheck %s
// RUN: labgen-opt %s --lab-decompose | FileCheck %s --check-prefix=NEVER

// NEVER-NOT: lab.dequantize

// CHECK-LABEL: func @odd_groups
// CHECK: %[[W:.*]] = memref.alloc() {{.*}} : memref<5x64xf32>
// CHECK: lab.dequantize %{{.*}}, %{{.*}} -> %[[W]] group = 24
// CHECK: lab.gemm %{{.*}}, %[[W]] -> %{{.*}} {accumulate} : memref<9x64xf32>, memref<5x64xf32> -> memref<9x5xf32>
func.func @odd_groups(%a: memref<9x64xf32>, %b: memref<5x64xi8>, %s: memref<5x3xf32>, %c: memref<9x5xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<5x3xf32>) -> %c group = 24 {accumulate}
      : memref<9x64xf32>, memref<5x64xi8> -> memref<9x5xf32>
  return
}

// CHECK-LABEL: func @odd_rows
// CHECK: lab.dequantize
func.func @odd_rows(%a: memref<9x65xf32>, %b: memref<5x33xi8>, %s: memref<5x1xf32>, %c: memref<9x5xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<5x1xf32>) -> %c group = channel {code = i4}
      : memref<9x65xf32>, memref<5x33xi8> -> memref<9x5xf32>
  return
}

// Whole groups, or a part of one: by the gemm's own copies.
// CHECK-LABEL: func @copied
// CHECK-NOT: lab.dequantize
func.func @copied(%a: memref<9x256xf32>, %b: memref<5x256xi8>, %s: memref<5x8xf32>, %s1: memref<5x2xf32>, %c: memref<9x5xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<5x8xf32>) -> %c group = 32
      : memref<9x256xf32>, memref<5x256xi8> -> memref<9x5xf32>
  lab.gemm %a, %b b_scale(%s1 : memref<5x2xf32>) -> %c group = 128
      : memref<9x256xf32>, memref<5x256xi8> -> memref<9x5xf32>
  return
}

// CHECK-LABEL: func @few
// CHECK-NOT: lab.dequantize
func.func @few(%a: memref<8x64xf32>, %b: memref<5x64xi8>, %s: memref<5x3xf32>, %c: memref<8x5xf32>) {
  lab.gemm %a, %b b_scale(%s : memref<5x3xf32>) -> %c group = 24
      : memref<8x64xf32>, memref<5x64xi8> -> memref<8x5xf32>
  return
}
