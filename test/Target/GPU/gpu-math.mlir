// Math ops of a kernel as intrinsics of LLVM, never as calls of a library.
//
// RUN: labgen-opt %s --pass-pipeline='builtin.module(gpu.module(lab-gpu-math))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @math
  gpu.func @math(%x: vector<4xf32>, %y: vector<4xf32>) kernel {
    // CHECK: llvm.call_intrinsic "llvm.fma"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    %0 = math.fma %x, %y, %x : vector<4xf32>
    // CHECK: llvm.call_intrinsic "llvm.roundeven"
    %1 = math.roundeven %0 : vector<4xf32>
    // CHECK: llvm.call_intrinsic "llvm.fabs"
    %2 = math.absf %1 : vector<4xf32>
    // CHECK: llvm.call_intrinsic "llvm.copysign"
    %3 = math.copysign %2, %y : vector<4xf32>
    // CHECK: llvm.call_intrinsic "llvm.round"(
    %4 = math.round %3 : vector<4xf32>
    // CHECK-NOT: math.
    gpu.return
  }
}
